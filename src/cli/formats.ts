import type { Pieces } from '../text/lines.ts';
import type { Channel, Console } from './console.ts';

/** The channel of each output format. A command supports the formats for which it has a renderer. */
const formats = {
  text: 'answer',
  json: 'data',
  yaml: 'answer',
  markdown: 'answer',
  html: 'answer',
  github: 'answer',
  gitlab: 'data',
  sarif: 'data',
  csv: 'data',
  jsonl: 'data',
  junit: 'data',
} as const satisfies Readonly<Record<string, Channel>>;

export type Format = keyof typeof formats;

export type Renderers<Answer, Name extends Format = Format> = {
  readonly [Each in Name]: (answer: Answer, console: Console) => Promise<Pieces>;
};

/** Makes a renderer that prints a part of the answer as a JSON document. */
export function inJson<Answer>(partOf: (answer: Answer) => object): (answer: Answer) => Promise<Pieces> {
  return async (answer) => (await import('../report/json.ts')).jsonDocument(partOf(answer));
}

export function isFormatOf<Formats extends object>(
  renderers: Formats,
  format: string,
): format is Extract<keyof Formats, string> {
  return Object.hasOwn(renderers, format);
}

export function formatOption<Name extends Format>(
  renderers: Readonly<Record<Name | 'text', unknown>>,
  describe = 'Output format',
) {
  const choices = Object.keys(renderers) as (Name | 'text')[];
  return { choices, default: 'text' as Name | 'text', requiresArg: true, describe };
}

/** Prints a result in the requested format. */
export async function answerIn<Answer, Name extends Format>(
  format: Name,
  { renderers, answer }: { readonly renderers: Renderers<Answer, Name>; readonly answer: Answer },
  console: Console,
): Promise<void> {
  await console.inPieces(formats[format], await renderers[format](answer, console));
}
