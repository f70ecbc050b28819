import { packer, withPacked } from '../../json/packed.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import type { PlacedChange } from '../../plan/fields/field-changes.ts';
import type { PlannedResource } from '../../plan/resource-plan.ts';
import type { Change, ChangeSource } from '../../schemas/plan-types.ts';

/** A longer value is packed. */
const mostCharacters = 200;

const sides = ['from', 'to', 'lastApplied'] as const;
type Side = (typeof sides)[number];

/** The changes of thousands of resources in little memory: what many of them say is there once, and what is long is packed. */
export class KeptChanges {
  readonly #pack = packer<Change[Side]>();
  readonly #texts = new Map<string, string>();
  readonly #paths = new Map<string, FieldPath>();
  readonly #sources = new Map<string, ChangeSource>();

  /** The same resource, to be kept until the end of the run. */
  kept<Planned extends Pick<PlannedResource, 'planned' | 'changes'>>(resource: Planned): Planned {
    if (resource.changes.length === 0) return resource;
    const changes = resource.changes.map(({ path, change }): PlacedChange => {
      return { path: once(this.#paths, path.join('\0'), path), change: this.#change(change) };
    });
    const planned = Object.assign({}, resource.planned, { changes: changes.map(({ change }) => change) });
    return { ...resource, changes, planned };
  }

  #change(change: Change): Change {
    const path = once(this.#texts, change.path, change.path);
    const { source: place } = change;
    const source = place && once(this.#sources, `${place.file}\0${place.line}`, place);
    const long = sides.filter((side) => isLong(change[side]));
    if (long.length === 0) return inItself({ ...change, path }, source);
    const packed = Object.fromEntries(long.map((side) => [side, this.#pack(change[side])]));
    return withPacked(Object.assign({}, change, { path }, source && { source }), packed);
  }
}

/** As an object is that holds all of its members itself, which those that are put together do not. */
function inItself(change: Change, source: ChangeSource | undefined): Change {
  const { op, path, from, to, cause, knowledge, lastApplied, mergeable } = change;
  if (source === undefined || lastApplied !== undefined || mergeable || to === undefined) return change;
  if (from === undefined) return { op, path, to, cause, knowledge, source };
  return { op, path, from, to, cause, knowledge, source };
}

function once<Value>(known: Map<string, Value>, key: string, value: Value): Value {
  const first = known.get(key) ?? value;
  known.set(key, first);
  return first;
}

function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > mostCharacters;
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > mostCharacters;
}
