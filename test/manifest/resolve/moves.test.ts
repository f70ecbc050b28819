import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { ProblemsError } from '../../../src/yaml/problem.ts';
import { agent, makeFolder, manifest, projectFile, resolve, rowProblems, show } from '../temp-project.ts';

const organization = (rest = '') =>
  manifest('Organization', `${rest}resellerId: r\nsettings: { orgName: Acme }`, 'acme');
const removing = (list: string) => ({ 'agentform.yaml': `${projectFile}removed: ${list}\n` });

async function projectProblems(list: string): Promise<string[]> {
  const failure = await loadProject(makeFolder(removing(list))).catch((error: unknown) => error);
  return failure instanceof ProblemsError ? failure.problems.map(show) : [];
}

/** Another account than that of agents without a target. */
const apart = 'target: { query: { targetAccountId: 2 } }';

describe('renamedFrom', () => {
  test('The key renamedFrom is one name, or several in order.', async () => {
    const { all, problems } = await resolve({
      'agents/a.yaml': agent('', 'renamedFrom: reception', 'a'),
      'agents/b.yaml': agent('', 'renamedFrom: [b2, b1]', 'b'),
      'agents/c.yaml': agent('', '', 'c'),
    });
    expect(problems).toEqual([]);
    expect(all.map(({ renamedFrom }) => renamedFrom.map(({ name }) => name))).toEqual([
      ['reception'],
      ['b2', 'b1'],
      [],
    ]);
  });

  test.each([
    ['its own name', 'desk', "desk'", 'a.yaml:3:7'],
    ['the name of a manifest that exists', 'other', "other'", 'b.yaml:3:7'],
  ])('A renamedFrom that is %s is an error with both places.', async (_what, name, value, place) => {
    const found = await rowProblems(agent('', `renamedFrom: ${name}`), { 'agents/b.yaml': agent('', apart, 'other') });
    expect(found).toEqual([
      `agents/a.yaml:7:14 renamedFrom is '${value}, but a manifest still declares Agent/${name}; delete that manifest, or delete this line [the manifest agents/${place}]`,
    ]);
  });

  test('A renamedFrom shared by two manifests of one kind is an error with both places.', async () => {
    const found = await rowProblems(agent('', 'renamedFrom: old'), {
      'agents/b.yaml': agent('', `renamedFrom: [new, old]\n${apart}`, 'other'),
      'agents/o.yaml': organization('renamedFrom: old\n'),
    });
    expect(found).toEqual([
      'agents/b.yaml:7:20 Agent/desk and Agent/other are both renamed from Agent/old, which has only one record; keep one of the two lines [first here agents/a.yaml:7:14]',
    ]);
  });

  test.each([
    ['Front Desk', /7:14 renamedFrom is 'Front Desk': expected lowercase letters/],
    ['[]', /7:14 renamedFrom is an empty list/],
    ['[a, a]', /renamedFrom/],
    ['5', /7:14 renamedFrom is 5: expected a string/],
  ])('The former name %s is refused.', async (value, message) => {
    expect(await rowProblems(agent('', `renamedFrom: ${value}`))).toEqual([expect.stringMatching(message)]);
  });

  test.each([['renamedFrom: old'], ['onlyIn: [local]']])('A base may not have %s', async (line) => {
    const base = `apiVersion: agentform/v1\nkind: Agent\n${line}\n`;
    const found = await rowProblems(agent('', 'extends: ../base.yaml'), { 'base.yaml': base });
    expect(found).toEqual([
      expect.stringMatching(/^base.yaml:3:1 a base must not set \w+, because it does not declare a resource/),
    ]);
  });
});

describe('the key removed', () => {
  test('A removed resource that is declared is an error with both places, even if onlyIn excludes it.', async () => {
    const found = await rowProblems(agent('', 'onlyIn: [production]'), removing('[Agent/desk]'));
    expect(found).toContain(
      'agentform.yaml:13:11 removed lists Agent/desk, but a manifest declares it; delete the manifest, or delete this line [the manifest agents/a.yaml:3:7]',
    );
  });

  test('A removed resource that a manifest was renamed from is an error with both places.', async () => {
    const found = await rowProblems(agent('', 'renamedFrom: old'), removing('[Agent/old, Agent/gone]'));
    expect(found).toEqual([
      'agentform.yaml:13:11 removed lists Agent/old, but Agent/desk was renamed from it; keep one of the two lines [the rename agents/a.yaml:7:14]',
    ]);
  });

  test.each([
    ['[desk]', /13:11 removed\[0\] is 'desk': expected Kind\/name, such as Agent\/front-desk/],
    ['[Agnet/desk]', /13:11 removed lists 'Agnet\/desk', but there is no kind 'Agnet': .*did you mean 'Agent\/desk'\?/],
    ['Agent/desk', /13:10 removed is 'Agent\/desk': expected a list/],
  ])('The list removed: %s is refused.', async (list, message) => {
    expect(await projectProblems(list)).toEqual([expect.stringMatching(message)]);
  });
});

describe('onlyIn', () => {
  const limited = agent('', 'onlyIn: [production]', 'desk');
  const env = { AGENT_TOKEN: 'token-0' };

  test('The key onlyIn excludes a manifest from all other environments.', async () => {
    const files = { 'agents/a.yaml': limited, 'agents/b.yaml': agent('', '', 'other') };
    const local = await resolve(files);
    expect(local.all.map(({ name }) => name)).toEqual(['other']);
    expect(local.desired.map(({ name }) => name)).toEqual(['other']);
    expect(local.elsewhere).toEqual([{ kind: 'Agent', name: 'desk', onlyIn: ['production'], renamedFrom: [] }]);
    const production = await resolve(files, { environment: 'production', env, select: (one) => one === 'Agent/desk' });
    expect(production.desired.map(({ name }) => name)).toEqual(['desk']);
    expect(production.elsewhere).toEqual([]);
  });

  test('The key onlyIn must name environments of the project.', async () => {
    expect(await rowProblems(agent('', 'onlyIn: [production, prod]'))).toEqual([
      "agents/a.yaml:7:22 agentform.yaml has no environment 'prod': it has 'local' and 'production'",
    ]);
    expect(await rowProblems(agent('', 'onlyIn: []'))).toEqual([expect.stringMatching(/7:9 onlyIn is an empty list/)]);
  });

  test('A reference to a manifest that the environment does not have is an error with both places.', async () => {
    const found = await rowProblems(agent('', 'organization: acme'), {
      'agents/o.yaml': organization('onlyIn: [production]\n'),
    });
    expect(found).toEqual([
      "agents/a.yaml:7:15 organization is 'acme', but onlyIn limits Organization/acme to 'production', so 'local' does not have it; " +
        'write the same onlyIn in this manifest, or add the environment to that onlyIn (in the environment local) [limited here agents/o.yaml:4:9]',
    ]);
    expect(
      await rowProblems(agent('', 'organization: acme\nonlyIn: [production]'), {
        'agents/o.yaml': organization('onlyIn: [production]\n'),
      }),
    ).toEqual([]);
  });

  test('Two manifests of one name are an error, even if no environment has both.', async () => {
    const found = await rowProblems(agent('', 'onlyIn: [local]'), { 'agents/b.yaml': limited });
    expect(found).toEqual([expect.stringMatching(/b.yaml:3:7 two manifests declare Agent\/desk/)]);
  });

  test('Two environments do not share an agent if only one has the manifest.', async () => {
    const twins = `${projectFile}  staging: { baseUrl: "https://service.example.com", token: "\${secret.STAGING}" }\n`;
    const target = agent('', 'target: { agentId: camp_1 }');
    expect((await rowProblems(target, { 'agentform.yaml': twins })).join()).toMatch(/both write the agent 'camp_1'/);
    expect(await rowProblems(`${target}onlyIn: [staging]\n`, { 'agentform.yaml': twins })).toEqual([]);
  });
});

describe('merge conflict marks', () => {
  const conflict = (text: string) => `<<<<<<< HEAD\n${text}\n=======\nother\n>>>>>>> topic\n`;

  test('Merge conflict marks in a manifest are one problem, which names the command.', async () => {
    expect(await rowProblems(`apiVersion: agentform/v1\n${conflict('kind: Agent')}name: desk\n`)).toEqual([
      'agents/a.yaml:2:1 the file contains merge conflict markers; edit the file to keep the lines that you want. To keep one whole side, while ' +
        'the merge is open, run `git checkout --ours -- agents/a.yaml` or `git checkout --theirs -- agents/a.yaml`',
    ]);
  });

  test.each(['<<<<<<< HEAD', '=======', '>>>>>>> topic'])(
    'Merge conflict marks with only %s left are reported like complete ones.',
    async (mark) => {
      expect(await rowProblems(`apiVersion: agentform/v1\n${mark}\nkind: Agent\nname: desk\n`)).toEqual([
        expect.stringMatching(/^agents\/a\.yaml:2:1 the file contains merge conflict markers; edit the file/),
      ]);
    },
  );

  test('Merge conflict marks in an included text are reported, because they would be sent.', async () => {
    const found = await rowProblems(agent('agentInstructions: { file: ../p.md }'), { 'p.md': conflict('Hello') });
    expect(found).toEqual([
      expect.stringMatching(/^p.md:1:1 the file contains merge conflict markers.* \[used here agents\/a.yaml:7:30\]$/),
    ]);
  });
});
