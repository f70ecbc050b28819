import { withoutEncoded } from './encoded-secrets.ts';
import { mask, Secret } from './secret.ts';
import { TextIndex } from './text-index.ts';

/** Takes every known secret out of a text. */
export type Redact = (text: string) => string;

/**
 * A function that puts the mask in the place of every given secret: as it is, without the white space around it,
 * percent-encoded (as a component, whole, strictly, in either case of the digits), form-encoded and JSON-escaped.
 * One that is long enough to be told from chance is also found where it is encoded, alone or with other text. Empty
 * secrets are left out. Redacting twice gives the same text as redacting once.
 */
export function redactor(secrets: Iterable<Secret | string>): Redact {
  const all = [...secrets];
  const index = new TextIndex(allForms(all));
  if (index.isEmpty) return (text) => text;
  const telling = new TextIndex(allForms(all.filter((secret) => textOf(secret).length >= tellingLength)));
  const redact = (text: string) => index.replaceIn(text, mask);
  if (telling.isEmpty) return redact;
  return (text) => withoutEncoded(redact(text), (decoded) => telling.find(decoded.replaceAll(mask, ' ')) !== undefined);
}

/** Whether a secret is long enough that finding it in a text is no accident. */
export function isTelling(secret: Secret): boolean {
  return secret.reveal().length >= tellingLength;
}

const tellingLength = 6;

function textOf(secret: Secret | string): string {
  return secret instanceof Secret ? secret.reveal() : secret;
}

/** A function that tells whether a text holds any of the secrets, in one of the forms that the redactor knows. */
export function secretFinder(secrets: Iterable<Secret | string>): (text: string) => boolean {
  const index = new TextIndex(allForms(secrets));
  return (text) => index.find(text) !== undefined;
}

function allForms(secrets: Iterable<Secret | string>): string[] {
  return [...secrets].flatMap(formsOf);
}

/** Most tokens are made of what every encoding leaves as it is. */
const plain = /^[\w.-]*$/;

function formsOf(secret: Secret | string): string[] {
  const value = textOf(secret);
  if (plain.test(value)) return [value];
  return [...new Set([value, value.trim()])].flatMap((text) => [
    text,
    jsonEscaped(text),
    // JSON that quotes JSON, such as an error message that repeats a request.
    jsonEscaped(jsonEscaped(text)),
    ...urlForms(text),
  ]);
}

function urlForms(text: string): string[] {
  // encodeURIComponent throws on half a surrogate pair.
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\uFFFD');
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ '': wellFormed }).toString().slice(1);
  const upperCase = [component, strict, encodeURI(wellFormed), form, form.replaceAll('+', '%20')];
  return [...upperCase, ...upperCase.map(lowerCaseDigits)];
}

function lowerCaseDigits(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
