// Each folder in test/cases is a case. `steps.yaml` names the initial project and the steps, and `golden.txt` is the
// transcript. `UPDATE_GOLDEN=1 npm run jest -- test/e2e/cases` rewrites the transcripts. Review the difference before
// you commit it.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { startEmulator } from '../../src/emulator/emulator.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

interface Case {
  /** The folder to copy, relative to the repository. Defaults to the case's `project` folder. */
  readonly project?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

type Step =
  | { readonly run: string }
  | { readonly edit: string; readonly from: string; readonly to: string }
  /** A dashboard edit to the agent with this title on the embedded emulator. */
  | { readonly dashboard: string; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly write: string; readonly text: string };

const root = resolve(import.meta.dirname, '../..');
const cases = join(root, 'test', 'cases');

test.each((await readdir(cases)).map((name) => [name]))('The case %s prints its golden output.', async (name) => {
  const folder = join(cases, name);
  const { project: source, env, steps }: Case = parse(await readFile(join(folder, 'steps.yaml'), 'utf8'));
  const project = await testProject({}, env);
  const from = source === undefined ? join(folder, 'project') : join(root, source);
  await cp(from, project.root, { recursive: true, filter: (path) => !path.includes('.agentform') });
  // A fixed key for the emulator. Otherwise, each project would create a random key, and fingerprints would differ
  // between runs.
  await project.write('.agentform/emulator.key', 'the key of every case, 32 bytes.');
  const parts: string[] = [];
  for (const step of steps) parts.push(await transcript(step, project));
  await project.remove();
  const text = parts
    .join('\n')
    // The digest covers the times of applies, which differ between runs.
    .replaceAll(/(?<="checksum": ")sha256:[0-9a-f]+/g, 'CHECKSUM')
    .replaceAll(/(?<="hmac": ")hmac:[\w:-]+/g, 'HMAC')
    .replaceAll(/\d{4}-\d\d-\d\d(\s+)\d\d:\d\d(\s+)UTC/g, 'YYYY-MM-DD$1HH:MM$2UTC')
    .replaceAll(/\b\d{1,2}(\s+)[A-Z][a-z]{2}(\s+)\d{4},(\s+)\d\d:\d\d(\s+)UTC/g, 'DAY$1MONTH$2YEAR,$3HH:MM$4UTC')
    .replaceAll(/\bon \d{1,2} [A-Z][a-z]{2} \d{4}/g, 'on DAY MONTH YEAR')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d(?= {2}))|(?<="(?:lastUpdate|seen|live)": ?)\d{10,}/g, 'TIME');
  const golden = join(folder, 'golden.txt');
  if (process.env.UPDATE_GOLDEN === '1') await writeFile(golden, text);
  expect(text).toBe(await readFile(golden, 'utf8'));
});

async function transcript(step: Step, project: TestProject): Promise<string> {
  if ('edit' in step) {
    await project.edit(step.edit, step.from, step.to);
    return `# ${step.edit}: ${JSON.stringify(step.from)} → ${JSON.stringify(step.to)}\n`;
  }
  if ('dashboard' in step) {
    await editInDashboard(step, project);
    return `# in the dashboard of ${step.dashboard}: ${JSON.stringify(step.settings)}\n`;
  }
  if ('write' in step) {
    await project.write(step.write, step.text);
    return `# ${step.write} is written\n`;
  }
  const { code, stdout, stderr } = await project.run(...step.run.split(' '));
  return [
    `$ agentform ${step.run}`,
    ...section('stdout', stdout),
    ...section('stderr', ordered(stderr)),
    `exit ${code}`,
    '',
  ].join('\n');
}

/** Edits an agent in the data file, because the embedded emulator does not run between two commands. */
async function editInDashboard(
  { dashboard, settings }: Extract<Step, { readonly dashboard: string }>,
  project: TestProject,
): Promise<void> {
  const emulator = await startEmulator({ dataFile: join(project.root, '.agentform', 'emulator.json') });
  const control = `${emulator.baseUrl}/__emulator`;
  const { agents } = (await (await fetch(`${control}/state`)).json()) as {
    agents: { id: string; draft: { title: string } }[];
  };
  const id = agents.find(({ draft }) => draft.title === dashboard)?.id;
  const body = JSON.stringify(settings);
  const answer = await fetch(`${control}/agents/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await emulator.close();
  expect(answer.status).toBe(200);
}

function section(name: string, text: string): string[] {
  return text === '' ? [] : [`--- ${name}`, text.trimEnd()];
}

/** Sorts progress lines, because agents are applied concurrently and their order varies. */
function ordered(text: string): string {
  const lines = text.trimEnd().split('\n');
  const isProgress = (line: string) => /^(applied|published) /.test(line);
  return [...lines.filter((line) => !isProgress(line)), ...lines.filter(isProgress).sort()].join('\n');
}
