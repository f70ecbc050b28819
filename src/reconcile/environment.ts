import { AgentformError } from '../errors.ts';
import type { Project } from '../manifest/index.ts';

/** The environment that was asked for, or the project's default. */
export function environmentNamed(project: Project, name: string | undefined): string {
  const names = project.environments;
  const chosen = name ?? project.defaultEnvironment;
  if (chosen === undefined) {
    throw new AgentformError(
      'environment-unknown',
      `no environment was given and agentform.yaml has no defaultEnvironment; use -e with one of ${names.join(', ')}`,
    );
  }
  if (names.includes(chosen)) return chosen;
  throw new AgentformError(
    'environment-unknown',
    `the environment ${chosen} is not in agentform.yaml, which has ${names.join(', ')}`,
  );
}
