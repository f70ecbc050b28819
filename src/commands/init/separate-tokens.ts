import { agent } from '../../kinds/definitions/agent.ts';
import type { Project } from '../../manifest/project/project.ts';
import { yamlLimit } from '../../manifest/project/project-files.ts';
import { entryOf, referredSecret, secretReference } from '../../secrets/secret.ts';

/** The secret with an added agent's token, in one environment or in all of them. */
export interface SeparateToken {
  readonly secret: string;
  readonly environment?: string;
}

/**
 * Returns the secrets for the tokens of the sample agent. An agent beside other agents needs a separate account,
 * because agents with the same token would overwrite each other. Empty if the agent can use the environment's token:
 * the project has no other agent, or its existing manifest has no separate token.
 */
export async function separateTokens(root: string, name: string): Promise<SeparateToken[]> {
  const { loadProject } = await import('../../manifest/project/load-project.ts');
  const project = await loadProject(root).catch(() => undefined);
  if (project === undefined) return [];
  const path = `agents/${name}.yaml`;
  const tokens = tokensFor(project, name);
  const existing = project.files.read(path, yamlLimit).source?.text;
  const isSeparate =
    existing === undefined
      ? project.manifests.some((other) => project.parsed.parse(other).resource?.kind === agent.name)
      : tokens.some(({ secret }) => existing.includes(secretReference(secret)));
  return isSeparate ? tokens : [];
}

/**
 * Names a secret after the environment's token and the agent, such as `AGENT_TOKEN_NIGHT_DESK`. Environments with
 * different tokens need different secrets here, too.
 */
function tokensFor({ environments, definitions }: Project, name: string): SeparateToken[] {
  const nameAfter = (token = 'AGENT_TOKEN') => `${token}_${name.replaceAll('-', '_').toUpperCase()}`;
  const tokens = environments.map((environment) => {
    const secret = referredSecret(definitions.get(environment)?.token ?? '');
    return { environment, token: secret && (entryOf(secret)?.of ?? secret) };
  });
  const [first, ...others] = new Set(tokens.flatMap(({ token }) => token ?? []));
  if (others.length === 0) return [{ secret: nameAfter(first) }];
  return tokens.map(({ environment, token }) => ({ environment, secret: nameAfter(token) }));
}
