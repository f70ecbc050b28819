import { isJsonObject } from '../../json/json.ts';
import type { Campaign } from '../../kinds/definition.ts';
import type { Desired } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { pathSet } from '../../kinds/path-map.ts';
import { type Notice, notice } from '../../notices/notice.ts';
import type { Change } from '../../schemas/plan-types.ts';
import type { PlacedChange } from '../fields/field-changes.ts';
import type { FieldState } from '../fields/field-state.ts';
import type { ResourceState } from '../fields/resource-state.ts';
import { campaignIn, type Observation } from '../observation.ts';
import { keptReasons } from './holds.ts';
import type { Subject } from './precedence.ts';

/** The warnings about a resource that an apply may write, in display order. */
export function warningsOf(
  { observation, compared }: Subject,
  { mayReplace }: { readonly mayReplace: boolean },
): Notice[] {
  const { restored, desired } = observation;
  const { placed, state, doubts, creates, losses } = compared;
  const changes = placed.map(({ change }) => change);
  const campaign = campaignIn(observation);
  return [
    ...(restored !== undefined && 'warnings' in restored ? restored.warnings : []),
    ...(mayReplace ? [notice('may-replace-agent', {})] : []),
    ...newerWarnings(observation, creates),
    ...restrictionWarnings(changes),
    ...losses,
    ...about(
      'settings-released',
      changes.filter(({ op }) => op === 'release').map(({ path }) => path),
    ),
    ...about('unverified-kept', doubts),
    ...keptReasons(observation, observation.kept),
    ...foreignWarnings(state, placed),
    ...about('stored-otherwise', storedOtherwise(state, placed)),
    ...(campaign === undefined ? [] : unusableSkills(desired, campaign)),
    ...extraSettingWarnings(desired),
  ];
}

function about(code: 'settings-released' | 'unverified-kept' | 'stored-otherwise', paths: readonly string[]): Notice[] {
  return paths.length === 0 ? [] : [notice(code, { paths: [...paths] })];
}

/** On another branch, or for a removed record: both may be correct, and only the user knows. */
function newerWarnings({ desired, record, newer }: Observation, creates: boolean): Notice[] {
  if (newer === undefined) return [];
  const { commit, path } = newer;
  if (record !== undefined) return [notice('record-newer', { commit, path })];
  return creates ? [notice('record-removed', { kind: desired.kind, commit, path })] : [];
}

/** The meaning of an empty list here is easily misread. */
function restrictionWarnings(changes: readonly Change[]): Notice[] {
  const lifts = changes.some(
    ({ path, to }) => path === 'settings.permittedAccountIds' && Array.isArray(to) && to.length === 0,
  );
  return lifts ? [notice('restriction-lifted', {})] : [];
}

/** After a token rotation, fingerprints of the old token cannot be compared. */
function foreignWarnings({ kind, fields }: ResourceState, changes: readonly PlacedChange[]): Notice[] {
  const changed = pathSet(changes.map(({ path }) => path));
  const foreign = fields.filter((field) => field.lastIsForeign && field.wanted !== undefined);
  const isSent = ({ path }: FieldState) => changed.along(path).length > 0;
  const textsOf = (some: readonly FieldState[]) => some.map(({ text }) => text);
  const sent = textsOf(foreign.filter(isSent));
  const kept = kindNamed(kind).update === 'adds' ? textsOf(foreign.filter((field) => !isSent(field))) : [];
  return [
    ...(sent.length > 0 ? [notice('fingerprints-foreign', { paths: sent, effect: 'sent' })] : []),
    ...(kept.length > 0 ? [notice('fingerprints-foreign', { paths: kept, effect: 'kept' })] : []),
  ];
}

/** The service stored another value in the last apply, so it may do so again. */
function storedOtherwise({ fields }: ResourceState, changes: readonly PlacedChange[]): string[] {
  const changed = pathSet(changes.map(({ path }) => path));
  const others = fields.filter(({ lastIsAnother, path }) => lastIsAnother && changed.along(path).length > 0);
  return others.map(({ text }) => text);
}

/** Declared skills that the service says it cannot use, each with the service's reason. */
export function unusableSkills(desired: Desired, campaign: Campaign): Notice[] {
  const declared = Array.isArray(desired.sections.skills) ? desired.sections.skills : [];
  const slugs = new Set(declared.map((skill) => (isJsonObject(skill) ? skill.slug : undefined)));
  const unusable = campaign.skills?.filter((skill) => skill.usable === false && slugs.has(skill.slug)) ?? [];
  return unusable.map(({ slug, reason }) =>
    notice('skill-unusable', { slug: String(slug), ...(typeof reason === 'string' && { reason }) }),
  );
}

function extraSettingWarnings({ unvalidated = [], sections }: Desired): Notice[] {
  const names = [...unvalidated, ...(isJsonObject(sections.extraSettings) ? Object.keys(sections.extraSettings) : [])];
  return names.length === 0 ? [] : [notice('not-validated', { names })];
}
