import { ServiceError } from '../errors.ts';
import type { Redact } from '../secrets/redact.ts';
import { mask } from '../secrets/secret.ts';
import { withoutEnd } from '../text/wildcard.ts';
import type { Call } from './call.ts';
import { type Failure, type FailurePolicy, policyOf } from './failure.ts';

/** The maximum length of the service's words in a message, in characters. */
const longestMessage = 300;
/** The maximum length of the examined part, in characters. */
const longestExamined = 4_000;

/** The process variable of a token, and where a file names it: ` (agents/a.yaml:5)`. */
export interface TokenSource {
  readonly name: string;
  readonly place: string;
}

interface Circumstances {
  readonly tries: number;
  /** Whether any of the attempts may have been carried out. */
  readonly wasUnclear: boolean;
  readonly redact: Redact;
  /** The process variable of the token, and the file that names it; undefined if unknown. */
  readonly tokenSource: TokenSource | undefined;
}

/** The final error of a call: one sentence, without any secret that the redactor knows. */
export function serviceError(call: Call<unknown>, failure: Failure, circumstances: Circumstances): ServiceError {
  const { tries, redact } = circumstances;
  const { outcome, code } = judge(call, failure, circumstances.wasUnclear);
  const status = failure.status === undefined ? {} : { status: failure.status };
  const refusedToken = refusedTokenOf(failure, circumstances);
  return new ServiceError(code, redact(sentenceOf(call, failure, circumstances)), {
    operation: call.operation,
    outcome,
    facts: {
      operation: call.operation,
      tries,
      ...status,
      ...(refusedToken !== undefined && { secret: refusedToken.name }),
    },
    ...status,
    ...(failure.cause !== undefined && { cause: failure.cause }),
  });
}

/**
 * A write is unclear if an earlier attempt may have been carried out, even if its last attempt clearly failed. An
 * unclear create has one code for all causes, because the remedy is the same.
 */
function judge(call: Call<unknown>, failure: Failure, wasUnclear: boolean): Pick<FailurePolicy, 'outcome' | 'code'> {
  const last = policyOf(failure);
  const isLastUnclear = last.outcome === 'unclear';
  if (isLastUnclear) return { outcome: 'unclear', code: call.repeatable ? last.code : 'service-unclear' };
  return wasUnclear && isWrite(call) ? { outcome: 'unclear', code: 'service-unclear' } : last;
}

function sentenceOf(call: Call<unknown>, failure: Failure, circumstances: Circumstances): string {
  const { tries, wasUnclear, redact } = circumstances;
  const afterTries = tries > 1 ? ` after ${tries} tries` : '';
  const said = failure.message === undefined ? '' : ` and said "${quotable(failure.message, redact)}"`;
  const doubt = isWrite(call) && wasUnclear ? `; the service may or may not have done it` : '';
  const token = refusedTokenOf(failure, circumstances);
  const remedy = token === undefined ? '' : `; check the token in ${token.name}${token.place}`;
  return `${onOneLine(call.words)} failed${afterTries}: ${failure.what}${said}${doubt}${remedy}`;
}

/** The source of the token, if the service does not accept it. */
function refusedTokenOf({ status }: Failure, { tokenSource }: Circumstances): TokenSource | undefined {
  return status === 401 || status === 403 ? tokenSource : undefined;
}

function isWrite(call: Call<unknown>): boolean {
  return call.method !== 'GET';
}

/**
 * The service's words on one line. They are redacted before cleaning, when a secret still has its known form, and again
 * after it, because removing a control character may complete one. They are shortened last, so that no part of a secret
 * remains.
 */
export function quotable(message: string, redact: Redact): string {
  const head = redact(onOneLine(redact(message))).slice(0, longestExamined);
  const clean = withoutEnd(withoutQueries(head), '.');
  const characters = [...clean];
  return characters.length <= longestMessage
    ? clean
    : `${characters
        .slice(0, longestMessage - 1)
        .join('')
        .trimEnd()}…`;
}

/** A service may repeat the URL of the request, in any encoding. */
function withoutQueries(text: string): string {
  const withoutQuery = (run: string) => (run.includes('=') ? '?…' : run);
  return text.replace(/\?[^\s"'<>]*/g, withoutQuery).replace(/\btoken=[^\s&"'<>]+/gi, `token=${mask}`);
}

/** The text without control characters, line breaks and marks that change the text direction. */
function onOneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
}
