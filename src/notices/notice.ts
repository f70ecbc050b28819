// The messages of a plan, drift, ledger or problem, as data. The sentences are in report/notices.ts.

import { type AgentformError, ServiceError } from '../errors.ts';
import { mapTexts } from '../json/json.ts';
import type { Cause, Notice, NoticeCode, NoticeFacts, NoticeOf, Remedy } from '../schemas/notices-types.ts';

export type { Notice, NoticeCode, NoticeFacts, NoticeOf, Remedy };

export function notice<Code extends NoticeCode>(
  code: Code,
  facts: NoticeFacts[Code],
  remedies: readonly Remedy[] = [],
): NoticeOf<Code> {
  return { code, facts, remedies: [...remedies] };
}

/** Adds the option for an environment to the arguments of a command. */
export function remedyIn(environment: string, ...words: readonly string[]): Remedy {
  return [...words, '-e', environment];
}

export function redactedNotice<Some extends Notice>(found: Some, redact: (text: string) => string): Some {
  return mapTexts(found, redact);
}

/**
 * Converts an error to a fact for a notice. The fact contains the error's code, the name of its secret and the failed
 * call. If there is no failed call, the fact contains the error's message.
 */
export function problemOf(error: AgentformError): { readonly problem: Cause } {
  const { code, message, facts } = error;
  const { secret } = facts;
  const what = error instanceof ServiceError ? { call: error.call } : { text: message };
  return { problem: { code, ...what, ...(typeof secret === 'string' && { secret }) } };
}

/** A notice as it appears in JSON output, with a readable sentence. */
export type NoticeJson = Notice & { readonly message?: string };

/** Returns the notice without its sentence. */
export function bareNotice({ message: _, ...bare }: NoticeJson): Notice {
  return bare;
}

/** Returns a key that is the same for equal notices. */
export function keyOfNotices(notices: readonly Notice[]): string {
  return JSON.stringify(notices.map(({ code, facts, remedies }) => [code, facts, remedies]));
}

/** Removes notices that are equal to an earlier one. */
export function distinctNotices<Kind extends Notice>(notices: readonly Kind[]): Kind[] {
  return [...new Map(notices.map((one) => [keyOfNotices([one]), one])).values()];
}
