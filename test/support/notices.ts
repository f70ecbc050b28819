import { type Notice, notice } from '../../src/notices/notice.ts';
import { joinedSentences, sentenceOf, sentencesOf } from '../../src/report/notices.ts';

/** Makes a notice whose sentence is the text. */
export function saying(text: string): Notice {
  return notice('call-failed', { problem: { code: 'usage', text } });
}

/** Makes a policy refusal whose sentence is the text. */
export function refusing(text: string): Notice {
  return notice('policy', { effect: 'warn', violations: [{ message: text }] });
}

interface Saying {
  readonly reasons?: readonly Notice[] | undefined;
  readonly warnings?: readonly Notice[] | undefined;
}

export type Told<Some> = Omit<Some, 'reasons' | 'warnings'> & {
  readonly reasons: string[];
  readonly warnings: string[];
};

/** Replaces notices with sentences, in a planned resource, a ledger entry or another object with notices. */
export function told<Some extends Saying>(one: Some): Told<Some> {
  const { reasons = [], warnings = [], ...rest } = one;
  return { ...rest, reasons: sentencesOf(reasons), warnings: sentencesOf(warnings) };
}

/** Converts refusals to their printed form: `limit-creates: ...`. */
export function toldRefusals(refusals: readonly Notice[]): { readonly rule: string; readonly message: string }[] {
  return refusals.map((refusal) => ({ rule: refusal.code, message: sentenceOf(refusal) }));
}

/**
 * Returns the reason for the result of a ledger entry in one sentence. Returns an empty string if there is no reason.
 */
export function messageOf({ reasons = [] }: Saying): string {
  return joinedSentences(reasons);
}

/**
 * Replaces all notices in a value with sentences. The reasons of a ledger entry become one `message`, as in the output.
 */
export function spoken(value: unknown): unknown {
  if (Array.isArray(value)) return isNotices(value) ? sentencesOf(value) : value.map(spoken);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (name === 'refusals' && isNotices(member)) return [name, toldRefusals(member)];
    if (name === 'reasons' && 'outcome' in value && isNotices(member)) return ['message', joinedSentences(member)];
    return [name, spoken(member)];
  });
  return Object.fromEntries(members);
}

function isNotices(value: unknown): value is Notice[] {
  const isNotice = (one: unknown) => typeof one === 'object' && one !== null && 'code' in one && 'remedies' in one;
  return Array.isArray(value) && value.length > 0 && value.every(isNotice);
}

/** Drops the sentences of notices from JSON. */
export function withoutSentences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSentences);
  if (typeof value !== 'object' || value === null) return value;
  const isNotice = 'code' in value && 'facts' in value;
  const members = Object.entries(value).filter(([name]) => !isNotice || name !== 'message');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSentences(member)]));
}

/** The notice about an agent that could not be read. */
export function unread(id: string, tries: number, said?: string): Notice {
  const call = { operation: 'getAgent', doing: 'reading the agent', tries, ...(said && { said: `${said} ${id}` }) };
  const failed = said === undefined ? ({ reason: 'unconnected', what: 'no route' } as const) : notFound;
  return notice('read-failed', { problem: { code: 'service-unreachable', call: { ...call, ...failed } } });
}

const notFound = { reason: 'refused', what: 'the service returned 404', status: 404 } as const;
