import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { startEmulator } from '../../src/emulator/emulator.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { commitAll, gitEnv, initRepository } from '../support/git.ts';
import { savedState } from '../support/saved-state.ts';
import { sharedCommand, shareProcess } from '../support/shared-process.ts';
import { blocksOf, runShell } from '../support/shell.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
export const recipes = new Map(page.split(/^## /m).map((section) => [section.split('\n', 1)[0] ?? '', section]));

interface Situation {
  /** Prepares the recipe's commands. `yaml` is the recipe's block of YAML. */
  readonly before?: (project: TestProject, yaml: string) => Promise<unknown>;
  /** A text that the recipe's commands must print. */
  readonly prints: string;
  /** The environment in which no changes are left to apply after the recipe. */
  readonly settled?: string;
}

export const situations: Record<string, Situation> = {
  'Roll back a bad prompt': {
    before: async (project) => {
      await edited(project, 'prompts/front-desk.md', 'friendly', 'rude');
      await applied('production');
    },
    prints: 'Be {+friendly+}',
  },
  'Promote staging to production': {
    before: (project) => edited(project, 'agents/front-desk.yaml', 'the phone.', 'the phone and the door.'),
    prints: '~ Agent/front-desk  (',
  },
  'Rotate a token': {
    before: () => restart('tok-production-2'),
    prints: 'No changes: the agent in production matches the files.',
  },
  'Rename an agent': {
    before: (project, yaml) => project.edit('agents/front-desk.yaml', 'name: front-desk\n', yaml),
    prints: 'Agent/reception',
  },
  'Stop managing an agent': {
    before: (project, yaml) => project.edit('agentform.yaml', 'kind: Project\n', `kind: Project\n${yaml}`),
    prints: 'The agent stays in the dashboard',
  },
  'Move an agent to another account': {
    before: (project) => edited(project, 'agents/front-desk.yaml', 'targetAccountId: "101"', 'targetAccountId: "102"'),
    prints: 'targetAccountId=102',
  },
  'Add an environment': {
    before: (project, yaml) =>
      project.edit('agentform.yaml', 'environments:\n', yaml.replace('https://service.example.com', baseUrl)),
    prints: 'settings.title: "Front desk of Elm Street (pilot)"',
    settled: 'pilot',
  },
  'Rename an environment': {
    before: (project) => project.edit('agentform.yaml', /staging(?=:|$)/gm, 'qa'),
    prints: 'No changes',
    settled: 'qa',
  },
  'Onboard a client': { prints: '✓ Organization/acme' },
  'Undo or keep a dashboard edit': {
    before: () => dashboard({ title: 'Reception of Elm Street' }),
    prints: 'title: "Front desk of Elm Street" → "Reception of Elm Street"',
  },
  'Work without GitHub': { prints: 'No drift' },
};

/** The recipes that people follow most. `npm run test:long` runs the other recipes. */
export const everyday = [
  'Roll back a bad prompt',
  'Promote staging to production',
  'Undo or keep a dashboard edit',
  'Onboard a client',
];

const env = { ...gitEnv, STAGING_TOKEN: 'tok-staging', PRODUCTION_TOKEN: 'tok-production', NO_COLOR: '1' };

let project: TestProject;
let emulator: Awaited<ReturnType<typeof startEmulator>>;
let baseUrl: string;
let startOver: () => Promise<void>;

/** Begins each test of the file after an apply of the sample project. */
export function useSampleProject(): void {
  shareProcess();
  beforeAll(async () => {
    project = await testProject(
      {
        '.gitignore': '.agentform/locks/\nplan.json\nplan.md\nledger.json\n',
        'prompts/front-desk.md': '# Front desk\n\nBe friendly and brief.\n',
      },
      env,
    );
    initRepository(project.root);
    await start('tok-production');
    for (const block of blocksOf(recipes.get('Sample project') ?? '', 'yaml')) {
      const [, path = ''] = /^# (\S+)$/m.exec(block) ?? [];
      await project.write(path, block.replaceAll('https://service.example.com', baseUrl));
    }
    await committed('The front desk');
    await applied('staging', 'production');
    const { port } = emulator;
    await emulator.close();
    // The folder also contains the emulator's data file.
    const putBack = await savedState(undefined, project.root);
    startOver = async () => {
      await putBack();
      await start('tok-production', port);
    };
  });
  beforeEach(() => startOver());
  afterEach(() => emulator.close());
  afterAll(() => project.remove());
}

async function start(production: string, port = 0) {
  emulator = await startEmulator({
    port,
    dataFile: join(project.root, '.git', 'emulator.json'),
    accounts: [
      { id: '4711', token: production, reseller: true },
      ...['101', '102'].map((id) => ({ id, token: `tok-${id}`, parent: '4711' })),
      { id: '901', token: 'tok-staging' },
      { id: '902', token: 'tok-pilot' },
    ],
  });
  baseUrl = emulator.baseUrl;
}

async function restart(production: string) {
  const { port } = emulator;
  await emulator.close();
  await start(production, port);
}

async function shell(script: string) {
  const words = sharedCommand()
    .map((word) => `'${word}'`)
    .join(' ');
  const result = await runShell(`agentform() { ${words} "$@"; }\n${script}`, { cwd: project.root, env });
  expect(result.code === 0 ? '' : `${result.stdout}\n${result.stderr}`).toBe('');
  return result.stdout;
}

async function committed(message: string) {
  await commitAll(project.root, message);
}

async function edited(from: TestProject, path: string, before: string, after: string) {
  await from.edit(path, before, after);
  await committed(`Edit ${path}`);
}

async function applied(...environments: string[]) {
  for (const name of environments) {
    expect(await project.run('apply', '-e', name, '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  }
  await committed(`Applied to ${environments.join(' and ')}`);
}

/** Edits production's agent as in the dashboard. */
async function dashboard(settings: Readonly<Record<string, unknown>>) {
  const record = JSON.parse(await project.read('.agentform/records/production/Agent/front-desk.json'));
  const answer = await fetch(`${baseUrl}/__emulator/agents/${record.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  expect(answer.status).toBe(200);
}

/** Runs a recipe's commands as written. Checks that no changes are left to apply afterwards. */
export async function runRecipe(title: string): Promise<void> {
  const { before, prints = '', settled = 'production' } = situations[title] ?? {};
  const recipe = recipes.get(title) ?? '';
  await before?.(project, blocksOf(recipe, 'yaml').join(''));
  const walk = blocksOf(recipe, 'sh').join('');
  const end = `agentform plan -e ${settled} --exit-code\ngit status --porcelain`;
  const stdout = await shell(`${walk}\necho END\n${end}`);
  const [during = '', after = ''] = stdout.split('END\n');
  expect(during).toContain(prints);
  expect(after).toMatch(/^No changes[^\n]*(?:\n(?! M|\?\?)[^\n]*)*$/);
}
