import { isJsonObject, type Json } from '../../json/json.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import { depthOf, type FieldPath, fieldAt, parsePath } from '../../kinds/field-path.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import type { Problem, Span } from '../../yaml/problem.ts';
import type { Session } from '../session.ts';

export interface PlanResult {
  readonly plan: Plan;
  readonly warnings: readonly Problem[];
  /** The text of a file of the project, for code frames. */
  readonly sourceOf: (file: string) => string | undefined;
  /** The sources of a plan in the manifests. */
  readonly placeOf: PlaceOf;
}

/** A plan with lint problems of the manifests. */
export function resultOf({ warnings, project, resolution }: Session, made: Plan): PlanResult {
  return { plan: made, warnings, sourceOf: project.sourceOf, placeOf: placesOf(resolution) };
}

/** The place of a plan's path in a manifest, or the nearest place around it; without a path, its name. */
export type PlaceOf = (address: string, path?: string) => Span | undefined;

/** The places of the manifests of one environment. A resource without a manifest has none. */
export function placesOf({ all, selected, desiredOf, originOf }: Resolution): PlaceOf {
  const names = new Map(all.map((identity) => [addressOf(identity), identity.at]));
  const known = new Set(selected.map(addressOf));
  return (address, path) => {
    const resource = known.has(address) ? desiredOf(address) : undefined;
    const pointers = path === undefined || resource === undefined ? [] : pointersTo(resource, parsePath(path));
    for (const pointer of pointers) {
      const at = originOf(address, pointer)?.at;
      if (at !== undefined) return at;
    }
    return names.get(address);
  };
}

/** JSON pointers to the path and, as far as its field goes, to what is around it, the innermost first. */
function pointersTo({ kind, sections }: Desired<Target>, path: FieldPath): string[] {
  const field = fieldAt(kind, path);
  const members: string[] = [];
  let value: Json | undefined = sections;
  for (const [index, member] of path.entries()) {
    const isKey = field?.shape === 'map' && index === depthOf(field);
    const step: string | undefined = isKey ? elementOf(value, field.mapKey, member) : member;
    if (step === undefined) break;
    members.push(step.replaceAll('~', '~0').replaceAll('/', '~1'));
    value = memberOf(value, step);
  }
  const least = field === undefined ? path.length : depthOf(field);
  return members
    .map((_, index) => members.slice(0, index + 1))
    .filter(({ length }) => length >= least)
    .reverse()
    .map((steps) => `/${steps.join('/')}`);
}

function elementOf(list: Json | undefined, mapKey: string | undefined, key: string): string | undefined {
  const index = Array.isArray(list)
    ? list.findIndex((element) => isJsonObject(element) && String(element[mapKey ?? '']) === key)
    : -1;
  return index < 0 ? undefined : String(index);
}

function memberOf(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isJsonObject(value) ? value[step] : undefined;
}
