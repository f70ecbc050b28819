import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';

const files = {
  'agentform.yaml':
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["*.agent.yaml"]\nenvironments:\n  local: { baseUrl: emulator }\n',
  'front-desk.agent.yaml':
    'apiVersion: agentform/v1\nkind: Agent\nname: front-desk\nsettings: { title: Front desk, description: Answers the phone, agentInstructions: Be kind, agentLang: en-US }\n',
};

describe('Every file of the program that a command reads costs a part of its start', () => {
  let project: TestProject;
  let coverage: string;

  beforeAll(async () => {
    coverage = await mkdtemp(join(tmpdir(), 'agentform-startup-'));
    project = await testProject(files, { NODE_V8_COVERAGE: coverage });
  });

  afterAll(async () => {
    await project.remove();
    await rm(coverage, { recursive: true });
  });

  test.each([
    { most: 1, args: ['--version'] },
    { most: 8, args: ['--help'] },
    { most: 12, args: ['validate'] },
    { most: 45, args: ['plan'] },
  ])('$args reads at most $most', async ({ most, args }) => {
    const { code, stderr } = await project.run(...args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect((await filesRead(coverage)).length).toBeLessThanOrEqual(most);
  });
});

/** The files of the program that the last run read: V8 lists them where it is asked for their coverage. */
async function filesRead(folder: string): Promise<string[]> {
  const [report = ''] = await readdir(folder);
  const text = await readFile(join(folder, report), 'utf8');
  await rm(join(folder, report));
  return [...new Set(text.match(/file:[^"]*\/dist\/[^"]*\.js/g))];
}
