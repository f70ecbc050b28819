import { beforeEach, describe, expect, test } from '@jest/globals';
import { json } from '../../support/independent-server.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { oneAgent, theAgent } from './runs.ts';

shareProcess();
useIndependentServer();

const manifest = 'settings:\n  title: Q & A\n  description: D\n  agentInstructions: { file: ../prompts/desk.md }\n';
const prompt = "# Questions & answers\n\nDon't be rude.\nBe 'quick' & kind.\nGive no prices.\n";

/** Makes the service change the prompt and the title in its read responses with `change`. */
function shows(change: (text: string) => string): void {
  server.after = (call, reply) => {
    if (call.method !== 'GET') return undefined;
    const answer = JSON.parse(reply.body);
    for (const name of ['title', 'agentInstructions']) answer.campaign[name] = change(answer.campaign[name]);
    return json(200, answer);
  };
}

async function appliedProject() {
  const project = await oneAgent(manifest);
  await project.write('prompts/desk.md', prompt);
  const apply = await project.run('apply', '--yes', '--new', 'all');
  return { project, apply };
}

describe('a service that escapes HTML in texts', () => {
  beforeEach(() => shows((text) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;')));

  test('An HTML-escaped text is not an edit, and an edited line is shown and copied alone.', async () => {
    const { project, apply } = await appliedProject();
    expect(apply).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('settings.title: stored with different special characters: '),
    });
    expect((await project.run('explain', 'front-desk', 'settings.title')).stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /equal under the rules read-back, html-escapes The service returns the value in its own form, as it did after the last apply/,
    );
    server.edit(theAgent().id, { agentInstructions: prompt.replace('Give no prices.', "Don't give prices.") });
    const drift = await project.run('drift');
    expect(drift.stdout.match(/^ *[-+] .*$/gm)).toHaveLength(2);
    await project.run('update', 'front-desk');
    expect(await project.read('prompts/desk.md')).toBe(prompt.replace('Give no prices.', "Don't give prices."));
    const plan = JSON.parse((await project.run('plan', '--format', 'json')).stdout);
    expect(plan.resources[0].changes.filter(({ path }: { path: string }) => path !== 'settings.description')).toEqual(
      [],
    );
  });
});

test('A service that cuts texts off fails the apply with the missing part, and no later plan is empty.', async () => {
  shows((text) => text.slice(0, 40));
  const { project, apply } = await appliedProject();
  expect(apply.code).toBe(1);
  expect(apply.stdout.replace(/\s+/g, ' ')).toContain(
    `settings.agentInstructions: another value; 2 lines are missing, from line 4: " 'quick' & kind."; the service stored`,
  );
  const plan = await project.run('plan', '--exit-code');
  expect(plan).toMatchObject({ code: 2, stdout: expect.stringContaining('stored another value') });
  const drift = await project.run('drift', '--exit-code');
  expect(drift).toMatchObject({ code: 0, stdout: expect.stringContaining('stored another value') });
  expect((await project.run('explain', 'front-desk', 'settings.agentInstructions')).stdout).toContain(
    'stored a value other than the one sent',
  );
  await project.run('update', 'front-desk');
  expect(await project.read('prompts/desk.md')).toBe(prompt);
});
