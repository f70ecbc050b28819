import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from '@jest/globals';
import { exampleProject, type TestProject, testProject } from '../support/cli.ts';
import { sharedCommand } from '../support/shared-process.ts';
import { blocksOf, runShell } from '../support/shell.ts';

const read = (page: string) => readFileSync(resolve(import.meta.dirname, '../..', page), 'utf8');

export interface Walk {
  readonly page: string;
  /** A word that identifies the block of commands to run. */
  readonly block: string;
  readonly prints: string;
  readonly project: () => Promise<TestProject>;
}

const newProject = () => testProject({ '.config/fish/completions/x': '' });

/** Creates the project that the README describes, with its prompt. */
async function firstManifest(): Promise<TestProject> {
  const [, section = ''] = /^## Write your first manifest\n([\s\S]*?)^## /m.exec(read('README.md')) ?? [];
  const files = blocksOf(section, 'yaml').map((block) => [/^# (\S+)$/m.exec(block)?.[1] ?? '', block]);
  return testProject({ ...Object.fromEntries(files), 'prompts/front-desk.md': 'Be kind.\n' });
}

/** Creates a project that was applied in the environment production. */
async function appliedProject(): Promise<TestProject> {
  const project = await testProject({
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: production
environments: { production: { baseUrl: emulator } }
`,
    'agents/front-desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings: { title: Front desk, description: Answers the phone. }
`,
  });
  expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
  return project;
}

/** Commands on pages with small projects. */
export const walks: readonly Walk[] = [
  { page: 'README.md', block: 'nothing left to do', prints: 'No changes', project: firstManifest },
  { page: 'docs/init.md', block: 'agentform init clinic', prints: '1 applied', project: newProject },
  { page: 'docs/init.md', block: 'completion fish', prints: '', project: newProject },
  { page: 'docs/install.md', block: 'agentform completion', prints: 'Print a shell script', project: newProject },
  { page: 'docs/drift.md', block: 'nightly job', prints: 'No drift', project: appliedProject },
  {
    page: 'examples/clinic/README.md',
    block: 'agentform apply',
    prints: '3 applied',
    project: () => exampleProject('clinic'),
  },
];

/** Commands on the larger examples, which `npm run test:long` runs. */
export const largeWalks: readonly Walk[] = [
  {
    page: 'examples/agency/README.md',
    block: 'agentform apply -l',
    prints: '107 applied, 13 unchanged',
    project: () => exampleProject('agency'),
  },
  {
    page: 'examples/agency/README.md',
    block: 'agentform explain',
    prints: 'clients/elm-street.yaml:6:3',
    project: () => exampleProject('agency'),
  },
  {
    page: 'examples/reseller/README.md',
    block: 'task upload',
    prints: '3 of 3 tasks are queued',
    project: () => exampleProject('reseller'),
  },
];

/** Runs the commands of a page as written. */
export async function runWalk({ page, block, prints, project }: Walk): Promise<void> {
  const [walk = ''] = blocksOf(read(page), 'sh').filter((one) => one.includes(block));
  expect(walk).not.toBe('');
  const { root, remove } = await project();
  const words = sharedCommand()
    .map((word) => `'${word}'`)
    .join(' ');
  // No person can confirm here, so `apply` gets `--yes`.
  const command = `agentform() { if [ "$1" = apply ]; then ${words} "$@" --yes; else ${words} "$@"; fi; }`;
  try {
    const result = await runShell(`${command}\n${walk}`, { cwd: root, env: { HOME: root } });
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining(prints) });
  } finally {
    await remove();
  }
}
