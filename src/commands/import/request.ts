import { AgentformError } from '../../errors.ts';
import type { JsonObject } from '../../json/json.ts';
import type { Desired } from '../../kinds/desired.ts';
import { type Project, pendingProject } from '../../manifest/project/project.ts';
import { desiredOfAll, type Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { problemSentence } from '../../report/problems/sentence.ts';
import { referredSecret, Secret, secretPattern, secretReference } from '../../secrets/secret.ts';
import { secretValue } from '../../secrets/secret-values.ts';
import type { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';
import { ManifestsInvalid } from '../../session/session.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';
import type { ImportRow } from './list.ts';
import { type LiteralText, literalText, writeManifest } from './manifest/write-manifest.ts';

/** An agent to import, with its resolved target. */
export interface ImportRequest {
  readonly row: ImportRow;
  /** The cells of a fleet's row, as variables. */
  readonly variables?: JsonObject;
  /** The path of the manifest, relative to the project folder. */
  readonly path: string;
  readonly target: JsonObject;
  /** The environment whose overlay gets the target, because an agent id belongs to one deployment. */
  readonly overlay: string;
  /** The resource with its resolved target, but without live settings. */
  readonly stub: Desired;
  readonly text: LiteralText;
  /** The secrets of the target and of overwritten manifests. */
  readonly secrets: readonly Secret[];
}

interface RequestInput {
  readonly project: Project;
  readonly environment: string;
  readonly row: ImportRow;
  readonly path: string;
  readonly keys: FingerprintKeys;
  /** The manifests to overwrite. Live texts can contain their secrets. */
  readonly former: Pick<Resolution, 'secretNames'> | undefined;
}

/** The process variables that a target can use as secrets. */
export type SecretSource = Pick<Host, 'env' | 'allowedSecrets'>;

/** Resolves the target of the new manifest with the code that will later read the manifest. */
export async function requestOf(host: SecretSource, input: RequestInput): Promise<ImportRequest> {
  const { project, environment, row, path, keys, former } = input;
  const target = targetOf(row);
  const sections = { settings: { title: row.name, description: row.name } };
  const draft = { kind: 'Agent' as const, name: row.name, path, sections, target, overlay: environment };
  const { files } = writeManifest({ ...draft, comments: new Map(), write: (text) => text });
  const pending = pendingProject(project, path, files);
  const { env, allowedSecrets } = host;
  const resolution = await resolveProject(pending, { environment, secrets: 'values', env, allowedSecrets });
  const [first] = desiredOfAll(resolution);
  if (first === undefined || hasErrors(resolution.problems)) throw unreachable(resolution.problems, pending);
  const keyed = await keys.keyed(first);
  const { tokenAt, ...withoutPlace } = keyed.target;
  // The new manifest does not exist yet, so the token has no place there.
  const stub = tokenAt?.file === path ? { ...keyed, target: withoutPlace } : keyed;
  const names = new Set([
    ...referredNames([project.definitions.get(environment), target]),
    ...(former?.secretNames ?? []),
  ]);
  const values = [...names]
    .map((name): [string, string] => [name, secretValue(env, name) ?? ''])
    .filter(([, value]) => value !== '');
  const secrets = new Map(values.map(([name, value]) => [name, new Secret(value)]));
  return { row, path, target, overlay: environment, stub, text: literalText(secrets), secrets: [...secrets.values()] };
}

export function targetOf({ id, tokenSecret, query }: Pick<ImportRow, 'id' | 'tokenSecret' | 'query'>): JsonObject {
  const parameters = query.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return {
    agentId: id,
    ...(tokenSecret !== undefined && { token: secretReference(tokenSecret) }),
    ...(parameters.length > 0 && { query: Object.fromEntries(parameters) }),
  };
}

function referredNames(value: unknown): string[] {
  const references = JSON.stringify(value).match(new RegExp(secretPattern, 'g')) ?? [];
  return references.flatMap((reference) => referredSecret(reference) ?? []);
}

/**
 * Returns the error for an invalid target. If a token or secret is missing or too short, omits the place, because the
 * manifest does not exist yet.
 */
function unreachable(problems: readonly Problem[], project: Project): AgentformError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first?.rule === 'token-missing') {
    return new AgentformError(
      'usage',
      'the environment has no token: name one with --token-secret NAME, or add `token: ${secret.NAME}` to the environment in agentform.yaml',
    );
  }
  if (first?.rule === 'token-short') return new AgentformError('usage', problemSentence(first));
  if (first?.rule === 'secret-unset') return new AgentformError('secret-unset', problemSentence(first));
  return new ManifestsInvalid({ problems: errors, sourceOf: (file) => project.sourceOf(file) });
}
