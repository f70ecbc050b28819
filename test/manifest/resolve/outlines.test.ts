import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addressOf } from '../../../src/kinds/desired.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import type { Resolution } from '../../../src/manifest/resolve/resolution.ts';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { makeFolder, show } from '../temp-project.ts';

const count = 60;
const cache = { folder: join(mkdtempSync(join(tmpdir(), 'agentform-outlines-')), 'agentform'), build: 'a' };
let root: string;

afterAll(() => rmSync(join(cache.folder, '..'), { recursive: true }));

/** Files have no signature for three seconds, so that all tests share one project and edit other files of it. */
beforeAll(async () => {
  root = makeFolder({ 'agentform.yaml': projectFile, ...manifests(), 'shared/base.yaml': base });
  await passed(3_100);
});

const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  production: { baseUrl: "https://a.example.com", token: "\${secret.TOKEN}", variables: { ring: one } }
  staging: { baseUrl: "https://a.example.com", token: "\${secret.STAGING_TOKEN}", variables: { ring: two } }
`;
const base = 'apiVersion: agentform/v1\nkind: Agent\nsettings: { title: Desk, description: Answers. }\n';

function manifests() {
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  return {
    ...Object.fromEntries(names.map((name, index) => [`agents/${name}.yaml`, agent(name, index)])),
    'agents/clinic.yaml':
      'apiVersion: agentform/v1\nkind: Organization\nname: clinic\nresellerId: "1"\nsettings: { orgName: Clinic, email: a@example.com }\n',
    ...Object.fromEntries(names.slice(0, 5).map((name, index) => [`agents/phone-${index}.yaml`, phone(name, index)])),
  };
}

function agent(name: string, index: number): string {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
extends: ../shared/base.yaml
labels: { ring: "\${var.ring}", part: p${index % 3} }
target: { query: { account: "${index}" } }
${index % 10 === 9 ? 'organization: clinic\n' : ''}`;
}

function phone(agent: string, index: number): string {
  return `apiVersion: agentform/v1\nkind: PhoneNumber\nname: phone-${index}\nagent: ${agent}\nsettings: { number: "+1415555010${index}" }\n`;
}

interface Asked {
  readonly select?: (address: string, labels: Readonly<Record<string, string>>) => boolean;
  readonly isCached?: boolean;
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What came of it, and the manifests that were read for it. */
async function resolved({ select = named(), isCached = true, environment = 'production', env = {} }: Asked = {}) {
  const project = await loadProject(root, isCached ? { cache } : {});
  const resolution = await resolveProject(project, { environment, secrets: 'form', env, select });
  const read = project.manifests.filter((path) => project.files.source(path) !== undefined);
  return { said: said(resolution), read };
}

function said({ desired, all, elsewhere, problems, secretNames, declaredOf }: Resolution) {
  const declared = all.map((one) => declaredOf(addressOf(one)));
  const shown = problems.map((problem) => [problem.rule, problem.severity, show(problem)]);
  return { desired: JSON.parse(JSON.stringify(desired)), all, elsewhere, shown, secrets: [...secretNames], declared };
}

function named(...names: readonly string[]) {
  return (address: string) => names.includes(address.replace(/^[^/]*\//, ''));
}

/** Compares a run with the index and one without any. Answers what was read, and what was said. */
async function expectSame(asked: Asked = {}) {
  const { read, said } = await resolved(asked);
  expect(said).toEqual((await resolved({ ...asked, isCached: false })).said);
  return { read, said };
}

/** Puts the text into a file for as long as `work` takes. */
async function edited<Result>(
  path: string,
  edit: (text: string) => string,
  work: () => Promise<Result>,
): Promise<Result> {
  const text = readFileSync(join(root, path), 'utf8');
  try {
    writeFileSync(join(root, path), edit(text));
    return await work();
  } finally {
    writeFileSync(join(root, path), text);
  }
}

/** Every check of every manifest; answers which of them were resolved. */
async function validated(isCached: boolean) {
  const project = await loadProject(root, isCached ? { cache } : {});
  const { problems, resources, all } = await validateProject(project, { env: {}, prompts: 'all' });
  const read = project.manifests.filter((path) => project.files.source(path) !== undefined);
  return { read, said: { shown: problems.map((one) => [one.severity, one.rule, show(one)]), resources, all } };
}

async function expectSameProblems() {
  const { read, said } = await validated(true);
  expect(said).toEqual((await validated(false)).said);
  return { read, said };
}

async function warm(environment = 'production') {
  await resolved({ environment });
}

const isolated = (index: number) => `agents/agent-${index}.yaml`;

test('only the manifest that is selected is read, and what it refers to', async () => {
  await warm();
  expect((await resolved()).said.shown).toEqual([]);
  expect((await expectSame({ select: named('agent-7') })).read).toEqual(['agents/agent-7.yaml']);
  expect((await expectSame({ select: named('agent-19') })).read).toEqual([
    'agents/agent-19.yaml',
    'agents/clinic.yaml',
  ]);
  expect((await expectSame({ select: named('phone-3') })).read).toEqual(['agents/agent-3.yaml', 'agents/phone-3.yaml']);
  expect((await expectSame({ select: () => false })).read).toEqual([]);
});

test('labels select by what they are in the environment', async () => {
  await warm();
  const isFirst = (_: string, labels: Readonly<Record<string, string>>) =>
    labels.ring === 'one' && labels.part === 'p1';
  expect((await expectSame({ select: isFirst })).read).toHaveLength(count / 3 + 1);
  expect((await expectSame({ select: isFirst, environment: 'staging' })).said.desired).toEqual([]);
  const given = { AGENTFORM_VAR_ring: 'one' };
  expect((await expectSame({ select: isFirst, environment: 'staging', env: given })).said.desired).toHaveLength(
    count / 3,
  );
});

test('a run that reads a few manifests leaves alone what is kept of the others', async () => {
  await resolved({ select: () => true });
  const kept = () =>
    readdirSync(cache.folder).flatMap((name) => (name.includes('-') ? [] : [join(cache.folder, name)]));
  const [pack = ''] = kept();
  const before = readFileSync(pack);
  await edited(
    isolated(12),
    (text) => `# edited\n${text}`,
    () => expectSame({ select: named('agent-12') }),
  );
  expect(readFileSync(pack)).toEqual(before);
  expect(kept()).toHaveLength(1);
});

test('only what has something wrong, or is another text, is checked again', async () => {
  await validated(true);
  expect((await expectSameProblems()).read).not.toContain(isolated(14));
  const prompt = (text: string) => `${text}settings: { agentInstructions: "See [the list](list.md)." }\n`;
  const { said } = await edited(isolated(14), prompt, expectSameProblems);
  expect(said.shown.join('\n')).toContain('leads to a file that does not exist');
  const twice = (text: string) => text.replace('account: "15"', 'account: "16", more: "1"');
  const { read } = await edited(isolated(15), twice, expectSameProblems);
  expect(read).toContain(isolated(15));
  expect(read).not.toContain(isolated(40));
});

test('a dead link is told of a file that another manifest cannot include either', async () => {
  const including = (text: string) => `${text}settings: { agentInstructions: { file: list.md } }\n`;
  const linking = (text: string) => `${text}settings: { agentInstructions: "See [the list](list.md)." }\n`;
  const { said } = await edited(isolated(13), including, () => edited(isolated(14), linking, expectSameProblems));
  expect(said.shown.map(([, rule]) => rule)).toEqual(['file', 'prompt-markdown']);
});

test('an override that no row has is told, however much was left unread', async () => {
  const fleet = `apiVersion: agentform/v1
kind: Fleet
name: fleet
templates: [../shared/base.yaml]
members: [{ name: member }]
overrides: ../shared/own-\${var.name}.yaml
`;
  writeFileSync(join(root, 'agents/fleet.yaml'), fleet);
  await validated(true);
  writeFileSync(join(root, 'shared/own-nobody.yaml'), base);
  for (const { said } of [await expectSameProblems(), await expectSame({ select: named('agent-7') })])
    expect(said.shown.join('\n')).toContain('no row of a table has this override');
  for (const path of ['agents/fleet.yaml', 'shared/own-nobody.yaml']) rmSync(join(root, path));
});

test('what two environments have in common is told as if all were checked', async () => {
  await validated(true);
  const token = (text: string) => text.replace('target: { ', 'target: { token: "${secret.STAGING_TOKEN}", ');
  const { said } = await edited(isolated(33), token, expectSameProblems);
  expect(said.shown.join('\n')).toContain('both use the token');
  const title = (text: string) => text.replace('title: Desk', 'title: " "');
  const { said: blank } = await edited('shared/base.yaml', title, expectSameProblems);
  expect(blank.shown.join('\n')).toContain('blank-title');
});

test('an index holds no secret, whatever the run knew', async () => {
  const project = await loadProject(root, { cache });
  const env = { TOKEN: 'tok-of-production-1', AGENTFORM_VAR_ring: 'secrecy' };
  await resolveProject(project, {
    environment: 'production',
    secrets: 'values',
    env,
    allowedSecrets: undefined,
    select: named('agent-7'),
  });
  const packs = readdirSync(cache.folder).map((name) => readFileSync(join(cache.folder, name), 'utf8'));
  expect(packs.join('\n')).not.toContain(env.TOKEN);
  expect(packs.join('\n')).toContain('${secret.TOKEN}');
});

test.each<[string, string, (text: string) => string, string]>([
  ['a name that is taken', isolated(20), (text) => text.replace('agent-20', 'agent-21'), 'two manifests declare'],
  ['a former name of another', isolated(21), (text) => `${text}renamedFrom: agent-22\n`, 'a manifest still declares'],
  ['a reference to nothing', isolated(22), (text) => `${text}organization: clinik\n`, 'did you mean'],
  ['a broken base', 'shared/base.yaml', (text) => text.replace('title', 'titel'), 'did you mean'],
  ['a removed resource', 'agentform.yaml', (text) => `${text}removed: [Agent/agent-23]\n`, 'a manifest declares it'],
  ['a broken manifest', isolated(24), (text) => `${text}nothing: true\n`, 'nothing'],
])('%s is told as without outlines', async (_, path, edit, message) => {
  await warm();
  const { said } = await edited(path, edit, () => expectSame({ select: named('agent-7', 'agent-22') }));
  expect(said.shown.join('\n')).toContain(message);
});

test('what another environment or another manifest has is found among the unread ones', async () => {
  await warm();
  const token = (text: string) => text.replace('target: { ', 'target: { token: "${secret.STAGING_TOKEN}", ');
  const shared = await edited(isolated(30), token, () => expectSame({ select: named('agent-30') }));
  expect(shared.said.shown.join('\n')).toContain('both use the token');
  const number = (text: string) => text.replace('0104', '0103');
  const twice = await edited('agents/phone-4.yaml', number, () => expectSame({ select: named('phone-4') }));
  expect(twice.said.shown.join('\n')).toContain('has the same number');
});

test('an edit that keeps size and time of the file is seen', async () => {
  await warm();
  const then = new Date(Date.now() - 60_000);
  const other = (text: string) => text.replace('account: "31"', 'account: "13"');
  const { read } = await edited(isolated(31), other, () => {
    utimesSync(join(root, isolated(31)), then, then);
    return expectSame({ select: named('agent-7') });
  });
  expect(read).toContain('agents/agent-31.yaml');
  expect(read).not.toContain('agents/agent-40.yaml');
});

test('a link in the place of a manifest or of its folder is followed as ever', async () => {
  await warm();
  renameSync(join(root, 'agents'), join(root, 'moved'));
  symlinkSync('moved', join(root, 'agents'));
  expect((await expectSame({ select: named('agent-7') })).read).toHaveLength(count + 6);
  rmSync(join(root, 'agents'));
  renameSync(join(root, 'moved'), join(root, 'agents'));
  renameSync(join(root, isolated(32)), `${cache.folder}-outside.yaml`);
  symlinkSync(`${cache.folder}-outside.yaml`, join(root, isolated(32)));
  expect((await expectSame({ select: named('agent-7') })).said.shown.join('\n')).toContain('leads outside');
  rmSync(join(root, isolated(32)));
  renameSync(`${cache.folder}-outside.yaml`, join(root, isolated(32)));
});

test('a manifest that is new or gone counts at once', async () => {
  await warm();
  writeFileSync(join(root, 'agents/new.yaml'), agent('new', 99));
  expect((await expectSame({ select: named('agent-7') })).said.all).toHaveLength(count + 7);
  rmSync(join(root, 'agents/new.yaml'));
  expect((await expectSame({ select: named('agent-7') })).said.all).toHaveLength(count + 6);
});

test('a damaged index, and one of another environment, is as none', async () => {
  await Promise.all(['production', 'staging'].map(warm));
  const [one = '', other = ''] = readdirSync(cache.folder)
    .filter((name) => name.includes('-'))
    .map((name) => join(cache.folder, name));
  const bytes = readFileSync(one);
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 6)) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(one, damaged);
    await expectSame({ select: named('agent-7') });
    writeFileSync(one, bytes.subarray(0, at));
    await expectSame({ select: named('agent-7') });
  }
  writeFileSync(one, readFileSync(other));
  await expectSame({ select: named('agent-7') });
  await expectSame({ select: named('agent-7'), environment: 'staging' });
});

test('After any edits the answer is that without outlines.', async () => {
  const edits: readonly ((text: string, index: number) => string)[] = [
    (text, index) => text.replace(/account: "\d+"/, `account: "${index + 1}"`),
    (text) => text.replace('extends: ../shared/base.yaml', 'settings: { title: A, description: B }'),
    (text) => text.replace('ring: ', 'rung: '),
    (text) => `${text}onlyIn: [staging]\n`,
    (text, index) => text.replace(/^name: .*/m, `name: other-${index}`),
    (text) => text.replace('target: { ', 'target: { agentId: camp_1, '),
    (text) => text.replace('query', 'token: "${secret.OTHER}", query'),
    (text) => `# nothing\n${text}`,
    (text) => `${text}\n: [`,
    () => '',
  ];
  const texts = new Map(
    Array.from({ length: count }, (_, index) => [index, readFileSync(join(root, isolated(index)), 'utf8')]),
  );
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 16807) % 2147483647;
    return seed % below;
  };
  for (let round = 0; round < 10; round += 1) {
    const index = random(count);
    const was = texts.get(index) ?? '';
    const edit = edits[random(edits.length)];
    writeFileSync(join(root, isolated(index)), random(3) === 0 ? was : (edit?.(was, index) ?? was));
    const names = Array.from({ length: random(3) }, () => `agent-${random(count)}`);
    await expectSame({ select: named(...names), environment: random(2) === 0 ? 'production' : 'staging' });
    await expectSameProblems();
  }
});
