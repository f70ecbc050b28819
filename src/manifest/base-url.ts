import { withoutEnd } from '../kinds/text-end.ts';
import { parseHttpUrl } from './http-url.ts';
import { didYouMean } from './suggest.ts';
import { quote } from './wording.ts';

/** The base URL of the embedded emulator, and its host in targets and records. */
export const emulator = 'emulator';

export type BaseUrl =
  | { readonly baseUrl: string; readonly host: string }
  | { /** A sentence that does not repeat credentials. */ readonly problem: string };

/** Whether a text that should be a base URL has a part that may be a credential: user information, query or fragment. */
export function mayHoldCredential(text: string): boolean {
  return /[@?#]/.test(text);
}

function withoutCredentials(text: string): string {
  if (!mayHoldCredential(text)) return text;
  const beforeUser = text.includes('@') ? (/^[a-z]*:\/\//i.exec(text)?.[0] ?? '') : text;
  return `${beforeUser.split(/[?#]/, 1)[0] ?? ''}…`;
}

/** `emulator`, or an HTTP(S) URL without what agentform adds itself; a trailing slash is dropped. */
export function parseBaseUrl(text: string): BaseUrl {
  if (text === emulator) return { baseUrl: emulator, host: emulator };
  const url = parseHttpUrl(text);
  if (url === undefined) {
    return {
      problem: `baseUrl is ${quote(withoutCredentials(text))}: expected 'emulator' or an HTTP(S) URL${didYouMean(text, [emulator])}`,
    };
  }
  if (url.username !== '' || url.password !== '') return { problem: 'baseUrl holds credentials: leave them out' };
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    return { problem: 'baseUrl has a query or fragment: leave it out, and put query parameters under query' };
  }
  const path = withoutEnd(url.pathname, '/');
  const withoutApi = /^(.*?)\/api(\/v2)?$/.exec(path);
  if (withoutApi !== null) {
    return {
      problem: `baseUrl is ${quote(text)}: leave out ${path.slice(withoutApi[1]?.length)}, write ${url.origin}${withoutApi[1]}`,
    };
  }
  return { baseUrl: url.origin + path, host: url.host };
}
