import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { gitEnv } from '../support/git.ts';
import { type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';

const head = 'apiVersion: agentform/v1\n';
export const code = 'open-sesame-4711';
export const prompt =
  '# ${var.brand}\n\nYou answer the phone of ${var.brand}.\n\nBe nice.\n\nThe number is ${var.phone}.\n\nNever give prices.\n';
export const door = '# Door\n\nKnock twice.\n\nThe code is ${secret.CODE}.\n\nBe quick.\n';

export const fleet = (overrides: string) =>
  `${head}kind: Fleet\nname: dental\ntemplates: [../templates/agent.yaml]\nmembers: { file: ../clients.csv }\n${overrides}`;

const files = (baseUrl: string) => ({
  'agentform.yaml': `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { test: { baseUrl: "${baseUrl}" } }\n`,
  'agents/fleet.yaml': fleet('overrides: ../clients/${var.name}.yaml\n'),
  'templates/agent.yaml': `${head}kind: Agent\nsettings:\n  title: Desk\n  description: Answers\n  welcomeMessage: "Hello from \${var.brand}"\n  agentInstructions: { file: prompt.md }\n  adminInstructions: { file: door.md }\ntarget: { token: "\${secret.TOKENS[var.name]}" }\n`,
  'templates/prompt.md': prompt,
  'templates/door.md': door,
  'clients.csv': 'name,brand,phone\nelm,Elm,+1 415\noak,Oak,+1 416\n',
});

export let remote: Remote;
export let project: TestProject;
/** Restores the state after the first apply. */
export let startOver: () => Promise<void>;

/** Each test of the suite starts after an apply of a fleet of two agents with shared texts. */
export function useFleet(): void {
  beforeAll(async () => {
    remote = await startSaveableRemote();
    const tokens = JSON.stringify({ elm: 'token-of-elm', oak: 'token-of-oak' });
    project = await testProject(files(remote.baseUrl), { ...gitEnv, TOKENS: tokens, CODE: code });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    startOver = await savedState(remote, project.root);
  });
  beforeEach(() => startOver());
  afterAll(async () => {
    await project.remove();
    await remote.close();
  });
}

export async function live(settings: Readonly<Record<string, unknown>>, name = 'elm'): Promise<void> {
  const record = JSON.parse(await project.read(`.agentform/records/test/Agent/${name}.json`));
  await remote.dashboard(record.id, settings);
}
