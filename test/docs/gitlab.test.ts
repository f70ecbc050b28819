import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { testProject } from '../support/cli.ts';
import { cliCommand } from '../support/node.ts';
import { runShell } from '../support/shell.ts';

interface Job {
  readonly extends: string;
  readonly script: readonly string[];
}

const pipeline: Record<string, Job> = parse(
  readFileSync(resolve(import.meta.dirname, '../../examples/gitlab/.gitlab-ci.yml'), 'utf8'),
);
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

let gitlab: Server;
let address: string;
const notes: { url: string | undefined; token: unknown; body: string | null }[] = [];

/** What GitLab's API does with a note, and nothing else of it. */
beforeAll(async () => {
  gitlab = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body = new URLSearchParams(text).get('body');
    notes.push({ url: request.url, token: request.headers['private-token'], body });
    response.writeHead(201).end();
  });
  await new Promise<void>((done) => void gitlab.listen(0, '127.0.0.1', done));
  const bound = gitlab.address();
  address = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
});
afterAll(() => void gitlab.close());

/** Runs the commands of jobs as GitLab's runner would, but for the installation. */
async function runJobs(...names: string[]) {
  const { root, remove } = await testProject(project);
  const words = cliCommand.map((word) => `'${word}'`).join(' ');
  const commands = names.flatMap((name) => pipeline[name]?.script ?? []);
  const env = {
    ...{ AGENTFORM_ENVIRONMENT: 'production', NOTES_TOKEN: 'notes', CI_API_V4_URL: `${address}/api/v4` },
    ...{ CI_PROJECT_ID: '7', CI_MERGE_REQUEST_IID: '12' },
  };
  try {
    return await runShell(`agentform() { ${words} "$@"; }\n${commands.join('\n')}`, { cwd: root, env });
  } finally {
    await remove();
  }
}

test('the plan of a merge request is posted as a note', async () => {
  expect(await runJobs('validate', 'plan')).toMatchObject({ code: 0 });
  expect(notes).toEqual([
    {
      url: '/api/v4/projects/7/merge_requests/12/notes',
      token: 'notes',
      body: expect.stringContaining('Agent/front-desk'),
    },
  ]);
}, 20_000);

test('what was merged is applied', async () => {
  const { code, stdout } = await runJobs('apply');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Apply: 1 applied.') });
}, 20_000);

test('every job installs agentform first', () => {
  const jobs = Object.entries(pipeline).filter(([name, { script }]) => !name.startsWith('.') && script !== undefined);
  expect(jobs.map(([, job]) => job.extends)).toEqual(['.agentform', '.agentform', '.agentform']);
});
