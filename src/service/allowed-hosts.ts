import { AgentformError } from '../errors.ts';

/** The hosts that a token may be sent to. */
export interface AllowedHosts {
  /** Host, and port unless it is the default one, as in a URL. */
  readonly hosts: ReadonlySet<string>;
  /** Who names them, for the message: `AGENTFORM_ALLOWED_HOSTS allows`. */
  readonly from: string;
}

/** Throws `host-not-allowed` for a host that is not one of them; where none are named, every host is. */
export function requireAllowedHost(host: string, allowed: AllowedHosts | undefined): void {
  if (allowed === undefined || allowed.hosts.has(host)) return;
  const hosts = [...allowed.hosts];
  throw new AgentformError(
    'host-not-allowed',
    `no token is sent to ${host}: ${allowed.from} ${hosts.length === 0 ? 'no host' : hosts.join(', ')}; nothing was sent`,
    { facts: { host, allowed: hosts } },
  );
}
