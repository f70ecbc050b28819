import { AgentformError } from '../errors.ts';
import { loadProject, ProjectError } from '../manifest/project/load-project.ts';
import type { Project } from '../manifest/project/project.ts';
import { type EnvironmentTarget, environmentNode, resolveEnvironment } from '../manifest/resolve/identity/target.ts';
import { isLongEnough, partRedactor, type Redact, redactor } from '../secrets/redact.ts';
import type { Secret } from '../secrets/secret.ts';
import type { Connection, ServiceClient } from '../service/client.ts';
import { hasWildcard, matchesWildcard, parseWildcard } from '../text/wildcard.ts';
import { type Problem, shownProblems } from '../yaml/problem.ts';
import { requireAllowedTarget, withConnections } from './connections.ts';
import type { Host } from './host.ts';

/**
 * Returns the name of the requested or default environment. Throws `environment-unknown` if neither exists, or if
 * agentform.yaml lacks the environment.
 */
export function environmentNamed(project: Project, name: string | undefined): string {
  const chosen = name ?? project.defaultEnvironment;
  if (chosen === undefined) {
    throw new AgentformError(
      'environment-unknown',
      `no environment was given and agentform.yaml has no defaultEnvironment; use -e with one of ${project.environments.join(', ')}`,
    );
  }
  return environmentNode(project, chosen).name;
}

/**
 * Returns the environments that match names and globs, in the requested order and without duplicates. Throws
 * `environment-unknown` if a name or glob has no match.
 */
export function environmentsNamed(project: Project, patterns: readonly string[]): string[] {
  const found = patterns.flatMap((pattern) => {
    if (!hasWildcard(pattern)) return [environmentNamed(project, pattern)];
    const matching = project.environments.filter((name) => matchesWildcard(parseWildcard(pattern), name));
    if (matching.length > 0) return matching;
    const known = project.environments.join(', ');
    throw new AgentformError('environment-unknown', `no environment matches ${pattern}; agentform.yaml has ${known}`);
  });
  return [...new Set(found)];
}

/** Options of commands that call the service without manifests. */
export interface EnvironmentOptions {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly environment?: string | undefined;
  /** Query parameters as `name=value`. These parameters override the environment's query parameters in every call. */
  readonly query: readonly string[];
  /** Called with warnings about the environment, if any, before the first request. */
  readonly onWarnings?: (found: EnvironmentWarnings) => Promise<void>;
}

interface EnvironmentWarnings {
  readonly warnings: readonly Problem[];
  readonly sourceOf: Project['sourceOf'];
}

/** An environment with resolved secrets, before connecting. */
export interface OpenEnvironment {
  readonly project: Project;
  readonly name: string;
  /** Host and port of the service, or `emulator`. */
  readonly host: string;
  readonly connection: Connection;
  readonly scope: EnvironmentTarget['scope'];
  /** Redacts the secrets resolved so far. */
  readonly redact: Redact;
}

/**
 * Loads the project and resolves one environment. Throws a ProjectError with all problems if the environment is
 * invalid.
 */
export async function openEnvironment(host: Host, options: EnvironmentOptions): Promise<OpenEnvironment> {
  const project = await loadProject(options.project, host);
  const name = environmentNamed(project, options.environment);
  const { target, problems: found, scope, secrets } = resolveEnvironment(project, name, host);
  const redact = redactorOf(secrets);
  host.hideSecrets(redact);
  const problems = shownProblems(found, (path) => project.files.source(path));
  if (target === undefined) {
    const message = `the environment ${name} has errors`;
    throw new ProjectError(message, { problems, sourceOf: project.sourceOf });
  }
  requireAllowedTarget(host, target);
  await options.onWarnings?.({ warnings: problems, sourceOf: project.sourceOf });
  const connection = { ...target, query: { ...target.query, ...queryOf(options.query) } };
  return { project, name, host: target.host, connection, scope, redact };
}

/**
 * Redacts the secrets that `secrets` returns at the time of a call, and their parts, because these commands show texts
 * from the service. Keeps the redactor until there are more secrets, because an inbox can contain many texts.
 */
function redactorOf(secrets: () => readonly Secret[]): Redact {
  let [count, redact]: [number, Redact] = [0, (text) => text];
  return (text) => {
    const all = secrets();
    if (all.length !== count) {
      const long = all.filter(isLongEnough);
      const [whole, part] = [redactor(long), partRedactor(long)];
      [count, redact] = [all.length, (one) => part(whole(one))];
    }
    return redact(text);
  };
}

export function withService<Result>(
  host: Host,
  { project, host: name, connection, redact }: OpenEnvironment,
  work: (service: ServiceClient, connection: Connection) => Promise<Result>,
): Promise<Result> {
  return withConnections(host, { project, redact }, async (connect) => {
    const { service, connectionOf } = await connect([{ baseUrl: connection.baseUrl, host: name }]);
    return work(service, connectionOf({ target: connection }));
  });
}

/**
 * Parses `name=value` pairs. Throws `usage` for any other text, for the name `token`, and for a repeated name. The error
 * does not repeat the value, because the value may be secret.
 */
function queryOf(pairs: readonly string[]): Record<string, string> {
  const query = new Map<string, string>();
  for (const pair of pairs) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw usage('must be name=value, such as targetAccountId=17');
    if (name === 'token') throw usage('cannot set the token; agentform.yaml names the secret that holds it');
    if (query.has(name)) throw usage(`sets ${name} twice`);
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

function usage(problem: string): AgentformError {
  return new AgentformError('usage', `--query ${problem}`);
}
