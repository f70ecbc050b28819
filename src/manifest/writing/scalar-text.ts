import { Document, parseDocument, Scalar } from 'yaml';

/** How manifests are written: nothing is folded, and what YAML 1.1 would read as another type is quoted. */
const documentOptions = { version: '1.2', compat: 'yaml-1.1' } as const;
export const layoutOptions = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const;

/** A document to be written, with nothing in it. */
export function newDocument(): Document {
  return new Document({}, documentOptions);
}

/**
 * The text as a scalar of one line, in the plainest form that reads back as the same text: plain, or else in quotes.
 * The text is as a manifest holds it, with references and escapes.
 */
export function textScalar(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  scalar.type = formsFor(text).find((form) => readsBack(text, form)) ?? 'QUOTE_DOUBLE';
  return scalar;
}

type Form = 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE';

function formsFor(text: string): Form[] {
  // Only double quotes have a way to spell out controls and line ends.
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufeff]/u.test(text)) return ['QUOTE_DOUBLE'];
  return /["\\]/.test(text) ? ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'] : ['PLAIN', 'QUOTE_DOUBLE'];
}

/** Tried as a value, as an item and as a key, because each has rules of its own. */
function readsBack(text: string, type: Form): boolean {
  const scalar = new Scalar(text);
  scalar.type = type;
  const document = newDocument();
  document.set('value', scalar);
  document.set('list', document.createNode([scalar, { [`${text}`]: null }]));
  const read = parseDocument(document.toString(layoutOptions), { ...documentOptions, uniqueKeys: false, merge: false });
  return read.errors.length === 0 && read.get('value') === text && read.getIn(['list', 0]) === text;
}
