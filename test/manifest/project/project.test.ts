import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { AgentformError } from '../../../src/errors.ts';
import { loadProject, ProjectError } from '../../../src/manifest/project/load-project.ts';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { problemSentence } from '../../../src/report/problems/sentence.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { agent, makeFolder, makeProject, projectFile, show } from '../temp-project.ts';

const head = 'apiVersion: agentform/v1\nkind: Project\n';
const small = `${head}manifests: [a.yaml]\nenvironments: { local: { baseUrl: emulator } }\n`;

const parameters = {
  resellerId: 'targetResellerId',
  pagination: 'pagination',
  page: 'page',
  pageSize: 'pageSize',
  unread: 'unread',
};

async function failureOf(text: string | Uint8Array): Promise<ProjectError> {
  const failure: unknown = await makeProject({ 'agentform.yaml': text }).catch((error: unknown) => error);
  if (failure instanceof ProjectError) return failure;
  throw new Error('the project was loaded', { cause: failure });
}

describe('agentform.yaml', () => {
  test('The project file is read with its defaults.', async () => {
    const project = await makeProject({ 'agentform.yaml': small, 'a.yaml': agent('') });
    expect(project).toMatchObject({
      file: 'agentform.yaml',
      environments: ['local'],
      defaultEnvironment: 'local',
      limits: { creates: 50 },
      lint: {},
      record: { store: 'file' },
      service: { parameters, readBackMs: 8_000 },
      manifests: ['a.yaml'],
      problems: [],
    });
    expect(project.definitions.get('local')).toEqual({
      name: 'local',
      baseUrl: 'emulator',
      query: {},
      variables: {},
      unverified: 'set',
      unanswered: 'undo',
    });
  });

  test('The project file with a number that would lose digits, or an empty name, is refused at the place.', async () => {
    const limits = await failureOf(`${projectFile}limits: { creates: 99999999999999999999 }\n`);
    expect(limits.problems.map(show)).toEqual([
      expect.stringMatching(/:\d+:20 the number 99999999999999999999 would lose digits: an integer may be at most/),
    ]);
    const names = await failureOf(
      `${projectFile}  '': { baseUrl: emulator, variables: { '': 1, big: 12345678901234567890 } }\n`,
    );
    expect(names.problems.map(problemSentence)).toEqual([
      expect.stringMatching(/^the name environments\[''\] is invalid: expected /),
      expect.stringMatching(/^the name environments\[''\]\.variables\[''\] is invalid: expected /),
    ]);
  });

  test('The project file is read with all optional keys.', async () => {
    const more = `limits: { creates: 3 }\nlint: { regex-slow: off }\nservice: { publish: /p, readBack: 2m, parameters: { page: p } }\n`;
    const project = await makeProject({ 'agentform.yaml': `${projectFile}    unverified: report\n${more}` });
    expect(project).toMatchObject({
      environments: ['local', 'production'],
      defaultEnvironment: 'local',
      limits: { creates: 3 },
      lint: { 'regex-slow': 'off' },
      service: { publish: '/p', readBackMs: 120_000, parameters: { ...parameters, page: 'p' } },
    });
    expect(project.definitions.get('production')).toMatchObject({
      token: '${secret.AGENT_TOKEN}',
      unverified: 'report',
    });
  });

  test('The project file is found by its folder or its own path.', async () => {
    const root = makeFolder({ 'agents/a.yaml': agent('') });
    expect((await loadProject(join(root, 'agentform.yaml'))).manifests).toEqual((await loadProject(root)).manifests);
    mkdirSync(join(root, 'empty'));
    await expect(loadProject(join(root, 'empty'))).rejects.toThrow(
      /^there is no agentform\.yaml in '.*': choose the project folder with --project, or create a project with `agentform init`$/,
    );
    await expect(loadProject(join(root, 'nowhere'))).rejects.toThrow(/^there is no file or folder '.*'$/);
  });

  test('A project folder whose path is not UTF-8 is refused, because Node cannot find it.', async () => {
    const root = makeFolder({});
    mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]));
    const [seen = ''] = readdirSync(root).filter((name) => name !== 'agentform.yaml');
    await expect(loadProject(join(root, seen))).rejects.toThrow(
      /^the path '.*\ufffd' is not UTF-8; rename the file or folder$/,
    );
  });

  test('A project folder that cannot be searched is not reported as empty.', async () => {
    const root = makeFolder({});
    chmodSync(root, 0o600);
    await expect(asOrdinaryUser(() => loadProject(root))).rejects.toThrow(
      `${join(root, 'agentform.yaml')} cannot be read: permission is denied (EACCES)`,
    );
  });

  test('The error about a missing project file names agentform.yml if that file exists.', async () => {
    const root = makeFolder({});
    renameSync(join(root, 'agentform.yaml'), join(root, 'agentform.yml'));
    await expect(loadProject(root)).rejects.toThrow(/: rename agentform\.yml to agentform\.yaml$/);
  });

  test('A project with several environments may have no default.', async () => {
    const project = await makeProject({ 'agentform.yaml': projectFile.replace('defaultEnvironment: local\n', '') });
    expect(project.defaultEnvironment).toBeUndefined();
  });

  test.each([
    ['empty', '', ['agentform.yaml:1:1 the file is empty: expected YAML that begins with apiVersion and kind']],
    ['a list', '- a\n', ['agentform.yaml:1:3 the file is a list: expected an object']],
    [
      'broken',
      'a: [\n',
      ['agentform.yaml:2:1 a [ above is not closed: add the ], or indent this line further if it belongs inside'],
    ],
    [
      'of another version',
      small.replace('/v1', '/v9'),
      ["agentform.yaml:1:13 apiVersion is 'agentform/v9': expected 'agentform/v1'"],
    ],
    ['without manifests', small.replace('manifests: [a.yaml]\n', ''), ['agentform.yaml:1:1 manifests is missing']],
    [
      'with no patterns',
      small.replace('[a.yaml]', '[]'),
      ['agentform.yaml:3:12 manifests is an empty list: expected at least 1 item'],
    ],
    [
      'with keys outside their objects',
      `${small}baseUrl: emulator\nbranch: records\n`,
      [
        "agentform.yaml:5:1 unknown key 'baseUrl': it belongs under an entry of 'environments'",
        "agentform.yaml:6:1 unknown key 'branch': it belongs under 'record'",
      ],
    ],
    [
      'with an unknown key',
      `${small}manifest: []\n`,
      ["agentform.yaml:5:1 unknown key 'manifest'; did you mean 'manifests'?"],
    ],
    [
      'with an unknown store',
      `${small}record: { store: svn }\n`,
      ["agentform.yaml:5:18 record.store is 'svn': expected 'file', 'git' or 'postgres'"],
    ],
    [
      'with a branch that no store uses',
      `${small}record: { store: file, branch: x }\n`,
      [
        "agentform.yaml:5:32 record.branch is only for the store 'git', but record.store is 'file': change the store, or remove record.branch",
      ],
    ],
    ...['a.lock', 'a.lock/b', 'a..b'].map((branch): [string, string, string[]] => [
      `with the branch ${branch}, which git refuses`,
      `${small}record: { store: git, branch: ${branch} }\n`,
      [
        `agentform.yaml:5:31 record.branch is '${branch}': expected a valid git branch name of letters, digits, _, -, . and /, such as agentform-records`,
      ],
    ]),
    [
      'with a bad environment name',
      small.replace('local:', 'Local:'),
      [
        'agentform.yaml:4:17 the name environments.Local is invalid: expected lowercase letters, digits and hyphens, at most 63, with a letter or digit at both ends, and no Windows device name such as con',
      ],
    ],
    [
      'with a device name as an environment',
      small.replace('local:', 'con:'),
      [expect.stringMatching(/^agentform.yaml:4:17 the name environments.con is invalid: .* no Windows device name/)],
    ],
    [
      'with a default it lacks',
      `${small}defaultEnvironment: locl\n`,
      ["agentform.yaml:5:21 defaultEnvironment is 'locl': expected 'local'; did you mean 'local'?"],
    ],
    [
      'with an unknown rule',
      `${small}lint: { regex-slw: off }\n`,
      ["agentform.yaml:5:9 unknown lint rule 'regex-slw'; did you mean 'regex-slow'?"],
    ],
    [
      'with an unknown level',
      `${small}lint: { regex-slow: loud }\n`,
      ["agentform.yaml:5:21 lint.regex-slow is 'loud': expected an object, 'off', 'warn' or 'error'"],
    ],
    [
      'with a pattern that leads out',
      small.replace('a.yaml', '../*.yaml'),
      ["agentform.yaml:3:13 the pattern '../*.yaml' leads outside the project folder"],
    ],
    [
      'with a nested variable',
      small.replace('emulator }', 'emulator, variables: { a: "${secret.B}" } }'),
      ['agentform.yaml:4:61 the value of a variable cannot refer to a variable or a secret'],
    ],
    [
      'with a base URL that has credentials',
      small.replace('emulator', 'https://me:pw@a.example'),
      ['agentform.yaml:4:35 baseUrl contains credentials: remove them'],
    ],
    [
      'with no base URL',
      small.replace('{ baseUrl: emulator }', '{}'),
      ['agentform.yaml:4:17 environments.local.baseUrl is missing'],
    ],
    [
      'with an unknown parameter',
      `${small}service: { parameters: { pagesize: x } }\n`,
      ["agentform.yaml:5:26 unknown key 'pagesize' in service.parameters; did you mean 'pageSize'?"],
    ],
    [
      'with an empty parameter',
      `${small}service: { parameters: { page: "" } }\n`,
      ["agentform.yaml:5:32 service.parameters.page is '': expected a non-empty string"],
    ],
    ...[
      ['soon', "'soon': expected an integer with its unit, such as 500ms, 5s or 2m"],
      ['8', '8: expected 0, or an integer with its unit, such as 500ms, 8s or 2m'],
      ['11m', "'11m': expected at most 10m"],
    ].map(([value, said]): [string, string, string[]] => [
      `with ${value} as the time for reading back`,
      `${small}service: { readBack: ${value} }\n`,
      [`agentform.yaml:5:22 service.readBack is ${said}`],
    ]),
    ...['publish', '/p?x=1', '/a/../b', '//host/p', '/p/', '/a b'].map((path): [string, string, string[]] => [
      `with ${path} for publishing`,
      `${small}service: { publish: "${path}" }\n`,
      [
        `agentform.yaml:5:21 service.publish is ${path.includes('?') ? 'a sensitive value' : `'${path}'`}: expected a path such as /api/v2/agent/publish, without a query`,
      ],
    ]),
    [
      'with the token as a parameter',
      `${small}service: { parameters: { resellerId: token } }\n`,
      [
        "agentform.yaml:5:38 service.parameters.resellerId must not be 'token', the name of the query parameter for the API token; choose another name",
      ],
    ],
    [
      'with one name for two parameters',
      `${small}service: { parameters: { page: p, unread: p } }\n`,
      [
        "agentform.yaml:5:43 service.parameters.unread is 'p', but page already has this name; give each parameter a different name [page agentform.yaml:5:26]",
      ],
    ],
    [
      'with the default name of another parameter',
      `${small}service: { parameters: { page: pageSize } }\n`,
      [
        "agentform.yaml:5:32 service.parameters.page is 'pageSize', but pageSize already has this name; give each parameter a different name",
      ],
    ],
    [
      'with a misspelled required environment',
      small.replace('emulator }', 'emulator }, production: { baseUrl: emulator, requires: locall }'),
      ["agentform.yaml:4:90 requires is 'locall': expected 'local' or 'production'; did you mean 'local'?"],
    ],
    [
      'with environments that require each other',
      `${head}manifests: [a.yaml]\nenvironments:\n  live: { baseUrl: emulator, requires: local }\n  local: { baseUrl: emulator, requires: live }\n`,
      [
        'agentform.yaml:5:40 the environments require each other in a cycle: live → local → live; remove requires from one of them',
        'agentform.yaml:6:41 the environments require each other in a cycle: local → live → local; remove requires from one of them',
      ],
    ],
    [
      'with an empty reseller',
      small.replace('emulator }', 'emulator, resellerId: "" }'),
      ["agentform.yaml:4:57 environments.local.resellerId is '': expected a non-empty string"],
    ],
  ])('The project file is refused: %s', async (_case, text, expected) => {
    const failure = await failureOf(text);
    expect(failure.problems.map(show)).toEqual(expected);
    const count = expected.length === 1 ? 'an error' : `${expected.length} errors`;
    expect(failure).toMatchObject({ code: 'project-invalid', message: `agentform.yaml has ${count}` });
    expect(failure.sourceOf('agentform.yaml')).toHaveLength(text.length);
  });

  test('All problems of a project file are reported together.', async () => {
    const failure = await failureOf(`${small.replace('emulator', 'x')}nope: 1\nlint: { nope: warn }\n`);
    expect([failure.message, failure.problems.length]).toEqual(['agentform.yaml has 3 errors', 3]);
  });

  test('A literal token is refused and not shown.', async () => {
    const failure = await failureOf(projectFile.replace('${secret.AGENT_TOKEN}', 'hunter2'));
    expect(failure.problems).toMatchObject([{ rule: 'token-literal', hideSource: true, at: { line: 11, column: 5 } }]);
    expect(JSON.stringify(failure.problems) + failure.sourceOf('agentform.yaml')).not.toContain('hunter2');
  });

  test('A key without a value is shown, although its value could be a token.', async () => {
    const text = 'environments:\n  production:\n  staging:\n    token:\n    query:\n      apiKey:\nrecord:\nservice:\n';
    expect((await failureOf(text)).sourceOf('agentform.yaml')).toBe(text);
  });

  test.each([
    ['query: hunter2', 'environments.production.query is a sensitive value: expected an object'],
    ['query: [hunter2]', 'environments.production.query is a list: expected an object'],
  ])('A literal in place of an object is not shown: %s', async (line, message) => {
    const failure = await failureOf(projectFile.replace('    token:', `    ${line}\n    token:`));
    expect(failure.problems).toMatchObject([{ message, hideSource: true }]);
    expect(failure.sourceOf('agentform.yaml')).not.toContain('hunter2');
    const environment = await failureOf(small.replace(/(environments:)[\s\S]*$/, '$1\n  test: hunter2\n'));
    expect(environment.problems).toMatchObject([
      { message: expect.stringContaining('a sensitive value'), hideSource: true },
    ]);
    expect(environment.sourceOf('agentform.yaml')).not.toContain('hunter2');
  });

  test.each([
    'record: hunter2',
    'service: "/x?token=hunter2"',
    'base_url: https://host?token=hunter2',
    'record: { store: postgres, url: "${secret.URL}", dsn: "postgres://me:hunter2@host/x" }',
  ])('A literal in place of settings is neither repeated nor shown: %s', async (line) => {
    const failure = await failureOf(`${small}${line}\nlint: []\n`);
    expect(JSON.stringify(failure.problems) + failure.sourceOf('agentform.yaml')).not.toContain('hunter2');
  });

  test('The name of a store in place of an object is shown, with the object to write.', async () => {
    const failure = await failureOf(`${small}record: git\n`);
    const message = "record is 'git': expected an object, such as { store: git }";
    expect(failure.problems).toMatchObject([{ message }]);
    expect(failure.sourceOf('agentform.yaml')).toContain('record: git');
  });

  test('A literal token in a file that cannot be parsed is not shown.', async () => {
    const text =
      'environments:\n  test:\n    query: hunter2\n    token: >-\n      hunter2\n    sig: hunter2\nopen: [\n';
    expect((await failureOf(text)).sourceOf('agentform.yaml')).not.toContain('hunter2');
  });

  test.each(['token', 'apiToken', 'x-api-key'])('A literal %s in a query is not shown.', async (name) => {
    const failure = await failureOf(
      projectFile.replace('    token:', `    query: { a: b, ${name}: hunter2 }\n    token:`),
    );
    expect(failure.problems).toMatchObject([{ rule: 'token-literal', hideSource: true, at: { line: 11, column: 20 } }]);
    expect(JSON.stringify(failure.problems) + failure.sourceOf('agentform.yaml')).not.toContain('hunter2');
  });

  test.each(['https://me:hunter2@host/x.git', 'https://hunter2@host/x.git', 'ssh://me:hunter2@host/x.git'])(
    'A remote with credentials is refused and not shown: %s',
    async (remote) => {
      const failure = await failureOf(`${small}record: { store: git, remote: "${remote}" }\n`);
      expect(failure.problems).toMatchObject([{ rule: 'record-store', hideSource: true, at: { line: 5 } }]);
      expect(JSON.stringify(failure.problems) + failure.sourceOf('agentform.yaml')).not.toContain('hunter2');
    },
  );

  test.each(['origin', '../records.git', '/srv/records.git', 'git@host:acme/x.git', 'ssh://git@host/x.git'])(
    'The records may be kept at %s.',
    async (remote) => {
      const text = `${small}record: { store: git, branch: records/agents, remote: "${remote}" }\n`;
      const project = await makeProject({ 'agentform.yaml': text, 'a.yaml': agent('') });
      expect(project.record).toEqual({ store: 'git', branch: 'records/agents', remote });
    },
  );

  test.each(['-x', 'a..b', 'a b', 'a/', '/a', 'a.lock/b~', 'a:b'])(
    'The branch name %s for records is refused.',
    async (branch) => {
      const failure = await failureOf(`${small}record: { store: git, branch: "${branch}" }\n`);
      expect(failure.problems).toMatchObject([{ at: { line: 5 }, message: expect.stringContaining('record.branch') }]);
    },
  );

  test('A project file that is not UTF-8 is refused.', async () => {
    expect((await failureOf(new Uint8Array([0xff]))).message).toBe(
      "agentform.yaml is not UTF-8 text: line 1, column 1 has the byte 0xFF ('ÿ' in Windows-1252); save the file as UTF-8",
    );
  });
});

test('Query parameters may swap their names, and their defaults come from the schema.', async () => {
  const text = `${small}service: { parameters: { page: pageSize, pageSize: page } }\n`;
  const project = await makeProject({ 'agentform.yaml': text, 'a.yaml': agent('') });
  expect(project.service.parameters).toEqual({ ...parameters, page: 'pageSize', pageSize: 'page' });
  const schema = JSON.parse(readFileSync(new URL('../../../schemas/project.schema.json', import.meta.url), 'utf8'));
  const declared: Record<string, { default: string }> = schema.properties.service.properties.parameters.properties;
  expect(Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, one.default]))).toEqual(parameters);
});

test('A pattern that matches no file is a warning, which lint can turn off.', async () => {
  const project = await makeProject({});
  expect(project.problems.map(show)).toEqual(["agentform.yaml:3:13 the pattern 'agents/**/*.yaml' matches no file"]);
  const quiet = await makeProject({ 'agentform.yaml': `${projectFile}lint: { manifests-empty: off }\n` });
  expect((await resolveProject(quiet, { environment: 'local', secrets: 'names', env: {} })).problems).toEqual([]);
});

test('An unknown environment is reported with the existing ones.', async () => {
  const project = await makeProject({});
  const failure = resolveProject(project, { environment: 'prodution', secrets: 'names', env: {} });
  await expect(failure).rejects.toThrow(AgentformError);
  await expect(failure).rejects.toMatchObject({
    code: 'environment-unknown',
    message:
      "agentform.yaml has no environment 'prodution': it has 'local' and 'production'; did you mean 'production'?",
  });
});

test('A pattern that begins with ! leaves out files that others match.', async () => {
  const text = small.replace('[a.yaml]', '["*.yaml", "!b*.yaml", "sub/*.yaml"]');
  const files = { 'a.yaml': agent('', '', 'a'), 'b.yaml': agent('', '', 'b'), 'sub/bc.yaml': agent('', '', 'c') };
  const project = await makeProject({ 'agentform.yaml': text, ...files });
  expect([project.manifests, project.problems]).toEqual([['a.yaml', 'sub/bc.yaml'], []]);
});

test('A folder that cannot be read is an error, because its manifests were not deleted.', async () => {
  const root = makeFolder({ 'agents/sub/a.yaml': agent('') });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'agents/sub'), 0);
  const { problems } = await asOrdinaryUser(() => loadProject(root));
  chmodSync(join(root, 'agents/sub'), 0o755);
  expect(problems.map(show)).toEqual([
    "agentform.yaml:3:13 the pattern 'agents/**/*.yaml' covers the folder 'agents/sub', which cannot be searched: permission is denied (EACCES)",
  ]);
});

test('A file is reported as missing even if the names in its folder cannot be read.', async () => {
  const root = makeFolder({
    'agents/a.yaml': agent('welcomeMessage: { file: ../prompts/gone.md }'),
    'prompts/a.md': '',
  });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'prompts'), 0o311);
  const { problems } = await asOrdinaryUser(async () => validateProject(await loadProject(root), { env: {} }));
  expect(problems.map(show)).toEqual(["agents/a.yaml:7:27 the file '../prompts/gone.md' does not exist"]);
});
