import { lazily, Once, type Packed, packer, withMembers, withPacked } from '../../json/packed.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import { keyOfText } from '../../plan/digest.ts';
import type { PlacedChange } from '../../plan/fields/field-changes.ts';
import type { PlannedResource } from '../../plan/resource-plan.ts';
import type { Change, ChangeSource } from '../../schemas/plan-types.ts';

const sides = ['from', 'to', 'lastApplied'] as const;
type Value = Change[(typeof sides)[number]];

/** A value of more characters, as JSON, is packed. */
const mostCharacters = 200;

/** The changes of thousands of resources in little memory: what many of them say is there once, and what is long is packed. */
export class KeptChanges {
  readonly #pack = packer<Value>();
  readonly #values = new Once<Value>();
  readonly #texts = new Once<string>();
  readonly #paths = new Once<readonly FieldPath[]>();
  readonly #sources = new Once<ChangeSource>();
  readonly #warnings = new Once<string[]>();
  /** Those that come from a place that others come from, too. */
  readonly #shared = new Once<Change>();

  /** The same resource, to be kept until the end of the run. */
  kept(resource: PlannedResource): PlannedResource {
    if (resource.changes.length === 0) return resource;
    const places = resource.changes.map(({ path }) => path);
    const paths = this.#paths.of(JSON.stringify(places), () => places);
    const changes = resource.changes.map(({ change }) => this.#change(change));
    const { warnings: said } = resource.planned;
    const warnings = this.#warnings.of(JSON.stringify(said), () => said);
    const planned = Object.assign({}, resource.planned, { warnings, changes });
    return withMembers(resource, withPlaces({ planned }, { paths, changes }));
  }

  #change(change: Change): Change {
    const { source } = change;
    if (source === undefined) return this.#made(change, undefined);
    const place = `${source.line} ${source.file}`;
    const isShared = this.#sources.has(place);
    const make = () =>
      this.#made(
        change,
        this.#sources.of(place, () => source),
      );
    return isShared ? this.#shared.of(keyOfText(JSON.stringify(change)), make) : make();
  }

  #made(change: Change, source: ChangeSource | undefined): Change {
    const path = this.#texts.of(change.path, () => change.path);
    const short: { -readonly [Side in keyof Change]?: Value } = {};
    const long: Record<string, Packed<Value>> = {};
    for (const side of sides) {
      const value = change[side];
      if (value === undefined) continue;
      const json = JSON.stringify(value);
      if (json.length > mostCharacters) long[side] = this.#pack(value);
      else short[side] = this.#short(json);
    }
    const kept = Object.assign({}, change, { path }, short, source && { source });
    return Object.keys(long).length === 0 ? inItself(kept) : withPacked(kept, long);
  }

  /** Made anew: a text may be a part of a long one, which would be kept with it. */
  #short(json: string): Value {
    return this.#values.of(json, () => JSON.parse(json));
  }
}

/** What is written as one object has room for its members in itself; for one that is put together, V8 makes a list beside it. */
function inItself(change: Change): Change {
  const { op, path, from, to, cause, knowledge, source, ...others } = change;
  if (to === undefined || source === undefined || Object.keys(others).length > 0) return change;
  if (from === undefined) return { op, path, to, cause, knowledge, source };
  return { op, path, from, to, cause, knowledge, source };
}

interface Places {
  readonly paths: readonly FieldPath[];
  readonly changes: readonly Change[];
}

const withPlaces = lazily<Places, { readonly changes: readonly PlacedChange[] }>({
  changes: ({ paths, changes }) => changes.map((change, index) => ({ path: paths[index] ?? [], change })),
});
