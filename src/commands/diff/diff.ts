import { isDeepStrictEqual } from 'node:util';
import { AgentformError } from '../../errors.ts';
import { withoutUndefined } from '../../json/json.ts';
import { byAddress, type Desired, inOrganization } from '../../kinds/desired.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import type { Project } from '../../manifest/project/project.ts';
import { desiredOfAll } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { type FieldChange, fieldChanges } from '../../plan/fields/field-changes.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import type {
  Difference,
  DifferingVariable,
  EnvironmentDiff,
  LastApplied,
  ResourceDiff,
} from '../../schemas/diff-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { environmentNamed } from '../../session/environment.ts';
import { type KeyedResolution, keyedOffline } from '../../session/fingerprint-keys.ts';
import { declaredRecord, type RecordHost, type RecordOptions, withRecords } from '../../session/records/records.ts';
import { requireMatches, type Selection, selector } from '../../session/selection.ts';
import { requireValid } from '../../session/session.ts';

export interface DiffOptions extends RecordOptions, Selection {
  /** The name of the second environment. */
  readonly with: string;
}

/** Compares the values of manifests in two environments. Needs records, but neither the service nor its secrets. */
export function diff(host: RecordHost, options: DiffOptions): Promise<EnvironmentDiff> {
  return withRecords(host, options, async ({ project, environment, store }) => {
    const other = environmentNamed(project, options.with);
    if (other === environment) {
      throw new AgentformError('usage', `both environments are ${other}; name two different ones`);
    }
    const sides: Side[] = [];
    for (const name of [environment, other]) {
      const resolution = await resolved(project, name, { host, selection: options });
      const records = byAddress((await store.list(name)).map(({ record }) => record));
      sides.push({ name, resolution, records, desired: byAddress(desiredOfAll(resolution)) });
    }
    const [from, to] = sides;
    if (from === undefined || to === undefined) throw new Error('two environments are compared');
    requireMatches(options, {
      environment: `${environment} or ${other}`,
      all: [from, to].flatMap(({ resolution }) => resolution.all),
      elsewhere: [],
      removed: [],
    });
    const addresses = [...new Set([...from.desired.keys(), ...to.desired.keys()])].sort();
    const resources = addresses.map((address) => resourceDiff(address, { from, to }));
    return { formatVersion: 1, environment, with: other, summary: summaryOf(resources), resources };
  });
}

async function resolved(
  project: Project,
  environment: string,
  { host, selection }: { readonly host: RecordHost; readonly selection: Selection },
): Promise<KeyedResolution> {
  const { env, allowedSecrets } = host;
  const select = selector(selection);
  const resolution = await resolveProject(project, { environment, secrets: 'names', select, env, allowedSecrets });
  requireValid(resolution.problems, { project, environment });
  return keyedOffline(resolution);
}

interface Side {
  readonly name: string;
  readonly resolution: KeyedResolution;
  readonly desired: ReadonlyMap<string, Desired>;
  readonly records: ReadonlyMap<string, ResourceRecord>;
}

interface Sides {
  readonly from: Side;
  readonly to: Side;
}

function resourceDiff(address: string, sides: Sides): ResourceDiff {
  const [one, other] = [sides.from.desired.get(address), sides.to.desired.get(address)];
  const shown = other ?? one;
  if (shown === undefined) throw new Error(`no environment has ${address}`);
  const { kind, name } = shown;
  const applied = {
    ...appliedAt(sides.from, address, 'from'),
    ...appliedAt(sides.to, address, 'to'),
  };
  if (one === undefined || other === undefined) {
    const status = other === undefined ? 'onlyFrom' : 'onlyTo';
    return { kind, name, status, differences: [], variables: [], applied };
  }
  const found = changesBetween(one, other);
  // Whether the manifests declare the same source value, so that only variables differ.
  const isOfVariables = ({ path }: FieldChange) => {
    const [from, to] = [sides.from, sides.to].map(({ resolution }) => resolution.sourceValueAt(address, path));
    return from !== undefined && isDeepStrictEqual(from, to);
  };
  const differences = found
    .filter((change) => !isOfVariables(change))
    .map((change) => differenceOf(address, change, sides));
  const variables = differingVariables(address, found.filter(isOfVariables), sides);
  const status = differences.length > 0 ? 'differing' : variables.length > 0 ? 'variables' : 'same';
  return { kind, name, status, differences, variables, applied };
}

/** Computes the changes of a plan that treats one side as applied and the other as desired. Ignores targets. */
function changesBetween(one: Desired, other: Desired): readonly FieldChange[] {
  const desired = inOrganization(other, new Map());
  const record = declaredRecord({ ...one, target: other.target, environment: other.environment });
  const secrecy = secrecyOf([]);
  const state = resourceState({ desired, record }, secrecy);
  return fieldChanges(state, { unverified: 'set', secrecy, offline: true, touched: false }).changes;
}

function differenceOf(address: string, { path, change }: FieldChange, { from, to }: Sides): Difference {
  const isThere = change.op === 'set';
  const source = (isThere ? to : from).resolution.sourceAt(address, path);
  return {
    path: change.path,
    ...('from' in change && { from: change.from }),
    ...(isThere && 'to' in change && { to: change.to }),
    ...(source !== undefined && { source }),
  };
}

function differingVariables(
  address: string,
  changes: readonly FieldChange[],
  { from, to }: Sides,
): DifferingVariable[] {
  const found = new Map<string, DifferingVariable>();
  for (const { path, change } of changes) {
    const values = to.resolution.variablesAt(address, path);
    for (const [name, before] of from.resolution.variablesAt(address, path)) {
      const after = values.get(name) ?? '';
      if (before === after) continue;
      const paths = [...(found.get(name)?.paths ?? []), change.path];
      found.set(name, { name, from: before, to: after, paths });
    }
  }
  return [...found.values()];
}

function appliedAt(side: Side, address: string, member: 'from' | 'to'): { [member: string]: LastApplied } {
  const record = side.records.get(address);
  if (record === undefined) return {};
  const { appliedAt: at, commit, declared, holds = {} } = record;
  const asked = side.resolution.declaredOf(address)?.digest;
  const hold = holds.freeze ?? holds.rollback;
  const isKnown = declared !== undefined && asked !== undefined;
  return {
    [member]: {
      ...withoutUndefined({ at, commit }),
      ...(isKnown && { isCurrent: declared?.digest === asked }),
      ...(hold !== undefined && { held: `on hold by ${hold.by}: ${hold.reason ?? 'rolled back'}` }),
    },
  };
}

function summaryOf(resources: readonly ResourceDiff[]): EnvironmentDiff['summary'] {
  const count = (status: ResourceDiff['status']) => resources.filter((one) => one.status === status).length;
  return {
    same: count('same'),
    variables: count('variables'),
    differing: count('differing'),
    onlyFrom: count('onlyFrom'),
    onlyTo: count('onlyTo'),
  };
}
