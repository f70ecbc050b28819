import { isJsonObject } from '../../json/json.ts';
import type { Campaign } from '../../kinds/definition.ts';
import type { Desired } from '../../kinds/desired.ts';
import { type FieldPath, formatPath } from '../../kinds/field-path.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { type PathMap, pathSet } from '../../kinds/path-map.ts';
import { type Notice, notice } from '../../notices/notice.ts';
import { inSchemaOrder } from '../fields/field-changes.ts';
import { type ResourceState, shownPath } from '../fields/resource-state.ts';
import { campaignIn, type NewerRecord, type Observation } from '../observation.ts';
import { endedHold, keptReasons } from './holds.ts';
import type { ComparedResource } from './precedence.ts';

/** The warnings about a resource that may be written, in display order. */
export function warningsOf(
  { observation, options, compared }: ComparedResource,
  { mayReplace }: { readonly mayReplace: boolean },
): Notice[] {
  const { restored, desired, newer } = observation;
  const { state, doubts, creates, losses } = compared;
  const changes = compared.changes.map(({ change }) => change);
  const changed = pathSet(compared.changes.map(({ path }) => path));
  const released = changes.filter(({ op }) => op === 'release').map(({ path }) => path);
  const others = state.fields.filter(({ lastIsAnother, path }) => lastIsAnother && changed.along(path).length > 0);
  const storedOtherwise = others.map(({ text }) => text);
  const { unvalidated = [], sections } = desired;
  const unchecked = [...unvalidated, ...Object.keys(sections.extraSettings ?? {})];
  const campaign = campaignIn(observation);
  return [
    ...(restored !== undefined && 'warnings' in restored ? restored.warnings : []),
    ...(mayReplace ? [notice('may-replace-agent', {})] : []),
    ...(newer === undefined ? [] : newerWarnings(observation, newer, creates)),
    // People often assume that an empty list means no access.
    ...(changes.some(({ path, to }) => path === 'settings.permittedAccountIds' && Array.isArray(to) && to.length === 0)
      ? [notice('restriction-lifted', {})]
      : []),
    ...earlierKept(compared),
    ...(changes.length === 0 ? [] : endedHold(observation, state, options.secrecy)),
    ...losses,
    ...(released.length === 0 ? [] : [notice('settings-released', { paths: released })]),
    ...(doubts.length === 0 ? [] : [notice('unverified-kept', { paths: [...doubts] })]),
    ...keptReasons(observation, state, options),
    ...foreignWarnings(state, changed),
    // If the service stored a different value last time, it may do so again.
    ...(storedOtherwise.length === 0 ? [] : [notice('stored-otherwise', { paths: storedOtherwise })]),
    ...hiddenCredentials(observation, state, compared.changes),
    ...(campaign === undefined ? [] : unusableSkills(desired, campaign)),
    ...(unchecked.length === 0 ? [] : [notice('not-validated', { names: unchecked })]),
  ];
}

/**
 * Warns if a change names another object, although an update only repeats the create. For example, a new number is
 * assigned, but the earlier number is not released. A hidden value may be the same.
 */
function earlierKept({ state: { kind, byPath }, changes }: ComparedResource['compared']): Notice[] {
  const { identity, operations } = kindNamed(kind);
  const repeatsCreate = operations.create === operations.update;
  const replaced = changes.filter(({ path, change: { from } }) => {
    const [, name = ''] = path;
    return from !== undefined && identity.settings.includes(name) && !byPath.get(path)?.lastIsForeign;
  });
  return repeatsCreate && replaced.length > 0 ? [notice('earlier-kept', { kind })] : [];
}

/** Warns about a newer record on another branch, or a removed record. Only the user knows whether this is intended. */
function newerWarnings({ desired, record }: Observation, { commit, path }: NewerRecord, creates: boolean): Notice[] {
  if (record !== undefined) return [notice('record-newer', { commit, path })];
  return creates ? [notice('record-removed', { kind: desired.kind, commit, path })] : [];
}

/** Warns about fingerprints that cannot be compared after a token rotation. */
function foreignWarnings({ kind, fields }: ResourceState, changed: PathMap<FieldPath>): Notice[] {
  const foreign = fields.filter((field) => field.lastIsForeign && field.wanted !== undefined);
  const sent = foreign.filter(({ path }) => changed.along(path).length > 0).map(({ text }) => text);
  const rest = foreign.filter(({ path }) => changed.along(path).length === 0).map(({ text }) => text);
  const kept = kindNamed(kind).update === 'adds' ? rest : [];
  return [
    ...(sent.length > 0 ? [notice('fingerprints-foreign', { paths: sent, effect: 'sent' })] : []),
    ...(kept.length > 0 ? [notice('fingerprints-foreign', { paths: kept, effect: 'kept' })] : []),
  ];
}

/** Warns that shown changes hide live values, because these contain a credential that someone typed on the service. */
export function hiddenCredentials(
  { credentials, kept }: Observation,
  state: ResourceState,
  shown: readonly { readonly path: FieldPath }[],
): Notice[] {
  if (credentials === undefined) return [];
  const isHidden = (path: FieldPath) =>
    shownPath(state, path) !== formatPath(state.kind, path) ||
    state.byPath.within(path).some(({ live }) => live?.maskedAs !== undefined);
  const paths = [...shown, ...(kept?.paths.values() ?? []).map((path) => ({ path }))].filter(({ path }) =>
    isHidden(path),
  );
  const textOf = ({ path }: { readonly path: FieldPath }) => shownPath(state, path);
  const texts = inSchemaOrder(state.kind, paths, textOf).map(textOf);
  return texts.length === 0 ? [] : [notice('credential-hidden', { paths: texts })];
}

/** Warns about declared skills that the service cannot use, with its reasons. */
export function unusableSkills(desired: Desired, campaign: Campaign): Notice[] {
  const declared = Array.isArray(desired.sections.skills) ? desired.sections.skills : [];
  const slugs = new Set(declared.map((skill) => (isJsonObject(skill) ? skill.slug : undefined)));
  const unusable = campaign.skills?.filter((skill) => skill.usable === false && slugs.has(skill.slug)) ?? [];
  return unusable.map(({ slug, reason }) =>
    notice('skill-unusable', { slug: String(slug), ...(typeof reason === 'string' && { reason }) }),
  );
}
