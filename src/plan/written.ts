import { canonicalJson, isJsonObject } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import type { FieldPath } from '../kinds/field-path.ts';
import type { Change, ChangeSource } from '../schemas/plan-types.ts';
import type { PlannedResource } from './resource-plan.ts';

/** How files of a project declare resources. */
export interface Written {
  /** The place of a field's value, by its address; in an included text, the first line that is new since `before`. */
  readonly writtenAt: (address: string, path: FieldPath, before?: string) => ChangeSource | undefined;
  /** The variables in a field, by name, with what they stand for. */
  readonly variablesAt: (address: string, path: FieldPath) => ReadonlyMap<string, string>;
}

/**
 * The resource with where its changes come from, and what the variables in them stand for. It is for people: no digest
 * covers it, and a plan made again before a write has none.
 */
export function withWritten(resource: PlannedResource, written: Written): PlannedResource {
  const { planned } = resource;
  if (resource.changes.length === 0) return resource;
  const address = addressOf(planned);
  const placed = resource.changes.map(({ path, change }) => {
    const source = written.writtenAt(address, path, typeof change.from === 'string' ? change.from : undefined);
    return { path, change: source === undefined ? change : { ...change, source } };
  });
  const changes = placed.map(({ change }) => change);
  const variables = valuesIn(resource, written);
  return {
    ...resource,
    changes: placed,
    planned: { ...planned, changes, ...(variables !== undefined && { variables }) },
  };
}

function valuesIn({ planned, changes }: PlannedResource, { variablesAt }: Written): Record<string, string> | undefined {
  const address = addressOf(planned);
  const found = new Map(
    changes.flatMap(({ path, change }) => (isMasked(change) ? [] : [...variablesAt(address, path)])),
  );
  if (found.size === 0) return undefined;
  // A literal reference in a text would look like one in place of a value.
  const written = canonicalJson(planned.changes);
  return Object.fromEntries([...found].filter(([name]) => !written.includes(`\${var.${name}}`)));
}

function isMasked({ from, to }: Change): boolean {
  return [from, to].some((value) => isJsonObject(value) && 'sensitive' in value);
}
