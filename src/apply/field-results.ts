import { canonicalJson } from '../json/json.ts';
import { equalsAbsent } from '../kinds/compare.ts';
import type { Campaign } from '../kinds/definition.ts';
import type { Desired } from '../kinds/desired.ts';
import { type FieldPath, fieldPathOf } from '../kinds/field-path.ts';
import { defaultAt, kindNamed } from '../kinds/kind.ts';
import { PathMap } from '../kinds/path-map.ts';
import type { Secrecy } from '../kinds/secrecy.ts';
import { leavesOf, treeOf } from '../kinds/tree.ts';
import type { FieldState } from '../plan/fields/field-state.ts';
import { elementOf, type ResourceState } from '../plan/fields/resource-state.ts';
import { settingsBeside } from '../plan/fields/unmanaged.ts';
import { mask } from '../secrets/secret.ts';
import type { FieldResult } from './events.ts';

/** What a write is judged by. */
export interface Write {
  /** The state before the write and the one that was read back. */
  readonly before: ResourceState;
  readonly after: ResourceState;
  /** The places of the changes that were sent, and of those among them that took something back. */
  readonly changed: PathMap<FieldPath>;
  readonly unset: PathMap<FieldPath>;
  /** The managed fields that were left out of the request. */
  readonly notSent: PathMap<FieldPath>;
  readonly secrecy: Secrecy;
}

const longestShown = 120;

/**
 * What became of each managed field, as the read-back shows it. A value that comes back in another form counts as
 * normalised only if it was to change and is not simply what was there before: anything else was not taken.
 */
export function fieldResults(write: Write): PathMap<FieldResult> {
  const managed = write.after.fields.filter((field) => !field.isMarker && isManaged(field, write));
  return new PathMap(managed.map((field) => [field.path, resultOf(field, write)]));
}

/**
 * Declared; taken back, unless live shows that it is gone; or an element that live has in a declared list although the
 * list was sent without it.
 */
function isManaged(field: FieldState, { after, unset }: Write): boolean {
  if (field.wanted !== undefined) return true;
  if (isChanged(field, unset)) return !(field.readable && field.liveIsUnset);
  return field.live !== undefined && after.declaredLists.has(fieldPathOf(after.kind, field.path));
}

function resultOf(field: FieldState, write: Write): FieldResult {
  // The key of an element that only live has is the service's text.
  const path = field.wanted === undefined ? write.secrecy.redact(field.text) : field.text;
  if (!field.readable) return { path, result: 'unverifiable' };
  if (field.wanted !== undefined && field.liveIsWanted) return { path, result: 'stored' };
  const shown = { path, readBack: shownReadBack(field) };
  if (write.notSent.has(field.path)) return { ...shown, result: 'lost' };
  // An element that was to go and is there has no form in which it would be gone.
  const hasForms = field.wanted !== undefined || elementOf(write.after.kind, field.path) === undefined;
  const isNewForm = hasForms && isChanged(field, write.changed) && !keptWhatItHad(field, write);
  return { ...shown, result: isNewForm ? 'normalised' : 'ignored' };
}

/** It has the value from before the write; or, where there was none, it is not set or at its documented default. */
function keptWhatItHad(field: FieldState, { before, after }: Write): boolean {
  if (field.live === undefined) return true;
  if (differsInBlanksOnly(field)) return false;
  const earlier = before.byPath.get(field.path);
  if (earlier?.live !== undefined) return earlier.live.key === field.live.key;
  return equalsAbsent(field.live.value ?? null, defaultAt(after.kind, field.path));
}

/** A service that trims texts makes nothing of an edit of white space, and that is its way of storing it. */
function differsInBlanksOnly({ wanted, live }: FieldState): boolean {
  if (typeof wanted?.value !== 'string' || typeof live?.value !== 'string') return false;
  return wanted.value.replace(/\s+/g, '') === live.value.replace(/\s+/g, '');
}

function isChanged(field: FieldState, changed: PathMap<FieldPath>): boolean {
  return changed.along(field.path).length > 0;
}

function shownReadBack(field: FieldState): string {
  if (field.live === undefined) return 'nothing';
  if (field.sensitive) return mask;
  const text = canonicalJson(field.live.value ?? null);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** Settings that the read-back of a create shows and nobody declared: the agent was there before. */
export function takenOver(desired: Desired, campaign: Campaign): FieldResult[] {
  const { kind, sections } = desired;
  const live = kindNamed(kind).live?.(campaign, []);
  if (live === undefined) return [];
  const declared = leavesOf(kind, treeOf(kind, sections)).map(([path]) => path);
  const paths = settingsBeside(kind, leavesOf(kind, treeOf(kind, live.sections)), declared);
  return paths.map((path) => ({ path, result: 'took over' }));
}
