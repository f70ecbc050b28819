import { posix } from 'node:path';
import { isName } from '../../../json/check.ts';
import { withLineFeeds } from '../../../kinds/text-merge.ts';
import type { FieldSchema } from '../../../schemas/fields.ts';

/** The place of a text in a resource: its field, plus the element and its member in a keyed list. */
export interface TextSetting {
  readonly field: FieldSchema;
  readonly key?: string;
  readonly member?: string;
}

const folder = 'prompts';

/** Names the text files of one resource: `prompts/NAME.md` for the main text, `prompts/NAME/...` for other texts. */
export class TextFiles {
  /** The texts by path, relative to the project folder. */
  readonly texts = new Map<string, string>();
  /** The name of the field that contains each text, by path. */
  readonly fields = new Map<string, string>();
  readonly #name: string;
  readonly #manifest: string;
  /**
   * The last number that was added to each path. Without this map, many texts with the same name would each search from
   * the first number.
   */
  readonly #numbers = new Map<string, number>();

  constructor(resource: { readonly name: string; readonly path: string }) {
    this.#name = resource.name;
    this.#manifest = resource.path;
  }

  /** Adds a text. Returns its path relative to the manifest. */
  add(setting: TextSetting, text: string): string {
    const path = this.#freePath(setting);
    this.texts.set(path, text);
    this.fields.set(path, setting.field.name);
    return posix.relative(posix.dirname(this.#manifest), path);
  }

  #freePath(setting: TextSetting): string {
    const stems = namesFor(setting).map((name) => this.#pathOf(setting, name));
    const free = stems.find((stem) => !this.texts.has(`${stem}.md`)) ?? this.#numbered(stems.at(-1) ?? '');
    return `${free}.md`;
  }

  #numbered(stem: string): string {
    let number = this.#numbers.get(stem) ?? 1;
    do number += 1;
    while (this.texts.has(`${stem}-${number}.md`));
    this.#numbers.set(stem, number);
    return `${stem}-${number}`;
  }

  #pathOf({ field }: TextSetting, name: string): string {
    return field.mainText ? `${folder}/${this.#name}` : `${folder}/${this.#name}/${name}`;
  }
}

/** Returns the file names to try, the simplest first. */
function namesFor({ field, key, member }: TextSetting): string[] {
  if (key === undefined) return [slugOf(field.name)];
  const element = `${slugOf(field.name)}/${slugOf(key)}`;
  return member === undefined ? [element] : [element, `${element}-${slugOf(member)}`];
}

/**
 * Converts a name to a file name that is valid on any file system: at most 60 lowercase letters, digits and hyphens.
 */
function slugOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const slug = words.replace(/^-/, '').slice(0, 60).replace(/-$/, '');
  if (slug === '') return 'unnamed';
  return isName(slug) ? slug : `${slug}-text`;
}

/** The maximum length of a one-line text in the manifest, in characters. A longer text gets a file. */
const maxInlineLength = 160;

/** Normalises a text by the comparison rules `line-ends` and `trailing-space`. */
export function tidyText(text: string): string {
  return withLineFeeds(text).trimEnd();
}

/** Whether a text is long or has several lines, and therefore gets a file. Trailing white space is ignored. */
export function needsTextFile(text: string): boolean {
  const { length } = tidyText(text);
  return length > maxInlineLength || text.lastIndexOf('\n', length - 1) >= 0;
}
