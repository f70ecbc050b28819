import { visible } from '../../text/visible.ts';
import { codeParts, withOrderedSides } from '../blocks.ts';

/** Safe HTML. A fragment consists only of literal templates and escaped values. */
export class Fragment {
  readonly #markup: string;

  constructor(strings: TemplateStringsArray, parts: readonly TemplateValue[]) {
    this.#markup = String.raw({ raw: strings }, ...parts.map(markupOf));
  }

  toString(): string {
    return this.#markup;
  }
}

/** A value in a template. Only fragments are inserted unchanged. `false` and `undefined` become an empty text. */
type TemplateValue = Fragment | string | number | false | undefined | readonly TemplateValue[];

/**
 * Builds HTML from a template. Only this function creates fragments. The function escapes all values except fragments,
 * for use in elements and quoted attributes. Invisible characters become readable escapes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly TemplateValue[]): Fragment {
  return new Fragment(strings, parts);
}

function markupOf(part: TemplateValue): string {
  if (part instanceof Fragment) return part.toString();
  if (Array.isArray(part)) return part.map(markupOf).join('');
  return part === undefined || part === false
    ? ''
    : withOrderedSides(visible(String(part)).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function prose(text: string): Fragment {
  return html`${codeParts(text).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
