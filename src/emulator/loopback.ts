import { isIP } from 'node:net';

const loopbackAddress = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/;

/** Whether the peer's IP address is one of this machine's own. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && loopbackAddress.test(address);
}

/** Whether a Host header, with or without a port, names this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = host === undefined ? undefined : hostNameOf(host);
  return name === 'localhost' || isLoopbackAddress(name);
}

/** Whether a Host header, or the host of an Origin, is a name of this emulator. */
export type IsOwnHost = (host: string | undefined) => boolean;

/**
 * The names of an emulator that listens on `bound`: those of loopback, what it is bound to, and `allowed`. The port is
 * left out, because a tunnel or a container's port may have another. An emulator that listens on all addresses answers
 * every address as well: a web page cannot make its own name one.
 */
export function ownHosts(bound: string, allowed: readonly string[]): IsOwnHost {
  const names = new Set([isIP(bound) === 6 ? `[${bound}]` : bound, ...allowed].map(hostNameOf));
  const isEverywhere = bound === '0.0.0.0' || bound === '::';
  return (host) => {
    const name = host === undefined ? undefined : hostNameOf(host);
    if (host === undefined || name === undefined) return false;
    return isLoopbackHost(host) || names.has(name) || (isEverywhere && isIP(name) !== 0);
  };
}

/** Whether a text is a host name or an address, without a scheme, a port or a path. */
export function isHostName(text: string): boolean {
  return /^[\w.-]+$/.test(text) && hostNameOf(text) !== undefined;
}

function hostNameOf(host: string): string | undefined {
  const url = `http://${host}`;
  // What a browser never sends, and what would put the name elsewhere in the URL.
  if (/[/?#@\\\s]/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
