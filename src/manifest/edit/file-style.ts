import { columnOf, isFlow, itemSpans } from './items.ts';
import type { Quotes, ScalarPlace } from './scalar-text.ts';
import type { Collection } from './yaml-place.ts';

/** A file's text, and what is new in it is written like. */
export interface FileStyle {
  readonly text: string;
  readonly lineEnd: string;
  readonly quotes: Quotes;
}

export function fileStyle(text: string): FileStyle {
  const isSingle = text.split("'").length > text.split('"').length;
  return {
    text,
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
    quotes: isSingle ? 'QUOTE_SINGLE' : 'QUOTE_DOUBLE',
  };
}

/** Where a scalar is to stand: as an item of a collection, or at the root. */
export function scalarPlace(
  style: FileStyle,
  parent?: Collection | undefined,
  index?: number | undefined,
): ScalarPlace {
  const span = parent && index !== undefined ? itemSpans(parent, style.text)[index] : undefined;
  return {
    indent: span === undefined ? 0 : columnOf(style.text, span.start),
    inFlow: parent !== undefined && isFlow(parent),
    lineEnd: style.lineEnd,
    quotes: style.quotes,
  };
}
