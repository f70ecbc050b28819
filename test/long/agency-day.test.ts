import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { type Remote, startRemote } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const count = Number(process.env.AGENCY_CLIENTS ?? 12);
const head = 'apiVersion: agentform/v1\n';
const names = Array.from({ length: count }, (_, index) => `client-${index + 1}`);
const table = names.map((name, index) => `${name},${1000 + index},Brand ${index + 1},${index < 3 ? 'canary' : 'late'}`);
const prompt = '# ${var.brand}\n\nAnswer the phone of ${var.brand}.\n\nA check-up takes 30 minutes.\n\nSay goodbye.\n';
const sentence = 'Parking is behind the house of Brand 7.';

let remote: Remote;
let project: TestProject;
const inProject = (...args: string[]) => git(project.root, ...args);

beforeAll(async () => {
  remote = await startRemote();
  project = await testProject(
    {
      'agentform.yaml': `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nlimits: { creates: 1000 }\nenvironments: { production: { baseUrl: "${remote.baseUrl}", token: "\${secret.AGENT_TOKEN}" } }\n`,
      'agents/fleet.yaml': `${head}kind: Fleet\nname: dental\ntemplates: [../templates/agent.yaml]\nmembers: { file: ../clients.csv }\noverrides: ../clients/\${var.name}.yaml\nlabels: { ring: "\${var.ring}" }\n`,
      'templates/agent.yaml': `${head}kind: Agent\nsettings:\n  title: \${var.brand}\n  description: Answers the phone\n  agentVoice: warm-1\n  agentInstructions: { file: prompt.md }\ntarget: { query: { targetAccountId: "\${var.account}" } }\n`,
      'templates/prompt.md': prompt,
      'clients.csv': `name,account,brand,ring\n${table.join('\n')}\n`,
    },
    { AGENT_TOKEN: `tok-${Math.random()}` },
  );
  await inProject('init', '-q', '-b', 'main');
});
afterAll(async () => {
  await project.remove();
  await remote.close();
});

async function run(...args: string[]) {
  const result = await project.run(...args);
  expect({ args, code: result.code, stderr: result.code === 0 ? '' : result.stderr + result.stdout }).toEqual({
    args,
    code: 0,
    stderr: '',
  });
  return result;
}

async function edited(name: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const record = JSON.parse(await project.read(`.agentform/records/production/Agent/${name}.json`));
  await remote.dashboard(record.id, settings);
}

/** The number of changes found by comparing values. After a dashboard edit, write-only settings are resent as well. */
async function compared(): Promise<number> {
  const { resources } = JSON.parse((await run('plan', '--format', 'json')).stdout);
  return resources.flatMap(({ changes }: { changes: { knowledge: string }[] }) =>
    changes.filter(({ knowledge }) => knowledge === 'compared'),
  ).length;
}

async function liveText(name: string): Promise<string> {
  const { stdout } = await run('explain', `Agent/${name}`, 'settings.agentInstructions', '--format', 'json');
  return JSON.parse(stdout).fields[0].live;
}

test('An agency validates, plans, applies, edits and updates a fleet within a day.', async () => {
  expect((await run('validate')).stdout).toContain(`${count} resources valid`);
  expect((await run('plan')).stdout).toContain(`${count} agents`);

  // The approved changes reach the canaries first, and then the other agents.
  await run('plan', '-l', 'ring=canary', '--out', 'canary.plan.json');
  expect((await run('apply', '--plan', 'canary.plan.json', '-l', 'ring=canary', '--new', 'all')).stdout).toContain(
    '3 applied',
  );
  expect((await run('apply', '--yes', '--new', 'all')).stdout).toContain(`${count - 3} applied`);
  expect(await compared()).toBe(0);
  await inProject('add', '.');
  await inProject('commit', '-q', '-m', 'The agents of all clients');

  // A client edits its agent in the dashboard, and the drift is written to a branch.
  const own = prompt.trimEnd().replaceAll('${var.brand}', 'Brand 7').replace('minutes.\n', `minutes.\n${sentence}\n`);
  await edited('client-7', { agentInstructions: own, agentVoice: 'warm-7' });
  await run('drift', '--branch', 'drift');
  expect(await inProject('diff', '--name-only', 'main', 'drift')).toBe(
    'clients/client-7.agent-instructions.patch\nclients/client-7.yaml',
  );
  await inProject('merge', '-q', '--ff-only', 'drift');
  expect(await project.read('clients/client-7.agent-instructions.patch')).toContain(`+${sentence}`);
  expect(await compared()).toBe(0);

  // The next version of the template reaches all agents, and the client's override keeps the client's sentence.
  await project.write('templates/prompt.md', prompt.replace('Say goodbye.', 'Say goodbye and thank you.'));
  expect((await run('plan')).stdout).toContain(`${count} to update`);
  await run('apply', '--yes', '--new', 'all', '-l', 'ring=canary');
  await run('apply', '--yes', '--new', 'all');
  expect(await liveText('client-7')).toBe(own.replace('Say goodbye.', 'Say goodbye and thank you.'));
  expect(await liveText('client-8')).not.toContain('Parking');
  expect(await compared()).toBe(0);
});

test('A template edit of lines that a client changed is a problem that names both places.', async () => {
  await project.write('templates/prompt.md', prompt.replace('30 minutes', '40 minutes'));
  const { code, stdout, stderr } = await project.run('validate');
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('clients/client-7.agent-instructions.patch:3:1');
  expect(stdout + stderr).toContain('templates/prompt.md:5:1');
});

test('An edit of a value from the table goes into the override of the member, with the variable named.', async () => {
  await project.write('templates/prompt.md', prompt.replace('Say goodbye.', 'Say goodbye and thank you.'));
  await edited('client-9', { title: 'Renamed' });
  const { code, stdout } = await project.run('update', 'client-9');
  expect(code).toBe(0);
  expect(stdout).toContain('settings.title no longer uses ${var.brand}');
  expect(await project.read('clients/client-9.yaml')).toContain('title: Renamed');
});

test("The next edit of a client goes into the client's existing files.", async () => {
  await edited('client-7', {
    agentVoice: 'warm-8',
    agentInstructions: (await liveText('client-7')).replace(sentence, 'Parking is in front.'),
  });
  await run('update', 'client-7');
  expect(await project.read('clients/client-7.yaml')).toContain('agentVoice: warm-8');
  expect(await project.read('clients/client-7.agent-instructions.patch')).toContain('+Parking is in front.');
  expect(await inProject('status', '--porcelain', '--', 'templates/agent.yaml', 'clients.csv')).toBe('');
});
