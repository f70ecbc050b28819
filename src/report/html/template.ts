import { visible } from '../../text/visible.ts';

/** Markup that is safe to put into a page: it is made of strings of the program, which a template alone has, and escaped texts. */
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
 * Markup with parts in it. A value that is not a fragment is text: it is escaped for elements and for attributes in
 * quotation marks, and what is invisible in it is spelt out. The only way to make markup.
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
