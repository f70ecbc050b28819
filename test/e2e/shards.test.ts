import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

/** What became of a client between the apply and the plan. */
const fates = ['kept', 'edited', 'new', 'gone', 'dropped', 'renamed', 'moved', 'replaced'] as const;

/** To another name: as the manifest says, unsaid, and with another token besides. */
const moves: readonly string[] = ['renamed', 'moved', 'replaced'];

interface Client {
  readonly hasOrganization: boolean;
  readonly hasNumber: boolean;
  readonly fate: (typeof fates)[number];
}

interface Fleet {
  readonly clients: readonly Client[];
  readonly promptChanges: boolean;
  readonly creates: number;
  readonly of: number;
}

const client = fc.record({
  hasOrganization: fc.boolean(),
  hasNumber: fc.boolean(),
  fate: fc.constantFrom(...fates, 'kept', 'edited'),
});
const fleets: fc.Arbitrary<Fleet> = fc.record({
  clients: fc.array(client, { minLength: 3, maxLength: 9 }),
  promptChanges: fc.boolean(),
  creates: fc.nat({ max: 12 }),
  of: fc.integer({ min: 1, max: 4 }),
});

const made: TestProject[] = [];
afterAll(() => Promise.all(made.map((one) => one.remove())));

describe('the joined plans of all shards', () => {
  test('The joined plans of all shards are the plan of one run over everything, to the last byte, in every format.', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (fleet) => {
        const project = await changedFleet(fleet);
        const paths = await savedShards(project, fleet.of);
        for (const format of ['json', 'text', 'markdown']) {
          const { stdout } = await project.run('plan', '--format', format);
          expect(await project.run('show', ...paths, '--format', format)).toMatchObject({ code: 0, stdout });
        }
        await project.remove();
      }),
      { numRuns: 10 },
    );
  });
});

describe('a sharded apply', () => {
  test('A sharded apply does what one run over everything does, shard by shard.', async () => {
    const clients = ['kept', 'edited', 'new', 'dropped', 'renamed', 'edited', 'new'] as const;
    const fleet = { clients: clients.map((fate) => ({ fate, hasOrganization: true, hasNumber: true })), of: 3 };
    const project = await changedFleet({ ...fleet, promptChanges: true, creates: 50 });
    await join3(project);
    for (const shard of ['1/3', '2/3', '3/3']) {
      const { code, stderr } = await project.run('apply', '--shard', shard, '--plan', 'plan.json');
      expect({ code, stderr }).toMatchObject({ code: 0 });
    }
    const { summary } = await planned(project);
    expect(summary).toMatchObject({ create: 0, update: 0, forget: 0, blocked: 0, orphans: 0 });
  });

  test('A sharded apply needs the plan of all shards, and not one of them.', async () => {
    const project = await changedFleet(twoClients);
    await join3(project);
    expect(await project.run('apply', '--shard', '1/3', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: --shard 1\/3 needs --plan with the plan of all shards, because limits .*\(usage\)\n$/s,
      ),
    });
    for (const more of [[], ['--shard', '1/3']]) {
      expect(await project.run('apply', ...more, '--plan', 'plan-1.json')).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/the plan plan-1\.json is only shard 1\/3; join the plans of all 3 shards with/),
      });
    }
  });

  test('A sharded apply counts the limits of the project over all shards.', async () => {
    const project = await changedFleet({ ...twoClients, creates: 1 });
    await join3(project);
    const refused = {
      code: 3,
      stderr: expect.stringContaining('the plan creates 2 resources, but limits.creates is 1'),
    };
    for (const shard of ['1/3', '2/3', '3/3']) {
      expect(await project.run('apply', '--shard', shard, '--plan', 'plan.json')).toMatchObject(refused);
    }
    const allowed = await project.run('apply', '--shard', '1/3', '--plan', 'plan.json', '--allow-creates', '2');
    expect(allowed).toMatchObject({ code: 0 });
  });

  test('A sharded apply is refused, as its plan is, where a rule of a policy is about the whole plan.', async () => {
    const project = await changedFleet(twoClients);
    await join3(project);
    const rule = 'rules: [{ deny: plan.summary.create > 1, message: One at a time. }]';
    await project.write('policies/budget.yaml', `apiVersion: agentform/v1\nkind: Policy\nname: budget\n${rule}\n`);
    const refused = { code: 3, stderr: expect.stringContaining('the policy budget has a rule about the whole plan') };
    expect(await project.run('plan', '--shard', '1/3')).toMatchObject(refused);
    expect(await project.run('apply', '--shard', '1/3', '--plan', 'plan.json')).toMatchObject(refused);
    expect(await project.run('plan', '--shard', '1/3', '--skip-policies')).toMatchObject({ code: 0 });
  });

  test('A sharded apply refuses what is not as it was in the joined plan, and what is in no shard any more.', async () => {
    const project = await changedFleet(twoClients);
    await join3(project);
    const [first, second] = (await planned(project)).resources;
    await project.edit(`agents/${first?.name}.yaml`, 'title: ', 'title: Other ');
    await rm(join(project.root, `agents/${second?.name}.yaml`));
    const ended = await Promise.all(
      ['1/3', '2/3', '3/3'].map((shard) => project.run('apply', '--shard', shard, '--plan', 'plan.json')),
    );
    for (const { code, stderr } of ended) {
      expect(stderr).toContain(`the saved plan has Agent/${second?.name}, which this run does not have`);
      expect(code).toBe(3);
    }
  });
});

describe('plans that are not the shards of one plan', () => {
  test.each<[string, (project: TestProject) => Promise<readonly string[]>, RegExp]>([
    ['one is missing', async () => ['plan-1.json', 'plan-3.json'], /1 shard of 3 is missing: 2\/3; plan every shard/],
    [
      'one is there twice',
      async () => ['plan-1.json', 'plan-2.json', 'plan-1.json'],
      /plan-1\.json are both shard 1\/3/,
    ],
    [
      'one is of another number',
      async (project) => {
        await project.run('plan', '--shard', '1/2', '--out', 'other.json');
        return ['plan-1.json', 'other.json'];
      },
      /plan-1\.json and other\.json are shards 1\/3 and 1\/2/,
    ],
    [
      'one is of everything',
      async (project) => {
        await project.run('plan', '--out', 'other.json');
        return ['plan-1.json', 'other.json'];
      },
      /the plan other\.json is not the plan of a shard/,
    ],
    [
      'one was made with other manifests',
      async (project) => {
        await project.write('agents/late.yaml', agent('late', { hasOrganization: false, text: 'late' }));
        await project.run('plan', '--shard', '2/3', '--out', 'other.json');
        return ['plan-1.json', 'other.json', 'plan-3.json'];
      },
      /plan-1\.json and other\.json were made from different commits, resources or options/,
    ],
    [
      'one overrules what the others do not',
      async (project) => {
        await project.run('plan', '--shard', '2/3', '--skip-policies', '--out', 'other.json');
        return ['plan-1.json', 'other.json', 'plan-3.json'];
      },
      /plan-1\.json and other\.json were made from different commits, resources or options/,
    ],
    [
      'one was altered',
      async (project) => {
        await project.edit('plan-2.json', /"basis": "sha256:/, '"basis": "sha256:0');
        return ['plan-1.json', 'plan-2.json', 'plan-3.json'];
      },
      /the plan plan-2\.json was altered: its checksum does not match its contents/,
    ],
  ])('Plans that are not the shards of one plan are refused where %s.', async (_, paths, message) => {
    const project = await changedFleet(twoClients);
    await savedShards(project, 3);
    const { code, stdout, stderr } = await project.run('show', ...(await paths(project)));
    expect({ code: code === 0, stdout, stderr }).toEqual({
      code: false,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  test('one alone is shown as what it is', async () => {
    const project = await changedFleet(twoClients);
    await savedShards(project, 3);
    const { stdout } = await project.run('show', 'plan-2.json');
    expect(stdout).toContain('This plan covers only shard 2/3; `agentform show` joins the plans of all shards.');
    const { stderr } = await project.run('plan', '--shard', '2/3', '--out', 'plan-2.json');
    expect(stderr).toContain('To apply it, first join the plans of all shards: agentform show plan-*.json');
    expect(stderr).not.toContain('agentform apply --plan');
  });
});

test('drift looks at the resources of the shard, and of all shards at each once', async () => {
  const project = await changedFleet(twoClients);
  const reports = await Promise.all(
    ['1/3', '2/3', '3/3'].map((shard) => project.run('drift', '--shard', shard, '--format', 'json')),
  );
  const whole = JSON.parse((await project.run('drift', '--format', 'json')).stdout);
  const looked = reports.map(({ stdout }) => JSON.parse(stdout).summary.resources ?? 0);
  expect(looked.reduce((sum, count) => sum + count, 0)).toBe(whole.summary.resources ?? 0);
});

test.each(['0/3', '4/3', '1', '1/1001', '1/3x', ''])('%j is no shard', async (text) => {
  const project = await changedFleet(twoClients);
  expect(await project.run('plan', '--shard', text)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--shard'),
  });
  await project.remove();
});

const twoClients: Fleet = {
  clients: (['new', 'new'] as const).map((fate) => ({ fate, hasOrganization: false, hasNumber: false })),
  promptChanges: false,
  creates: 50,
  of: 3,
};

/** A project that was applied, and then changed as its clients say. */
async function changedFleet({ clients, promptChanges, creates }: Fleet): Promise<TestProject> {
  const tokens = clients
    .flatMap((_, index) => [index, index + 100])
    .map((index) => [`TOKEN_${index}`, `token-of-${index}`]);
  const project = await testProject(
    { 'prompt.md': prompt, 'agentform.yaml': projectFile() },
    Object.fromEntries(tokens),
  );
  made.push(project);
  for (const [index, one] of clients.entries()) {
    if (one.fate !== 'new') await write(project, index, { ...one, fate: 'kept', text: 'as it was' });
  }
  await project.run('apply', '--yes', '--allow-creates', '100');
  for (const [index, { fate, ...one }] of clients.entries()) {
    const isMoved = moves.includes(fate);
    if (isMoved || fate === 'gone' || fate === 'dropped') await remove(project, index, one);
    if (fate === 'new' || fate === 'edited') await write(project, index, { ...one, fate, text: 'as it is' });
    if (isMoved) await write(project, index, { ...one, text: 'as it was', fate });
  }
  if (promptChanges) await project.edit('prompt.md', '30 minutes', '40 minutes');
  const dropped = clients.flatMap(({ fate }, index) => {
    return fate === 'dropped' ? [`Agent/client-${index}`, `PhoneNumber/number-${index}`] : [];
  });
  await project.write('agentform.yaml', projectFile(creates, dropped));
  return project;
}

interface Written extends Omit<Client, 'fate'> {
  readonly text: string;
  readonly fate: string;
}

async function write(project: TestProject, index: number, one: Written): Promise<void> {
  const isMoved = moves.includes(one.fate);
  const name = isMoved ? `moved-${index}` : `client-${index}`;
  const former = one.fate === 'renamed' ? `client-${index}` : undefined;
  await project.write(
    `agents/${name}.yaml`,
    agent(name, { ...one, former, token: one.fate === 'replaced' ? index + 100 : index }),
  );
  if (one.hasOrganization) await project.write(`organizations/client-${index}.yaml`, organization(`client-${index}`));
  if (one.hasNumber) await project.write(`numbers/number-${index}.yaml`, phoneNumber(index, name));
}

async function remove({ root }: TestProject, index: number, { hasNumber }: Omit<Client, 'fate'>): Promise<void> {
  await rm(join(root, `agents/client-${index}.yaml`), { force: true });
  if (hasNumber) await rm(join(root, `numbers/number-${index}.yaml`), { force: true });
}

async function savedShards(project: TestProject, of: number): Promise<string[]> {
  const paths = Array.from({ length: of }, (_, index) => `plan-${index + 1}.json`);
  for (const [index, path] of paths.entries()) {
    const { code, stderr } = await project.run('plan', '--shard', `${index + 1}/${of}`, '--out', path);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  }
  return paths;
}

async function join3(project: TestProject): Promise<void> {
  const { stdout } = await project.run('show', ...(await savedShards(project, 3)), '--format', 'json');
  await project.write('plan.json', stdout);
}

async function planned(project: TestProject): Promise<Plan> {
  return JSON.parse((await project.run('plan', '--format', 'json')).stdout);
}

const prompt = `${'Greet the caller of ${var.brand} in ${var.country} politely.\n'.repeat(60)}A check-up takes 30 minutes.\n`;

function projectFile(creates = 50, removed: readonly string[] = []): string {
  return [
    'apiVersion: agentform/v1',
    'kind: Project',
    'manifests: ["*/*.yaml"]',
    'defaultEnvironment: local',
    `limits: { creates: ${creates} }`,
    `removed: ${JSON.stringify(removed)}`,
    'environments: { local: { baseUrl: emulator, resellerId: reseller-1 } }',
    '',
  ].join('\n');
}

interface AgentText {
  readonly hasOrganization: boolean;
  readonly text: string;
  readonly former?: string | undefined;
  readonly token?: number;
}

function agent(name: string, { hasOrganization, text, former, token = 0 }: AgentText): string {
  const organization = name.replace('moved', 'client');
  return [
    'apiVersion: agentform/v1',
    'kind: Agent',
    `name: ${name}`,
    ...(former === undefined ? [] : [`renamedFrom: ${former}`]),
    ...(hasOrganization ? [`organization: ${organization}`] : []),
    `variables: { brand: ${name}, country: ${hasOrganization ? 'us' : 'ca'} }`,
    'settings:',
    `  title: ${text}`,
    '  description: Answers the phone.',
    '  agentInstructions: { file: ../prompt.md }',
    'target:',
    `  token: "\${secret.TOKEN_${token}}"`,
    '',
  ].join('\n');
}

function organization(name: string): string {
  const settings = `{ orgName: ${name}, email: owner@${name}.example, accountName: Front desk, orgAccountType: customer, hipaaSetting: inherit }`;
  return `apiVersion: agentform/v1\nkind: Organization\nname: ${name}\nsettings: ${settings}\n`;
}

function phoneNumber(index: number, owner: string): string {
  return `apiVersion: agentform/v1\nkind: PhoneNumber\nname: number-${index}\nagent: ${owner}\nsettings: { number: "+1312555${String(1000 + index)}" }\n`;
}
