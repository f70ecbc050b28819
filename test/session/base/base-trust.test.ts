import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import {
  openTrustedCommit,
  requireTrustedRecords,
  trustAtCommit,
  untrustedReason,
  wantedUse,
} from '../../../src/session/base/base-trust.ts';
import { commitAll, git, initRepository } from '../../support/git.ts';

type Files = Readonly<Record<string, string>>;

/** The project with the change. */
let folder: string;

beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const newFolder = () => mkdtemp(join(tmpdir(), 'agentform-trust-'));

interface Environment {
  readonly host: string;
  readonly token?: string;
  readonly rest?: string;
}

function projectFile(environments: Readonly<Record<string, Environment>>): string {
  const lines = Object.entries(environments).map(
    ([name, { host, token, rest = '' }]) =>
      `  ${name}:\n    baseUrl: ${host === 'emulator' ? host : `https://${host}`}\n` +
      `${token === undefined ? '' : `    token: \${secret.${token}}\n`}${rest}`,
  );
  return `apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n${lines.join('')}`;
}

const agent = (rest: string, name = 'front-desk') =>
  `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\n${rest === '' ? 'settings: { title: T, description: D }' : rest}\n`;

const production = { host: 'prod.example', token: 'PROD_TOKEN' };
const staging = { host: 'staging.example', token: 'STAGING_TOKEN' };
const base: Files = {
  'agentform.yaml': projectFile({ production, staging, local: { host: 'emulator', token: 'LOCAL_TOKEN' } }),
  'agents/front-desk.yaml': agent('settings: { title: "${secret.TITLE}", description: { file: ../secret.md } }'),
  'agents/clinic.yaml': agent(
    'target: { query: { account: "${secret.ACCOUNT}" } }\n' +
      'environments: { production: { target: { token: "${secret.CLINIC_TOKEN}" } } }\nsettings: { title: C, description: D }',
    'clinic',
  ),
  'secret.md': 'The password is ${secret.PASSWORD}.\n',
};

interface Change {
  readonly files: Files;
  readonly environment?: string;
  readonly names?: readonly string[];
}

const swapped = { 'agentform.yaml': projectFile({ production: { ...production, host: staging.host }, staging }) };
const inProject = (environments: Readonly<Record<string, Environment>>) => ({
  'agentform.yaml': projectFile({ production, staging, ...environments }),
});
const withAgent = (rest: string) => ({ 'agents/new.yaml': agent(rest, 'new') });

/** An object with tokens of clients: one token is used in production, and another token in staging. */
const entries: Files = {
  'agents/front-desk.yaml': agent(
    'environments: { production: { target: { token: "${secret.TOKENS[a]}" } }, staging: { target: { token: "${secret.TOKENS[b]}" } } }\nsettings: { title: T, description: D }',
  ),
};

const withEntries = { ...base, ...entries };

const sent: ReadonlyArray<readonly [string, Change]> = [
  ['the same secrets in another text', { files: { 'secret.md': 'Another. ${secret.PASSWORD}\n' } }],
  ['a used secret at another place', { files: withAgent('settings: { title: "${secret.PASSWORD}" }') }],
  ['a new secret to the host that the environment has', { files: withAgent('target: { token: "${secret.NEW}" }') }],
  ['a new token of the environment', { files: inProject({ production: { ...production, token: 'NEW' } }) }],
  [
    'a secret to a host at which another environment uses it',
    {
      files: inProject({ staging: { host: production.host, token: 'PROD_TOKEN' } }),
      environment: 'staging',
      names: ['front-desk'],
    },
  ],
  ['what only the emulator was told', { files: withAgent('settings: { title: "${secret.LOCAL_TOKEN}" }') }],
  [
    'a selection that leaves out what may not be sent',
    { files: withAgent('target: { token: "${secret.STAGING_TOKEN}" }'), names: ['front-desk', 'clinic'] },
  ],
];

test.each(sent)('A change may send %s.', async (_, change) => {
  expect(await reasonFor(change)).toBeUndefined();
});

test.each([
  ['a new entry to the host that the environment has', '[c]', undefined],
  ['an entry where it is used', '[a]', undefined],
  [
    'an entry of another host',
    '[b]',
    'this change would send TOKENS[b] to prod.example, but the base commit sends TOKENS[b] to staging.example',
  ],
  [
    'the whole object, with entries of other hosts',
    '',
    'this change would send TOKENS to prod.example, but the base commit sends TOKENS to no known host',
  ],
])('A change that sends an entry of a secret is judged: %s', async (_case, entry, reason) => {
  const change = withAgent(`target: { token: "\${secret.TOKENS${entry}}" }\nsettings: { title: T, description: D }`);
  expect(await reasonFor({ files: change }, withEntries)).toBe(reason);
});

test('An entry may go only where its object may go.', async () => {
  const whole = withAgent('settings: { title: "${secret.TOKENS}", description: D }\nonlyIn: [staging]');
  const files = withAgent('target: { token: "${secret.TOKENS[a]}" }\nsettings: { title: T, description: D }');
  expect(await reasonFor({ files }, { ...base, ...whole })).toContain(
    'the base commit sends TOKENS[a] to staging.example',
  );
});

const kept: ReadonlyArray<readonly [string, Change, string]> = [
  [
    "production's token to staging's host",
    { files: swapped },
    'this change would send CLINIC_TOKEN and PROD_TOKEN to staging.example, but the base commit sends CLINIC_TOKEN to prod.example',
  ],
  [
    "production's token as staging's",
    { files: inProject({ staging: { ...staging, token: 'PROD_TOKEN' } }), environment: 'staging' },
    'this change would send PROD_TOKEN to staging.example, but the base commit sends PROD_TOKEN to prod.example',
  ],
  [
    'a used secret to a new host',
    { files: inProject({ production: { ...production, host: 'other.example' } }), names: ['front-desk'] },
    'this change would send PASSWORD and 2 more secrets to other.example, but the base commit sends PASSWORD to prod.example and staging.example',
  ],
  [
    'a new secret to a new host',
    { files: inProject({ production: { host: 'other.example', token: 'NEW' } }), names: ['clinic'] },
    'this change would send ACCOUNT and 2 more secrets to other.example, but the base commit sends ACCOUNT to prod.example and staging.example',
  ],
  [
    "a new secret to another environment's host",
    {
      files: { ...inProject({ production: { host: staging.host, token: 'NEW' } }), ...withAgent('') },
      names: ['new'],
    },
    'this change would send NEW to staging.example, but the base commit has prod.example for production',
  ],
  [
    'a new secret to the host of a new environment',
    {
      files: { ...inProject({ new: { host: production.host, token: 'NEW' } }), ...withAgent('') },
      environment: 'new',
      names: ['new'],
    },
    'this change would send NEW to prod.example, but the base commit has no host for new',
  ],
  [
    'a new secret to the new host of an environment that was the emulator',
    {
      files: { ...inProject({ local: { host: 'other.example', token: 'NEW' } }), ...withAgent('') },
      environment: 'local',
      names: ['new'],
    },
    'this change would send NEW to other.example, but the base commit has no host for local',
  ],
  [
    "another environment's token in the target of a manifest",
    { files: withAgent('target: { token: "${secret.STAGING_TOKEN}" }') },
    'this change would send STAGING_TOKEN to prod.example, but the base commit sends STAGING_TOKEN to staging.example',
  ],
  [
    "another environment's token in the target of an overlay",
    {
      files: withAgent(
        'environments: { production: { target: { token: "${secret.STAGING_TOKEN}" } } }\nsettings: { title: N }',
      ),
    },
    'this change would send STAGING_TOKEN',
  ],
  [
    'the token of an overlay in another environment',
    { files: withAgent('target: { token: "${secret.CLINIC_TOKEN}" }'), environment: 'staging' },
    'this change would send CLINIC_TOKEN to staging.example, but the base commit sends CLINIC_TOKEN to prod.example',
  ],
  [
    'a token in a query',
    { files: inProject({ production: { ...production, rest: '    query: { q: "${secret.STAGING_TOKEN}" }\n' } }) },
    'this change would send STAGING_TOKEN to prod.example',
  ],
  [
    'a token in a setting',
    { files: withAgent('settings: { title: "x ${secret.STAGING_TOKEN}" }') },
    'this change would send STAGING_TOKEN to prod.example',
  ],
  [
    'a token in extraSettings',
    { files: withAgent('settings: { title: N }\nextraSettings: { a: { b: ["${secret.STAGING_TOKEN}"] } }') },
    'this change would send STAGING_TOKEN to prod.example',
  ],
  [
    'a token in an included text',
    { files: { ...withAgent('settings: { title: { file: ../title.md } }'), 'title.md': '${secret.STAGING_TOKEN}' } },
    'this change would send STAGING_TOKEN to prod.example',
  ],
  [
    'a token in a base that a manifest extends',
    {
      files: {
        ...withAgent('extends: ../shared.yaml'),
        'shared.yaml': 'apiVersion: agentform/v1\nkind: Agent\nsettings: { title: "${secret.STAGING_TOKEN}" }\n',
      },
    },
    'this change would send STAGING_TOKEN to prod.example',
  ],
  [
    'a token as the credential of an organization',
    {
      files: {
        'agents/acme.yaml':
          'apiVersion: agentform/v1\nkind: Organization\nname: acme\nresellerId: "7"\n' +
          'settings: { name: Acme, email: a@acme.example, integrations: [{ type: x, key: "${secret.STAGING_TOKEN}" }] }\n',
      },
    },
    'this change would send STAGING_TOKEN to prod.example',
  ],
];

test.each(kept)('A change may not send %s.', async (_, change, why) => {
  expect(await reasonFor(change)).toContain(why);
});

test('Secrets of a base with errors do not count as new.', async () => {
  const broken = { ...base, 'agents/broken.yaml': 'kind: [\n# ${secret.HIDDEN}\n' };
  const fixed = { 'agents/broken.yaml': agent('target: { token: "${secret.HIDDEN}" }', 'broken') };
  expect(await reasonFor({ files: fixed }, broken)).toBe(
    'this change would send HIDDEN to prod.example, but the base commit has errors, so some of its secrets are unknown',
  );
});

test('If agentform.yaml of the base has errors, no host is trusted, not even one of an earlier commit.', async () => {
  const root = await newFolder();
  initRepository(root);
  await write(base, root);
  await commitAll(root, 'valid');
  const why = 'agentform.yaml in the base commit has errors, so the hosts that may receive secrets are unknown';
  for (const text of ['manifests: [\n', `${base['agentform.yaml']}environments: {}\n`]) {
    await write({ 'agentform.yaml': text }, root);
    expect(await trustOf(root)).toEqual({ because: why, remedy: expect.any(String) });
  }
  await rm(root, { recursive: true });
});

test('Secrets do not count as new if the base has manifests in a submodule that cannot be read.', async () => {
  const clients = join(folder, 'clients');
  const elm = 'onlyIn: [production]\nsettings: { title: T, description: D }\ntarget: { token: "${secret.ELM}" }';
  await write({ ...base, 'clients/elm.yaml': agent(elm, 'elm') });
  await write({ 'agentform.yaml': String(base['agentform.yaml']).replace('["agents', '["clients/*.yaml", "agents') });
  for (const repository of [clients, folder]) initRepository(repository);
  await commitAll(clients, 'clients');
  await git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './clients');
  const commit = await commitAll(folder, 'base');
  const reason = async () => {
    const trust = await trustAtCommit(
      { env: {} },
      { file: 'agentform.yaml', commit: await openTrustedCommit(folder, commit) },
    );
    if ('because' in trust) throw new Error(trust.because);
    return untrustedReason(trust, { environment: 'staging', host: 'staging.example', secrets: new Set(['ELM']) });
  };
  expect(await reason()).toContain('but the base commit sends ELM to prod.example');
  await rm(clients, { recursive: true });
  expect(await reason()).toContain('but the base commit has errors, so some of its secrets are unknown');
});

test('A secret for an unknown host may not go elsewhere.', async () => {
  const unknown = inProject({ other: { host: '${var.missing}', token: 'OTHER_TOKEN' } });
  const files = withAgent('target: { token: "${secret.OTHER_TOKEN}" }');
  expect(await reasonFor({ files }, { ...base, ...unknown })).toContain(
    'this change would send OTHER_TOKEN to prod.example, but the base commit sends OTHER_TOKEN to no known host',
  );
});

test('A project in a submodule ignores the commits of its superproject.', async () => {
  const other = join(folder, 'other');
  initRepository(folder);
  initRepository(other);
  await git(other, 'commit', '--quiet', '--allow-empty', '--message', 'other');
  await git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './other', 'desk');
  await write({ 'desk/agentform.yaml': String(base['agentform.yaml']) });
  const root = join(folder, 'desk');
  const commit = await git(root, 'rev-parse', 'HEAD');
  await expect(openTrustedCommit(root, commit)).rejects.toThrow('the project is in a submodule');
});

/** The settings of records in agentform.yaml. */
async function recordOf(record: string) {
  await write({ 'agentform.yaml': `${projectFile({ production })}record: ${record}\n` });
  return (await loadProject(folder)).record;
}

const inDatabase = '{ store: postgres, url: "${secret.RECORDS_URL}" }';

test.each([
  ['store', '{ store: file }', '{ store: git }', 'git', 'files'],
  ['store', '{ store: git }', '{ store: file }', 'file', 'the branch agentform-records'],
  ['store', inDatabase, '{ store: git }', 'git', 'the schema agentform of the database'],
  ['store', inDatabase, '{ store: file }', 'file', 'the schema agentform of the database'],
  ['branch', '{ store: git, branch: topic-records }', '{ store: git, branch: others }', 'others', 'topic-records'],
  ['remote', '{ store: git }', '{ store: git, remote: /srv/other }', '/srv/other', 'origin'],
  ['url', inDatabase, inDatabase.replace('RECORDS', 'OTHER'), '${secret.OTHER_URL}', '${secret.RECORDS_URL}'],
  [
    'url',
    inDatabase,
    inDatabase.replace('RECORDS_URL', 'AGENT_TOKEN'),
    '${secret.AGENT_TOKEN}',
    '${secret.RECORDS_URL}',
  ],
  ['schema', inDatabase, inDatabase.replace(' }', ', schema: south }'), 'south', 'agentform'],
])('An unmerged change of record.%s from %s to %s is refused.', async (name, from, to, wanted, trusted) => {
  const before = await recordOf(from);
  const after = await recordOf(to);
  await expect(requireTrustedRecords(after, before)).rejects.toMatchObject({
    code: 'run-refused',
    message: `this change sets record.${name} to ${wanted}, but until it is merged, records are read only from ${trusted}; first merge the change to record.${name} separately`,
  });
  await expect(requireTrustedRecords(after, after)).resolves.toBeUndefined();
});

/**
 * Repositories with a base commit, and the secrets and hosts that the commit trusts. Tests with the same base share a
 * repository.
 */
const bases = new Map<
  Files,
  Promise<{ readonly root: string; readonly trusted: Awaited<ReturnType<typeof trustOf>> }>
>();

afterAll(async () => {
  for (const { root } of await Promise.all(bases.values())) await rm(root, { recursive: true });
});

const trustOf = async (root: string) => {
  const commit = await openTrustedCommit(root, await commitAll(root, 'base'));
  return trustAtCommit({ env: {} }, { file: 'agentform.yaml', commit });
};

async function withBase(files: Files) {
  const root = await newFolder();
  initRepository(root);
  await write(files, root);
  return { root, trusted: await trustOf(root) };
}

async function reasonFor({ files, environment = 'production', names = [] }: Change, from: Files = base) {
  const made = bases.get(from) ?? withBase(from);
  bases.set(from, made);
  const { trusted } = await made;
  await write({ ...from, ...files });
  const wanted = await wantedUse({ env: {} }, { project: folder, environment, names });
  return 'because' in trusted ? trusted.because : untrustedReason(trusted, wanted);
}

async function write(files: Files, root = folder): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
