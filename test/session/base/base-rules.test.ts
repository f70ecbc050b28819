import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { unmended } from '../../../src/manifest/resolve/policies.ts';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { restrictedTo, rulesAtCommit, rulesOf } from '../../../src/session/base/base-rules.ts';
import { openTrustedCommit, trustAtCommit } from '../../../src/session/base/base-trust.ts';
import { makeFolder } from '../../manifest/temp-project.ts';
import { commitAll, git, initRepository, tracedGit } from '../../support/git.ts';

const projectWith = async (requires: string) => {
  const folder = makeFolder({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n' +
      `  qa: { baseUrl: emulator }\n  staging: { baseUrl: emulator }\n  production: { baseUrl: emulator${requires} }\n`,
    'agents/README.md': '',
  });
  return { project: await loadProject(folder) };
};

async function requiredWith(head: string, base: string) {
  const [one, other] = [await projectWith(head), await projectWith(base)];
  const there = { commit: 'c', load: async () => other.project, paths: () => [], missing: [] };
  const rules = await rulesOf(there, one.project, { environments: [], env: {} });
  return restrictedTo(one.project, rules).requires.get('production') ?? [];
}

const staging = (wait: string) => `, requires: { environment: staging, for: ${wait} }`;

test.each<[string, string, string, object[]]>([
  ['deletes it', '', ', requires: staging', [{ environment: 'staging' }]],
  ['takes less time', staging('1h'), staging('24h'), [{ environment: 'staging', for: '24h' }]],
  ['takes more time', staging('2d'), staging('24h'), [{ environment: 'staging', for: '2d' }]],
  ['leaves out the time', ', requires: staging', staging('5m'), [{ environment: 'staging', for: '5m' }]],
  [
    'names another one',
    ', requires: qa',
    staging('5m'),
    [{ environment: 'qa' }, { environment: 'staging', for: '5m' }],
  ],
  ['adds it', ', requires: qa', '', [{ environment: 'qa' }]],
])('A change of required environments that %s is also judged by the base.', async (_what, head, base, required) => {
  expect(await requiredWith(head, base)).toEqual(required);
});

test('A project file with an error in the base commit stops the run, because its policies are unknown.', async () => {
  const { project } = await projectWith('');
  const there = {
    commit: 'c',
    load: () => loadProject(makeFolder({ 'agentform.yaml': 'manifests: [\n' })),
    paths: () => [],
    missing: [],
  };
  await expect(rulesOf(there, project, { environments: [], env: {} })).rejects.toMatchObject({
    code: 'base-unreadable',
    message: expect.stringMatching(
      /^agentform.yaml at the base commit cannot be used \(agentform.yaml has an error\), so its policies are unknown$/,
    ),
  });
});

test.each([
  [', unanswered: leave', '', 'undo'],
  ['', ', unanswered: leave', 'leave'],
])('A change to %j uses the setting %j of the base for dashboard edits.', async (head, base, counts) => {
  const [one, other] = [await projectWith(head), await projectWith(base)];
  const there = { commit: 'c', load: async () => other.project, paths: () => [], missing: [] };
  const rules = await rulesOf(there, one.project, { environments: [], env: {} });
  const { definitions } = restrictedTo(one.project, rules);
  expect(definitions.get('production')?.unanswered).toBe(counts);
  const none = await rulesAtCommit(one.project, undefined, { environments: [], env: {} });
  const own = restrictedTo(one.project, none).definitions.get('production')?.unanswered;
  expect(own).toBe(head === '' ? 'undo' : 'leave');
});

test('A project without a base uses its own lint levels.', async () => {
  const { project: plain } = await projectWith('');
  const levels = {
    lint: { 'prompt-secret': 'off', 'prompt-length': 'error' },
    lintMaxima: { 'prompt-length': 100 },
  } as const;
  const project = { ...plain, ...levels };
  const { lint, lintMaxima } = restrictedTo(
    project,
    await rulesAtCommit(project, undefined, { environments: [], env: {} }),
  );
  expect({ lint, lintMaxima }).toEqual(levels);
});

describe('the rules of a commit', () => {
  const rule = (name: string) =>
    `apiVersion: agentform/v1\nkind: Policy\nname: ${name}\nmatch: { kinds: [Agent] }\nexceptions: [{ name: desk, reason: old }]\n` +
    'rules: [{ deny: "desired.settings.title == \'x\'", message: No. }]\n';
  const allowed = '<!-- agentform-allow prompt-placeholder -->\nOpen [INSERT HOURS].\n';
  const files = {
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["{agents,rules}/*.yaml"]\n' +
      'environments: { local: { baseUrl: emulator } }\nlint: { prompt-placeholder: error }\n',
    'agents/desk.yaml':
      'apiVersion: agentform/v1\nkind: Agent\nname: desk\nextends: ../base.yaml\n' +
      'settings: { title: Desk, description: d, agentInstructions: { file: ../prompts/.desk.md } }\n',
    'base.yaml': 'apiVersion: agentform/v1\nkind: Agent\nlabels: { team: north }\n',
    'prompts/.desk.md': allowed,
    'rules/titles.yaml': rule('titles'),
    'rules/broken.yaml': 'apiVersion: agentform/v1\nkind: Policy\nname: broken\n',
  };
  const { TMPDIR: before } = process.env;
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });

  async function rulesIn(folder: string) {
    const project = await loadProject(folder);
    const rules = await rulesAtCommit(project, 'HEAD', { environments: ['local'], env: {} });
    const { policies = [], broken, texts, identities } = rules ?? {};
    const labels = identities?.get('local')?.map((one) => one.labels);
    return { policies: policies.map(({ name }) => name), broken, texts: texts?.digest, labels };
  }

  test('Rules of the base commit come from its blobs, whatever the work tree has.', async () => {
    const folder = makeFolder(files);
    initRepository(folder);
    await commitAll(folder, 'base');
    const committed = await rulesIn(folder);
    expect(committed).toMatchObject({ policies: ['titles'], broken: ['broken'], labels: [{ team: 'north' }] });
    for (const path of Object.keys(files)) if (path !== 'agentform.yaml') await rm(join(folder, path));
    process.env.TMPDIR = '/nowhere';
    expect(await rulesIn(folder)).toEqual(committed);
  });

  test('One git process finds the named base commit and reads its blobs.', async () => {
    const folder = makeFolder(files);
    initRepository(folder);
    await commitAll(folder, 'base');
    const { starts } = await tracedGit(() => rulesIn(folder));
    expect(starts.filter((start) => start.includes('"cat-file"'))).toHaveLength(1);
    expect(starts.filter((start) => start.includes('"HEAD^{commit}"') && start.includes('"--verify"'))).toEqual([]);
  });

  test('If the project file of the base commit has errors, the rules of the commit before it apply.', async () => {
    const folder = makeFolder(files);
    initRepository(folder);
    const commitText = async (text: string) => {
      await writeFile(join(folder, 'agentform.yaml'), text);
      return commitAll(folder, text);
    };
    await commitAll(folder, 'base');
    await rm(join(folder, 'rules/titles.yaml'));
    await commitText('manifests: [\n');
    await commitText('manifests: [[\n');
    await writeFile(join(folder, 'agentform.yaml'), files['agentform.yaml']);
    expect((await rulesIn(folder)).policies).toEqual(['titles']);
  });

  test('If no earlier project file is valid, there are no rules, but the search stops after 20 commits.', async () => {
    const folder = makeFolder({ ...files, 'agentform.yaml': 'manifests: [\n' });
    initRepository(folder);
    await commitAll(folder, 'base');
    await writeFile(join(folder, 'agentform.yaml'), files['agentform.yaml']);
    expect((await rulesIn(folder)).policies).toEqual([]);
    await writeFile(join(folder, 'agentform.yaml'), 'manifests: [\n');
    for (let count = 0; count < 21; count += 1) await commitAll(folder, 'more');
    await writeFile(join(folder, 'agentform.yaml'), files['agentform.yaml']);
    await expect(rulesIn(folder)).rejects.toMatchObject({
      code: 'base-unreadable',
      message: expect.stringContaining(
        '. Run the command without a base commit. On GitHub, start it by hand with workflow_dispatch',
      ),
    });
  });

  test('If git cannot show the project file of the base commit, no earlier rules count.', async () => {
    const folder = makeFolder(files);
    initRepository(folder);
    await commitAll(folder, 'base');
    await writeFile(join(folder, 'agentform.yaml'), 'version https://git-lfs.github.com/spec/v1\n');
    await commitAll(folder, 'pointer');
    await writeFile(join(folder, 'agentform.yaml'), files['agentform.yaml']);
    await expect(rulesIn(folder)).rejects.toMatchObject({
      code: 'base-unreadable',
      message: expect.stringContaining('is a Git LFS pointer'),
    });
  });

  test('After a run has decided on trust, the rules of the same base commit need no git.', async () => {
    const folder = makeFolder(files);
    initRepository(folder);
    const id = await commitAll(folder, 'base');
    const project = await loadProject(folder);
    const openedBase = await openTrustedCommit(project.root, id);
    await trustAtCommit({ env: {} }, { file: project.file, commit: openedBase });
    await rm(join(folder, '.git'), { recursive: true });
    const asking = { environments: ['local'], env: {}, openedBase };
    const rules = await rulesAtCommit(project, id, asking);
    expect(rules?.policies.map(({ name }) => name)).toEqual(['titles']);
    await expect(rulesAtCommit(project, 'HEAD', asking)).rejects.toThrow('not in a readable git repository');
    const copy = await loadProject(makeFolder(files));
    await expect(rulesAtCommit(copy, id, asking)).rejects.toThrow('not in a readable git repository');
  });

  const callers =
    'apiVersion: agentform/v1\nkind: Test\nname: titles\n' +
    'cases: [{ name: a, call: { callerName: Jane }, expect: { answer: true } }]\n';

  /**
   * Returns the rules of a base commit whose folder `rules` contains these texts. The files are named by their order.
   */
  async function rulesOfTexts(texts: readonly (string | Buffer)[]) {
    const named = texts.map((text, index) => [
      `rules/${index}.yaml`,
      typeof text === 'string' ? text.replace('name: titles', `name: t${index}`) : text,
    ]);
    const folder = makeFolder({ 'agentform.yaml': files['agentform.yaml'], ...Object.fromEntries(named) });
    initRepository(folder);
    await commitAll(folder, 'base');
    return rulesAtCommit(await loadProject(folder), 'HEAD', { environments: [], env: {} });
  }

  test('Policies and Tests of the base commit count, in any YAML form of their kind.', async () => {
    const forms: readonly ((text: string) => string)[] = [
      (text) => text.replace(/kind: (\w+)(\w)/, 'kind: "$1\\\n  $2"'),
      (text) => text.replace('Policy', '"Poli\\u0063y"').replace('Test', '"T\\x65st"'),
      (text) => text.replace('kind: ', '"\\x6bind": '),
      (text) => text.replace('kind: ', 'kind: &kind '),
      (text) => text.replace('kind: ', '? kind\n: !!str '),
      (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`,
    ];
    const rules = await rulesOfTexts(forms.flatMap((form) => [form(rule('titles')), form(callers)]));
    expect(rules?.policies.map(({ name }) => name)).toEqual(['t0', 't10', 't2', 't4', 't6', 't8']);
    expect(rules?.tests.map(({ file }) => file.name)).toEqual(['t1', 't11', 't3', 't5', 't7', 't9']);
  });

  test('Policies and Tests of the base commit with an error count as broken by their path, even if their kind is escaped.', async () => {
    const incomplete = (text: string) => `${text}more: [\n`;
    const spoilers: readonly ((text: string) => string)[] = [
      incomplete,
      (text) => `${text}---\n${text}`,
      (text) => text.replace(/name: .*\n/, ''),
    ];
    const head = 'apiVersion: agentform/v1\n';
    const agent = `${head}kind: Agent\nname: titles\nsettings: { title: Test Policy, description: [ }\n`;
    const escapedAgent = `${head}"k\\x69nd": "Ag\\x65nt"\nname: titles\n`;
    const rules = await rulesOfTexts([
      ...spoilers.flatMap((spoil) => [spoil(rule('titles')), spoil(callers)]),
      incomplete(rule('titles').replace('Policy', '"Pol\\x69cy"')),
      incomplete(callers.replace('kind: ', '"\\x6bind": ')),
      `${escapedAgent}---\n${rule('titles')}`,
      agent,
      incomplete(escapedAgent),
      '# A Test without values\n',
      'name: Test\n',
    ]);
    expect(rules).toMatchObject({ policies: [], tests: [], lost: [] });
    expect(rules?.broken).toEqual([0, 2, 4, 6, 8].map((index) => `rules/${index}.yaml`));
    expect(rules?.brokenTests).toEqual([1, 3, 5, 7].map((index) => `rules/${index}.yaml`));
  });

  test.each([
    ['titles', []],
    ['rules/new.yaml', []],
    ['other', ['the policy other has errors in the base commit']],
    ['rules/other.yaml', ['the policy rules/other.yaml has errors in the base commit']],
  ])('A change may replace the broken policy %s by its name or in its file.', async (broken, messages) => {
    const texts = { 'agentform.yaml': files['agentform.yaml'], 'rules/new.yaml': rule('titles') };
    const options = { environment: 'local', env: {}, secrets: 'names' } as const;
    const { policies } = await resolveProject(await loadProject(makeFolder(texts)), options);
    const problems = unmended({ broken: [broken], lost: [], lostSubmodules: [] }, policies);
    expect(problems.map(({ message }) => message)).toEqual(messages.map((one) => expect.stringContaining(one)));
  });

  test('A policy, Test or agent of the base commit that is over 1 MiB, in Latin-1 or in UTF-16 is recognised.', async () => {
    const encodings: readonly ((text: string) => Buffer)[] = [
      (text) => Buffer.from(text + '#'.repeat(1024 * 1024)),
      (text) => Buffer.from(`${text}# \xfc\n`, 'latin1'),
      (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    ];
    const agent = 'apiVersion: agentform/v1\nkind: Agent\nname: titles\ndescription: Policy\n';
    const rules = await rulesOfTexts(encodings.flatMap((encoded) => [rule('titles'), callers, agent].map(encoded)));
    expect(rules).toMatchObject({ policies: [], tests: [], lost: [] });
    expect(rules?.broken).toEqual(['rules/0.yaml', 'rules/3.yaml', 'rules/6.yaml']);
    expect(rules?.brokenTests).toEqual(['rules/1.yaml', 'rules/4.yaml', 'rules/7.yaml']);
  });

  const unread = (path: string) => ({
    message: expect.stringMatching(new RegExp(`^the manifest ${path} cannot be read in the base commit`)),
  });

  const unreadable = {
    'rules/4-mib.yaml': Buffer.from(rule('titles') + '#'.repeat(4 * 1024 * 1024)),
    'rules/8-mib.yaml': Buffer.from(rule('titles') + '#'.repeat(8 * 1024 * 1024)),
    'rules/encrypted.yaml': Buffer.from('0047495443525950540099ff', 'hex'),
    'rules/hidden-kind.yaml': Buffer.from(`a: x: y\n${rule('titles').replace('Policy', '"Pol\\x69cy"')}`),
    'rules/lfs.yaml': Buffer.from('version https://git-lfs.github.com/spec/v1\n'),
  };

  test('A change may keep a manifest that cannot be read in the base commit, but neither remove nor replace it.', async () => {
    const rules = async () => rulesAtCommit(await loadProject(folder), base, { environments: [], env: {} });
    const folder = makeFolder({ 'agentform.yaml': files['agentform.yaml'], ...unreadable });
    const paths = Object.keys(unreadable);
    initRepository(folder);
    const base = await commitAll(folder, 'base');
    expect(await rules()).toMatchObject({ policies: [], broken: [], lost: [] });
    // A filter may make the files readable in the work tree.
    for (const [index, path] of paths.entries()) await writeFile(join(folder, path), rule(`titles-${index}`));
    expect(await rules()).toMatchObject({ lost: [] });
    await commitAll(folder, 'replaced');
    const replaced = await rules();
    expect(replaced).toMatchObject({ policies: [], broken: [], lost: paths });
    if (replaced === undefined) throw new Error('there are no rules');
    expect(unmended(replaced, [])).toMatchObject(paths.map(unread));
    const options = { environment: 'local', env: {}, secrets: 'names' } as const;
    expect(unmended(replaced, (await resolveProject(await loadProject(folder), options)).policies)).toEqual([]);
    for (const path of paths) await rm(join(folder, path));
    expect(await rules()).toMatchObject({ lost: paths });
  });

  const anotherCommit = async (folder: string) => {
    const origin = join(folder, '../rules');
    await writeFile(join(origin, 'titles.yaml'), rule('titles').replace('"x"', '"y"'));
    await commitAll(origin, 'weaker');
    // As `actions/checkout` does, fetches only the newest commit.
    await rm(join(folder, 'rules'), { recursive: true });
    await git(folder, 'clone', '--quiet', '--depth=1', `file://${origin}`, 'rules');
    await git(folder, 'config', '--file', '.gitmodules', 'submodule.rules.ignore', 'all');
    await git(folder, 'add', '--force', 'rules', '.gitmodules');
  };

  test.each([
    ['moves to another commit', anotherCommit],
    ['removes', (folder: string) => git(folder, 'rm', '--quiet', '--force', 'rules')],
  ])(
    'A change that %s a submodule with policies is refused if the policies of the base are unknown.',
    async (_, edit) => {
      const top = makeFolder({
        'project/agentform.yaml': files['agentform.yaml'],
        'rules/titles.yaml': rule('titles'),
      });
      const [folder, origin] = [join(top, 'project'), join(top, 'rules')];
      for (const repository of [folder, origin]) initRepository(repository);
      await commitAll(origin, 'rules');
      await symlink('rules', join(folder, 'agents'));
      await git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin, 'rules');
      const base = await commitAll(folder, 'base');
      const rules = async () => rulesAtCommit(await loadProject(folder), base, { environments: [], env: {} });
      expect(await rules()).toMatchObject({ policies: [{ name: 'titles' }, { name: 'titles' }], lostSubmodules: [] });
      await git(folder, 'submodule', '--quiet', 'deinit', '--force', 'rules');
      await rm(join(folder, '.git/modules'), { recursive: true });
      // A workflow that checks out no submodules sees none of their policies, before or after a change.
      expect(await rules()).toMatchObject({ policies: [], lostSubmodules: [] });
      await edit(folder);
      const changed = await rules();
      expect(changed).toMatchObject({ policies: [], lost: [], lostSubmodules: ['rules', 'agents'] });
      expect(changed && unmended(changed, [])).toMatchObject([
        {
          severity: 'error',
          message: expect.stringContaining('the submodule rules may contain policies, but git lacks'),
        },
        { severity: 'error' },
      ]);
    },
  );

  test('A base commit with a link has the same rules as one without.', async () => {
    const folder = makeFolder(files);
    initRepository(folder);
    await commitAll(folder, 'base');
    const plain = await rulesIn(folder);
    await symlink('prompts', join(folder, 'texts'));
    await commitAll(folder, 'link');
    expect(await rulesIn(folder)).toEqual(plain);
  });
});
