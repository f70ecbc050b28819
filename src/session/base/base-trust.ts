import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { runGit, withoutCredentials } from '../../git/command.ts';
import { repositoryTopOf } from '../../git/repository.ts';
import { cached } from '../../json/json.ts';
import { emulator } from '../../kinds/desired.ts';
import { loadProject, ProjectError } from '../../manifest/project/load-project.ts';
import type { Project } from '../../manifest/project/project.ts';
import { secretUses } from '../../manifest/resolve/validate-project.ts';
import { storeDefinitions } from '../../record/store-table.ts';
import { entryOf } from '../../secrets/secret.ts';
import { joinWithAnd } from '../../text/wording.ts';
import type { Host } from '../host.ts';
import { type Selection, selector } from '../selection.ts';
import { type OpenCommit, openCommit, withProjectAt } from './committed-project.ts';

/** The secrets, hosts, records and requirements in a trusted commit. */
export interface BaseTrust {
  /** The host of each environment. Leaves out environments on the emulator or with an unknown host. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Maps the name of each secret to the hosts that receive it. */
  readonly uses: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether `uses` is complete, because the manifests have no errors in any environment. */
  readonly isWhole: boolean;
  readonly record: Project['record'];
  readonly requires: Project['requires'];
}

/** Why an unmerged change may not use the service. */
export interface NoTrust {
  /** The reason, as the end of a sentence. */
  readonly because: string;
  /** How to get a plan with the service, as a sentence. */
  readonly remedy?: string;
}

/**
 * Collects the secrets and hosts at a commit. If the commit has no agentform.yaml, or one with errors, no host is
 * trusted. The hosts of an earlier commit do not count, because a merge by rebase can bring a commit with hosts that no
 * reviewer saw.
 */
export async function trustAtCommit(
  { env }: Pick<Host, 'env'>,
  { file, commit }: { readonly file: string; readonly commit: OpenCommit },
): Promise<BaseTrust | NoTrust> {
  const { root } = commit.repository;
  return withProjectAt({ root, file }, commit, async (baseProject) => {
    const project = await baseProject.load().catch(ifInvalid);
    if (project === undefined) {
      return {
        because: `the base commit has no ${file} that says which secret goes to which host`,
        remedy: mergeFirst,
      };
    }
    if (project instanceof ProjectError) {
      const because = `${file} in the base commit has errors, so the hosts that may receive secrets are unknown`;
      return { because, remedy: 'After a repair is merged, plans use the service again.' };
    }
    const hosts = new Map<string, string>();
    const uses = new Map<string, Set<string>>();
    let isWhole = true;
    for (const environment of project.environments) {
      const used = await secretUses(project, { environment, env });
      isWhole &&= used.isWhole;
      // The emulator does not count as a host. A secret that only the emulator receives is new for any host.
      if (used.host === emulator) continue;
      if (used.host !== undefined) hosts.set(environment, used.host);
      for (const name of used.secrets) {
        const known = cached(uses, name, () => new Set());
        if (used.host !== undefined) known.add(used.host);
      }
    }
    const opening = storeDefinitions[project.record.store].secretName(project.record);
    if (opening !== undefined) cached(uses, opening, () => new Set()).add(recordStore);
    return { hosts, uses, isWhole, record: project.record, requires: project.requires };
  });
}

export const mergeFirst = 'First merge the environment with its host, then the changes that use it.';

function ifInvalid(error: unknown): ProjectError {
  if (error instanceof ProjectError) return error;
  throw error;
}

/**
 * Represents the record store among the hosts. Because this text contains spaces, it cannot be the host of a service.
 */
const recordStore = 'the record store';

/**
 * Opens the commit that decides on trust. Throws `run-refused` if the project folder is in a submodule. Otherwise, a
 * change could replace the folder with a submodule, whose commits and paths differ from those of the base.
 */
export async function openTrustedCommit(root: string, commit: string): Promise<OpenCommit> {
  const top = repositoryTopOf(realpathSync(root));
  // A submodule is inside another repository.
  if (top !== undefined && repositoryTopOf(dirname(top)) !== undefined) {
    const { stdout } = await runGit(['rev-parse', '--show-superproject-working-tree'], { cwd: root });
    if (stdout.length > 0) {
      throw new AgentformError(
        'run-refused',
        'the project is in a submodule, which the base commit does not contain; plan it in the repository of the submodule',
      );
    }
  }
  return openCommit(root, commit);
}

/** The secrets and hosts that an untrusted checkout wants to use. */
export interface WantedUse {
  readonly environment: string;
  readonly host: string | undefined;
  readonly secrets: ReadonlySet<string>;
}

/** Collects the secrets and hosts that a run would use in an environment, with the plan's selection. */
export async function wantedUse(
  host: Pick<Host, 'env' | 'readable'>,
  { project: path, environment, ...selection }: { readonly project: string; readonly environment: string } & Selection,
): Promise<WantedUse> {
  const project = await loadProject(path, host);
  return { environment, ...(await secretUses(project, { environment, env: host.env, select: selector(selection) })) };
}

/**
 * Returns whether a change may send a secret to a host. A used secret may be sent only to hosts that already receive
 * it, in any environment. A new secret may be sent only to the present host of its environment, and only if `uses` is
 * complete.
 */
export function isTrusted({ hosts, uses, isWhole }: BaseTrust, name: string, { environment, host }: WantedUse) {
  if (host === undefined) return false;
  return hostsOf(uses, name)?.has(host) ?? (isWhole && hosts.get(environment) === host);
}

/**
 * Returns the hosts that may receive a secret. Returns undefined if the trusted commit does not use the secret. An
 * entry of a JSON object may go to the same hosts as the object. The object contains every entry, so the object may be
 * sent only to hosts that receive all used entries.
 */
function hostsOf(uses: BaseTrust['uses'], name: string): ReadonlySet<string> | undefined {
  const object = entryOf(name)?.of;
  const own = uses.get(name) ?? (object === undefined ? undefined : uses.get(object));
  if (own !== undefined) return own;
  const entries = [...uses].flatMap(([used, hosts]) => (entryOf(used)?.of === name ? [hosts] : []));
  const [first, ...others] = entries;
  return first && new Set([...first].filter((host) => others.every((hosts) => hosts.has(host))));
}

/**
 * Explains why some secrets may not be sent to their hosts. The text completes a sentence. Returns undefined if all
 * secrets may be sent.
 */
export function untrustedReason(baseTrust: BaseTrust, wanted: WantedUse): string | undefined {
  const [first, ...others] = [...wanted.secrets].filter((name) => !isTrusted(baseTrust, name, wanted)).sort();
  if (first === undefined) return undefined;
  const rest = others.length === 0 ? '' : ` and ${others.length === 1 ? others[0] : `${others.length} more secrets`}`;
  return `this change would send ${first}${rest} to ${wanted.host ?? 'an unknown host'}, ${whereTrusted(baseTrust, first, wanted)}`;
}

function whereTrusted({ hosts, uses, isWhole }: BaseTrust, name: string, { environment, host }: WantedUse): string {
  const used = hostsOf(uses, name);
  if (used !== undefined)
    return `but the base commit sends ${name} to ${joinWithAnd([...used].sort()) || 'no known host'}`;
  const own = hosts.get(environment);
  if (own === undefined) return `but the base commit has no host for ${environment}`;
  if (own !== host || isWhole) return `but the base commit has ${own} for ${environment}`;
  return 'but the base commit has errors, so some of its secrets are unknown';
}

/**
 * Throws `run-refused` if an unmerged change would read records from a different place than the base. Other records
 * would lead to another plan, and without records every agent counts as new. Also allows the store's default location.
 */
export async function requireTrustedRecords(changed: Project['record'], baseRecord: Project['record']): Promise<void> {
  if (changed.store !== baseRecord.store) {
    throw untrustedRecords('store', changed.store, await storeDefinitions[baseRecord.store].location(baseRecord));
  }
  const { whereabouts } = storeDefinitions[changed.store];
  const trusted = await whereabouts(baseRecord);
  const usual = await whereabouts(undefined);
  for (const [name, value] of Object.entries(await whereabouts(changed))) {
    if (value === usual[name] || value === trusted[name]) continue;
    throw untrustedRecords(name, value, trusted[name] ?? '');
  }
}

function untrustedRecords(name: string, wanted: string, trusted: string): AgentformError {
  return new AgentformError(
    'run-refused',
    `this change sets record.${name} to ${withoutCredentials(wanted)}, but until it is merged, records are read only from ` +
      `${withoutCredentials(trusted)}; first merge the change to record.${name} separately`,
  );
}
