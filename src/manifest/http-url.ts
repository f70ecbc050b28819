import type { Complaint } from './value-checks.ts';

/** Whether a text is an absolute HTTP(S) URL. */
export function checkHttpUrl(text: string): Complaint | undefined {
  if (parseHttpUrl(text) !== undefined) return undefined;
  return { severity: 'error', rule: 'url', message: 'expected an HTTP(S) URL, such as https://www.example.com/hours' };
}

/** Stricter than URL alone, which forgives white space and missing slashes. */
export function parseHttpUrl(text: string): URL | undefined {
  if (!/^https?:\/\/[^\s/?#]\S*$/i.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
