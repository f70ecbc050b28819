import { isJsonObject } from '../json/json.ts';

/** The words of a message that says no more than that it was done: `Agent updated successfully`. */
const confirming = new Set(
  (
    'a added all account accepted agent an and applied assigned been call campaign changed changes complete completed ' +
    'configuration context created custom data done draft for has have invitation invite invited is it member new now ' +
    'number ok okay organization phone processed publish published received request saved sent set setting settings ' +
    'slug stored success successful successfully the to update updated url user was were with your'
  ).split(' '),
);

/**
 * What an answer of success says beyond that: "the voice is not in your plan". The service says something in every
 * answer, so that a message of nothing but confirming words is left out. The client has made it fit to be shown.
 */
export function noticesIn(answer: unknown): string[] {
  const message = isJsonObject(answer) ? answer.message : undefined;
  if (typeof message !== 'string' || isConfirmation(message)) return [];
  return [`the service said "${message}"`];
}

function isConfirmation(message: string): boolean {
  return message
    .toLowerCase()
    .split(/[\s.,:;!'"()-]+/)
    .every((word) => word === '' || confirming.has(word) || isId(word));
}

/** An id, and not a number, which may count what was not done. */
function isId(word: string): boolean {
  return /^[a-z]+_\w+$/.test(word);
}
