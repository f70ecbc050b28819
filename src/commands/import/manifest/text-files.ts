import { posix } from 'node:path';
import { withLineFeeds } from '../../../kinds/text-merge.ts';
import type { FieldSchema } from '../../../schemas/fields.ts';

/** The place of a text in a resource: its field, plus the element and its member in a keyed list. */
export interface TextSetting {
  readonly field: FieldSchema;
  readonly key?: string;
  readonly member?: string;
}

const folder = 'prompts';

/** Names the text files of one resource: `prompts/NAME.md` for the main text, `prompts/NAME/...` for others. */
export class TextFiles {
  /** The texts by path, relative to the project folder. */
  readonly texts = new Map<string, string>();
  /** The name of the field that contains each text, by path. */
  readonly fields = new Map<string, string>();
  readonly #name: string;
  readonly #manifest: string;

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
    const names = namesFor(setting).map((name) => this.#pathOf(setting, name));
    const numbered = Array.from({ length: this.texts.size + 1 }, (_, index) => `${names.at(-1)}-${index + 2}`);
    const free = [...names, ...numbered].find((path) => !this.texts.has(`${path}.md`));
    return `${free}.md`;
  }

  #pathOf({ field }: TextSetting, name: string): string {
    return field.mainText ? `${folder}/${this.#name}` : `${folder}/${this.#name}/${name}`;
  }
}

/** The file names to try, the simplest first. */
function namesFor({ field, key, member }: TextSetting): string[] {
  if (key === undefined) return [slugOf(field.name)];
  const element = `${slugOf(field.name)}/${slugOf(key)}`;
  return member === undefined ? [element] : [element, `${element}-${slugOf(member)}`];
}

/**
 * Converts a name to at most 60 lowercase letters, digits and hyphens, which are safe on case-insensitive file systems.
 */
function slugOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const slug = words.replace(/^-|-$/g, '').slice(0, 60);
  return slug === '' ? 'unnamed' : slug;
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
