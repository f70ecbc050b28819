import { addressOf } from '../kinds/desired.ts';
import { isJsonObject, type JsonObject } from '../kinds/json.ts';
import { keyAt } from './record-place.ts';
import type { StagedText } from './staged-records.ts';

/** The trailer that names the commit of the project. */
export const fromTrailer = 'Applied-from';

export interface MessageParts {
  /** What was done, in a few words: `Apply to production`. */
  readonly what: string;
  readonly changes: readonly StagedText[];
  /** The path of the project in its repository; empty for the top. */
  readonly project: string;
  readonly from: string | undefined;
  readonly by: string;
}

/** A commit's message: what was done, to which resources, from which commit, by whom. */
export function commitMessage({ what, changes, project, from, by }: MessageParts): string {
  const keys = changes.flatMap((change) => {
    const key = keyAt(change.place);
    return key === undefined ? [] : [{ ...key, deed: deedOf(change) }];
  });
  const environments = [...new Set(keys.map(({ environment }) => environment))];
  const names = keys.map(({ name }) => name);
  const shown = names.slice(0, 3).join(', ');
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return [
    `${what}: ${shown}${more}`,
    '',
    ...keys.map((key) => `${addressOf(key)}: ${key.deed}`),
    '',
    `Environment: ${environments.join(', ')}`,
    ...(project === '' ? [] : [`Project: ${project}`]),
    ...(from === undefined ? [] : [`${fromTrailer}: ${from}`]),
    `Applied-by: ${by}`,
    '',
  ].join('\n');
}

function deedOf({ base, text }: StagedText): string {
  if (text === undefined) return 'record removed';
  const record = objectIn(text);
  if (record.intent !== undefined) return 'create begun';
  const deed = objectIn(base).intent === undefined ? 'recorded' : 'created';
  return typeof record.id === 'string' ? `${deed} (${record.id})` : deed;
}

/** What is there already may be anything. */
function objectIn(text: string | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
