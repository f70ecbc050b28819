// The messages of a plan, drift, ledger or problem, as data. report/notices.ts has the sentences.

import type { AgentformError } from '../errors.ts';
import { mapTexts } from '../json/json.ts';
import type { Notice, NoticeCode, NoticeFacts, NoticeOf, Remedy } from '../schemas/notices-types.ts';

export type { Notice, NoticeCode, NoticeFacts, NoticeOf, Remedy };

export function notice<Code extends NoticeCode>(
  code: Code,
  facts: NoticeFacts[Code],
  remedies: readonly Remedy[] = [],
): NoticeOf<Code> {
  return { code, facts, remedies: [...remedies] };
}

/** The arguments of a command for an environment. */
export function remedyIn(environment: string, ...words: readonly string[]): Remedy {
  return [...words, '-e', environment];
}

/** The notice with every text in it redacted. */
export function redactedNotice<Some extends Notice>(found: Some, redact: (text: string) => string): Some {
  return mapTexts(found, redact);
}

/** The facts of an error in a notice: its sentence, and the secret that it blames. */
export function problemOf({ message, facts: { secret } }: AgentformError): {
  readonly problem: string;
  readonly secret?: string;
} {
  return { problem: message, ...(typeof secret === 'string' && { secret }) };
}

/** A notice in JSON, with its sentence for people. */
export type WrittenNotice = Notice & { readonly message?: string };

/** The notice without its sentence. */
export function bareNotice({ message: _, ...bare }: WrittenNotice): Notice {
  return bare;
}

/** A text that is equal for equal notices. */
export function keyOfNotices(notices: readonly Notice[]): string {
  return JSON.stringify(notices.map(({ code, facts, remedies }) => [code, facts, remedies]));
}
