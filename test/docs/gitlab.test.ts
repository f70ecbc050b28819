import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type TestProject, testProject } from '../support/cli.ts';
import { findingsIn } from '../support/code-quality.ts';
import { type BareRemote, bareRemote, commit, gitEnv, pushedProject } from '../support/git.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { sharedCommand, shareProcess } from '../support/shared-process.ts';
import { runShell } from '../support/shell.ts';

shareProcess();

interface Job {
  readonly extends: string;
  readonly rules?: readonly { readonly if: string }[];
  readonly variables?: Readonly<Record<string, string | number>>;
  readonly script: readonly string[];
  readonly artifacts?: { readonly reports?: { readonly codequality: string } };
}

const example = (name: string) => readFileSync(resolve(import.meta.dirname, '../../examples/gitlab', name), 'utf8');
const pipeline: Record<string, Job> = parse(example('.gitlab-ci.yml'));
const project = {
  'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  production: { baseUrl: emulator }
`,
  'agents/front-desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings: { title: Front desk, description: Answers the phone. }
`,
};

interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}

/** The id of the user who owns the job's token. */
const bot = 7;
const notesPath = '/api/v4/projects/7/merge_requests/12/notes';

let gitlab: Server;
let address: string;
let notes: Note[] = [];

/** Imitates the part of GitLab's API for notes, with a hundred notes on a page. */
beforeAll(async () => {
  gitlab = createServer(async (request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', address);
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const isKnown = request.headers['private-token'] === 'notes-token';
    const answer = isKnown ? answerTo(`${request.method} ${pathname}`, { text, searchParams }) : undefined;
    response.writeHead(answer === undefined ? 401 : 200, { 'x-next-page': answer?.next ?? '' });
    response.end(JSON.stringify(answer?.json ?? { message: 'no' }));
  });
  await new Promise<void>((done) => void gitlab.listen(0, '127.0.0.1', done));
  const bound = gitlab.address();
  address = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
});
afterAll(() => void gitlab.close());
beforeEach(() => {
  notes = [];
});

interface Call {
  readonly text: string;
  readonly searchParams: URLSearchParams;
}

function answerTo(call: string, { text, searchParams }: Call): { json: unknown; next?: string } | undefined {
  if (call === 'GET /api/v4/user') return { json: { id: bot } };
  if (call === `GET ${notesPath}`) {
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
    const json = notes.slice((page - 1) * size, page * size);
    return notes.length > page * size ? { json, next: String(page + 1) } : { json };
  }
  const { body }: { body: string } = JSON.parse(text);
  if (call === `POST ${notesPath}`) notes.push({ id: notes.length, author: { id: bot }, body });
  const note = notes.find(({ id }) => call === `PUT ${notesPath}/${id}`);
  if (note !== undefined) note.body = body;
  return { json: {} };
}

/** Runs the commands of jobs as GitLab's runner does, in a project with these files. Skips the installation. */
async function runJobs(
  names: readonly string[],
  { files = {}, env = {} }: { files?: Readonly<Record<string, string>>; env?: Readonly<Record<string, string>> } = {},
) {
  const { root, read, remove } = await testProject({ ...project, 'plan-note.mjs': example('plan-note.mjs'), ...files });
  try {
    const result = await runScript(names.flatMap(scriptOf), { cwd: root, env: { ...variables(), ...env } });
    const reports = names.flatMap((name) => pipeline[name]?.artifacts?.reports?.codequality ?? []);
    return { ...result, findings: (await Promise.all(reports.map(read))).flatMap(findingsIn) };
  } finally {
    await remove();
  }
}

/** The variables of a pipeline of merge request 12. */
const variables = () => ({
  ...{ AGENTFORM_ENVIRONMENT: 'production', NOTES_TOKEN: 'notes-token', CI_API_V4_URL: `${address}/api/v4` },
  ...{ CI_PROJECT_ID: '7', CI_MERGE_REQUEST_IID: '12' },
});

/** Runs the last command of the plan's job, with a plan that an earlier command has written. */
async function writeNote(env: Readonly<Record<string, string>> = {}) {
  const command = pipeline.plan?.script.at(-1) ?? '';
  expect(command).toBe('node plan-note.mjs plan.md');
  const { root, remove } = await testProject({ 'plan-note.mjs': example('plan-note.mjs'), 'plan.md': 'the plan' });
  try {
    return await runShell(command, { cwd: root, env: { ...variables(), ...env } });
  } finally {
    await remove();
  }
}

function scriptOf(name: string): string[] {
  const { script = [], variables = {} } = pipeline[name] ?? {};
  return [...Object.entries(variables).map(([variable, value]) => `: "\${${variable}:=${value}}"`), ...script];
}

/** Runs commands with `agentform` built from the sources. */
function runScript(commands: readonly string[], at: Parameters<typeof runShell>[1]) {
  const words = sharedCommand()
    .map((word) => `'${word}'`)
    .join(' ');
  return runShell(`agentform() { ${words} "$@"; }\n${commands.join('\n')}`, at);
}

describe('the plan of a merge request', () => {
  test('The plan of a merge request is shown in a note, and its report names the files.', async () => {
    const { code, findings } = await runJobs(['validate', 'plan']);
    expect(code).toBe(0);
    expect(notes).toEqual([{ id: 0, author: { id: bot }, body: expect.stringContaining('Agent/front-desk') }]);
    expect(notes[0]?.body).toMatch(/^<!-- agentform: production -->\n/);
    expect(findings).toMatchObject([{ check_name: 'plan-create', location: { path: 'agents/front-desk.yaml' } }]);
  });

  test('The plan of a merge request replaces its last note, wherever that is, but no note of another account.', async () => {
    const mark = '<!-- agentform: production -->';
    const talk = Array.from({ length: 150 }, (_, id) => ({ id, author: { id: 1 }, body: `${mark}\nmine` }));
    const last = { id: 150, author: { id: bot }, body: `${mark}\nold` };
    notes = [...talk, last];
    expect(await writeNote()).toMatchObject({ code: 0 });
    expect(notes).toEqual([...talk, { ...last, body: expect.stringContaining('the plan') }]);
  });

  test('The plan of a merge request fails the job without showing the token if GitLab refuses the note.', async () => {
    const { code, stdout, stderr } = await writeNote({ NOTES_TOKEN: 'wrong-token' });
    expect(code).toBe(1);
    expect(stderr).toContain('GitLab returned 401 for GET /user');
    expect(stdout + stderr).not.toContain('wrong-token');
  });
});

test('An invalid manifest fails the job, with the problem in the log and in the report.', async () => {
  const files = { 'agents/front-desk.yaml': project['agents/front-desk.yaml'].replace('title', 'titel') };
  const { code, stdout, findings } = await runJobs(['validate'], { files });
  expect(code).toBe(1);
  expect(stdout).toContain("agents/front-desk.yaml:4:13 error unknown-key  unknown key 'titel'");
  expect(findings).toContainEqual(expect.objectContaining({ check_name: 'unknown-key', severity: 'major' }));
});

const jobs = Object.entries(pipeline).filter(([name, { script }]) => !name.startsWith('.') && script !== undefined);

test('Every job of the GitLab pipeline first installs agentform.', () => {
  expect(jobs.map(([, job]) => job.extends)).toEqual(jobs.map(() => '.agentform'));
});

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  [
    'a merge request is only validated and planned',
    { CI_PIPELINE_SOURCE: 'merge_request_event' },
    ['validate', 'plan'],
  ],
  ['a merge is applied', { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main' }, ['validate', 'apply']],
  ['a push to another branch runs nothing', { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'topic' }, []],
  ['a schedule applies nothing', { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'main' }, ['drift']],
  [
    'a rollback replaces the apply',
    { CI_PIPELINE_SOURCE: 'web', CI_COMMIT_BRANCH: 'main', ROLLBACK: 'front-desk' },
    ['rollback'],
  ],
])('In the GitLab pipeline, %s.', (_, given, expected) => {
  const variables = { CI_DEFAULT_BRANCH: 'main', ROLLBACK: '', ...given };
  const runs = jobs.filter(([, { rules = [] }]) => rules.some((rule) => holds(rule.if, variables)));
  expect(runs.map(([name]) => name)).toEqual(expected);
});

/** Evaluates a condition of a rule: comparisons joined with `&&`. */
function holds(condition: string, variables: Readonly<Record<string, string>>): boolean {
  return condition.split(' && ').every((comparison) => {
    const [left = '', operator, right = ''] = comparison.split(' ');
    const [one, other] = [left, right].map((side) =>
      side.startsWith('$') ? variables[side.slice(1)] : side.slice(1, -1),
    );
    return operator === '==' ? one === other : one !== other;
  });
}

describe('GitLab jobs on a live agent', () => {
  let server: IndependentServer;
  let remote: BareRemote;
  let made: TestProject;

  beforeAll(async () => {
    server = await startIndependentServer();
    remote = await bareRemote();
    const environment = `{ baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }`;
    made = await pushedProject(remote, {
      ...project,
      'agentform.yaml': `${project['agentform.yaml'].replace('{ baseUrl: emulator }', environment)}record: { store: git }\n`,
    });
    expect(await runIn('apply', { NEW_AGENTS: 'all' })).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await Promise.all([made.remove(), remote.remove(), server.close()]);
  });

  const runIn = (name: string, env: Readonly<Record<string, string>> = {}) =>
    runScript(scriptOf(name), { cwd: made.root, env: { ...gitEnv, AGENT_TOKEN: 'token-1', ...env } });
  const title = () => server.agents()[0]?.settings.title;
  const shown = () => remote.git('show', 'agentform-drift:agents/front-desk.yaml');

  test('The drift job passes without edits, and pushes no branch.', async () => {
    expect(await runIn('drift')).toMatchObject({ code: 0 });
    expect(await remote.git('branch', '--list', 'agentform-drift')).toBe('');
  });

  test('The drift job fails after an edit, and pushes the edit as a new branch each night.', async () => {
    for (const edited of ['Reception', 'Lobby']) {
      server.edit(server.agents()[0]?.id ?? '', { title: edited });
      expect(await runIn('drift')).toMatchObject({ code: 2, stdout: expect.stringContaining(edited) });
      expect(await shown()).toContain(`title: ${edited}`);
    }
    expect(await remote.git('rev-list', '--count', 'main..agentform-drift')).toBe('1');
  });

  test('The apply job applies a merged change, and the rollback job restores the previous version and holds it.', async () => {
    server.edit(server.agents()[0]?.id ?? '', { title: 'Front desk' });
    await made.edit('agents/front-desk.yaml', 'Front desk', 'Wrong');
    await commit(made, 'second');
    const applied = await runIn('apply');
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply: 1 applied.') });
    expect(title()).toBe('Wrong');
    const env = { ROLLBACK: 'front-desk', CI_PIPELINE_IID: '12', GITLAB_USER_LOGIN: 'ann' };
    expect(await runIn('rollback', env)).toMatchObject({ code: 0 });
    expect(title()).toBe('Front desk');
    expect(await runIn('apply')).toMatchObject({ code: 3, stdout: expect.stringContaining('pipeline 12 of ann') });
  });
});
