import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { commitAll, gitEnv, initRepository } from '../support/git.ts';
import { server, useIndependentServer } from '../support/independent-suite.ts';
import { savedState } from '../support/saved-state.ts';

const names = ['elm', 'oak', 'pine'] as const;
export let project: TestProject;

/** Each test of the suite starts after an apply of three agents, with manifests and records committed. */
export function useThreeAgents(): void {
  let startOver: () => Promise<void>;
  useIndependentServer();
  beforeAll(async () => {
    project = await testProject(
      {
        'agentform.yaml': projectFile(),
        '.gitignore': '.agentform/locks\n',
        ...Object.fromEntries(names.map((name) => [`agents/${name}.yaml`, manifest(name)])),
        ...Object.fromEntries(names.map((name) => [`prompts/${name}.md`, 'Be polite.\n'])),
      },
      { ...gitEnv, AGENT_TOKEN: 'token-1' },
    );
    initRepository(project.root);
    await commit();
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    await commit();
    startOver = await savedState(server, project.root);
  });
  beforeEach(() => startOver());
  afterAll(() => project.remove());
}

export function manifest(name: string, rest = ''): string {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
${rest}target: { query: { targetAccountId: "${name}" } }
settings:
  title: Desk of ${name}
  description: Answers the phone.
  agentInstructions: { file: ../prompts/${name}.md }
`;
}

export function projectFile(rest = ''): string {
  return `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
${rest}environments:
  test:
    baseUrl: ${server.baseUrl}
    token: \${secret.AGENT_TOKEN}
`;
}

export async function commit(): Promise<void> {
  await commitAll(project.root, 'change');
}

export async function planned(...args: string[]): Promise<Plan> {
  const { stdout, stderr } = await project.run('plan', '--format', 'json', ...args);
  expect(stderr).not.toContain('error');
  return JSON.parse(stdout);
}

export function actionsOf({ resources }: Plan): string[] {
  return resources.map(({ name, action }) => `${name}: ${action}`);
}
