import { visible } from '../../text/visible.ts';

/** Safe markup for a page. It consists of strings of the program in templates, and of escaped texts. */
export class Fragment {
  readonly #markup: string;

  constructor(strings: TemplateStringsArray, parts: readonly Part[]) {
    this.#markup = String.raw({ raw: strings }, ...parts.map(markupOf));
  }

  /** The markup for the page. */
  toString(): string {
    return this.#markup;
  }
}

/** The values between the markup of a template: fragments as they are, everything else as text, and nothing for what is left out. */
export type Part = Fragment | string | number | false | undefined | readonly Part[];

/**
 * Makes markup with values; no other function does. A value that is not a fragment is text. It is escaped for elements
 * and quoted attributes, and invisible characters in it are shown as escapes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Fragment {
  return new Fragment(strings, parts);
}

function markupOf(part: Part): string {
  if (part instanceof Fragment) return part.toString();
  if (Array.isArray(part)) return part.map(markupOf).join('');
  return part === undefined || part === false
    ? ''
    : visible(String(part)).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A sentence, with text in backticks as code. */
export function prose(text: string): Fragment {
  const parts = text.split(/(?<!`)`([^`]+)`(?!`)/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
