import { AgentformError } from '../errors.ts';
import { type AllowedHosts, requireAllowedHost } from '../service/allowed-hosts.ts';
import type { Host } from './host.ts';

export type { AllowedHosts } from '../service/allowed-hosts.ts';

/** The hosts that AGENTFORM_ALLOWED_HOSTS names; undefined where it names none, which allows every host. */
export function allowedHostsIn(env: Host['env']): AllowedHosts | undefined {
  return allowedHostsOf(env.AGENTFORM_ALLOWED_HOSTS ?? '', 'AGENTFORM_ALLOWED_HOSTS');
}

/** Hosts, each with its port unless that is the default one, apart by commas or white space; undefined without any. */
export function allowedHostsOf(text: string, source: string): AllowedHosts | undefined {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  if (entries.length === 0) return undefined;
  return { hosts: new Set(entries.map((entry) => hostOf(entry, source))), from: `${source} allows` };
}

/** Before anything is sent: the embedded emulator runs in this process, and is nobody else's host. */
export function requireAllowedTarget(host: Host, target: { readonly host: string }): void {
  if (target.host !== 'emulator') requireAllowedHost(target.host, host.allowedHosts);
}

function hostOf(entry: string, source: string): string {
  const url = URL.canParse(`https://${entry}`) ? new URL(`https://${entry}`) : undefined;
  if (url !== undefined && !/[/?#@*\\]/.test(entry)) return url.host;
  throw new AgentformError(
    'usage',
    `${source} takes hosts such as service.example.com or localhost:8080, not ${JSON.stringify(entry)}`,
  );
}
