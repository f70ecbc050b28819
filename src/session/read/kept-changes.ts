import { lazily, Once, type Packed, packer, withMembers, withPacked } from '../../json/packed.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import { keyOfText } from '../../plan/digest.ts';
import type { PlacedChange } from '../../plan/fields/field-changes.ts';
import type { PlannedResource } from '../../plan/resource-plan.ts';
import type { Change, Warnings } from '../../schemas/plan-types.ts';

const sides = ['from', 'to', 'lastApplied'] as const;
type Side = (typeof sides)[number];
type Value = Change[Side];

/** A value of more characters, as JSON, is packed. */
const mostCharacters = 200;

/**
 * The changes of thousands of resources in little memory. They are alike but for their values and where those are written: only that is
 * kept for each resource, and the changes are made of them for whoever asks. What is long is packed.
 */
export class KeptChanges {
  readonly #pack = packer<Value>();
  readonly #values = new Once<Value>();
  readonly #texts = new Once<string>();
  readonly #forms = new Once<ChangeForm>();
  readonly #lists = new Once<readonly ChangeForm[]>();
  readonly #lines = new Once<readonly number[]>();
  readonly #warnings = new Once<Warnings>();
  /** The places that long changes come from. */
  readonly #places = new Set<string>();
  /** Long changes that come from a place that others come from, too. */
  readonly #shared = new Once<Change>();

  /** The same resource, to be kept until the end of the run. */
  kept<Resource extends Pick<PlannedResource, 'planned' | 'changes'>>(resource: Resource): Resource {
    if (resource.changes.length === 0) return resource;
    const parts: Parts = { values: [], files: [], lines: [], long: [] };
    const forms = resource.changes.map((placed) => this.#formOf(placed, parts));
    const filled: FilledForms = {
      forms: this.#lists.of(keyOfText(JSON.stringify(forms)), () => forms),
      // What was pushed to has room for more.
      values: parts.values.slice(),
      files: parts.files.slice(),
      lines: this.#lines.of(parts.lines.join(), () => parts.lines),
      long: parts.long.slice(),
    };
    const { warnings: said } = resource.planned;
    const warnings = this.#warnings.of(JSON.stringify(said), () => said);
    const planned = withMembers(resource.planned, withChanges({ warnings }, filled));
    return withMembers(resource, withPlacedChanges({ planned }, filled)) as never;
  }

  /** What is left of a change without those of its parts that are kept for its resource, which are added to them. */
  #formOf({ path, change }: PlacedChange, { values, files, lines, long }: Parts): ChangeForm {
    const present = sides.filter((side) => change[side] !== undefined);
    const texts = present.map((side) => JSON.stringify(change[side]));
    if (texts.some(({ length }) => length > mostCharacters)) {
      long.push(this.#long(change));
      return this.#form({ path });
    }
    values.push(...texts.map((text) => this.#valueOf(text)));
    const { source } = change;
    const empty = Object.assign({}, change, Object.fromEntries(present.map((side) => [side, null])));
    if (source === undefined) return this.#form({ path, change: empty, sides: present });
    if (!files.includes(source.file)) files.push(this.#text(source.file));
    const file = files.indexOf(source.file);
    lines.push(source.line);
    return this.#form({
      path,
      change: Object.assign(empty, { source: { ...source, file: '', line: 0 } }),
      sides: present,
      file,
    });
  }

  #form(form: ChangeForm): ChangeForm {
    return this.#forms.of(JSON.stringify(form), () => form);
  }

  #long(change: Change): Change {
    const { source } = change;
    if (source === undefined) return this.#packed(change);
    const place = `${source.line} ${source.file}`;
    const isShared = this.#places.has(place);
    this.#places.add(place);
    const make = () => this.#packed(change);
    return isShared ? this.#shared.of(keyOfText(JSON.stringify(change)), make) : make();
  }

  #packed(change: Change): Change {
    const short: { -readonly [Name in Side]?: Value } = {};
    const long: Record<string, Packed<Value>> = {};
    for (const side of sides) {
      const value = change[side];
      if (value === undefined) continue;
      const json = JSON.stringify(value);
      if (json.length > mostCharacters) long[side] = this.#pack(value);
      else short[side] = this.#valueOf(json);
    }
    return withPacked(Object.assign({}, change, short, { path: this.#text(change.path) }), long);
  }

  #text(text: string): string {
    return this.#texts.of(text, () => text);
  }

  /** Parsed again: a text may be a part of a long one, which would be kept with it. */
  #valueOf(json: string): Value {
    return this.#values.of(json, () => JSON.parse(json));
  }
}

/** What is kept for each resource: the short values of its changes, the files and lines that they come from, and what is long. */
interface Parts {
  readonly values: Value[];
  readonly files: string[];
  readonly lines: number[];
  readonly long: Change[];
}

/** A change without its parts; of a long one nothing is left. */
interface ChangeForm {
  readonly path: FieldPath;
  readonly change?: Change;
  readonly sides?: readonly Side[];
  /** Which one of the files it comes from. */
  readonly file?: number;
}

type FilledForms = { readonly [Name in keyof Parts]: Readonly<Parts[Name]> } & {
  readonly forms: readonly ChangeForm[];
};

const withChanges = lazily<FilledForms, { readonly changes: Change[] }>({
  changes: (filled) => placedChanges(filled).map(({ change }) => change),
});

const withPlacedChanges = lazily<FilledForms, { readonly changes: readonly PlacedChange[] }>({
  changes: placedChanges,
});

function placedChanges({ forms, values, files, lines, long }: FilledForms): PlacedChange[] {
  let nextValue = 0;
  let nextLine = 0;
  let nextLong = 0;
  return forms.map(({ path, change, sides: present = [], file }) => {
    const made = change === undefined ? long[nextLong++] : { ...change };
    if (made === undefined) throw new RangeError(`there is no long change ${nextLong}`);
    for (const side of present) made[side] = values[nextValue++];
    if (made.source !== undefined && file !== undefined)
      made.source = { ...made.source, file: files[file] ?? '', line: lines[nextLine++] ?? 0 };
    return { path, change: made };
  });
}
