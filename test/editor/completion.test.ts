import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { knownKeys } from '../../src/schemas/known-keys.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { LanguageServer } from '../support/language-server.ts';

const kinds = ['Agent', 'AgentUrl', 'Context', 'Fleet', 'Member', 'Organization', 'PhoneNumber', 'Policy', 'Test'];
const head = 'apiVersion: agentform/v1\nkind: Agent\nname: night\n';

let project: TestProject;
let server: LanguageServer;

/** Creates a project in a folder of a repository, and opens the repository in an editor. */
beforeAll(async () => {
  project = await testProject({});
  execFileSync('git', ['init', '--quiet', project.root]);
  expect(await project.run('init', 'clinic')).toMatchObject({ code: 0 });
  server = await LanguageServer.start(project.root, JSON.parse(await project.read('.vscode/settings.json')));
});
afterAll(async () => {
  await server.stop();
  await project.remove();
});

/** The completions at the end of a file that begins with this text. */
async function offered(path: string, text: string): Promise<string[]> {
  await server.open(path, text);
  const lines = text.split('\n');
  return server.completions(path, { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 });
}

describe('an editor with the settings from init', () => {
  test.each(['clinic/agents/new.yaml', 'clinic/agents/north/new.yaml', 'clinic/shared/new.yaml'])(
    'The editor completes the empty file %s.',
    async (path) => {
      const labels = await offered(path, '');
      expect(labels).toEqual([...kinds, 'agentform manifest', 'apiVersion', 'kind']);
    },
  );

  test('The editor offers the kinds.', async () => {
    expect(await offered('clinic/agents/kinds.yaml', 'apiVersion: agentform/v1\nkind: ')).toEqual(kinds);
  });

  test('The editor offers the settings of an agent, and no keys of other kinds.', async () => {
    const labels = await offered('clinic/agents/settings.yaml', `${head}settings:\n  `);
    expect(labels).toEqual([...(knownKeys.Agent?.['/settings'] ?? [])].sort());
  });

  test('The editor offers the sections of an agent, and no keys of other kinds.', async () => {
    const labels = await offered('clinic/agents/sections.yaml', `${head}\n`);
    const used = ['apiVersion', 'kind', 'name'];
    expect(labels).toEqual((knownKeys.Agent?.[''] ?? []).filter((key) => !used.includes(key)).sort());
  });

  test('The editor offers the keys of a Test and of its cases.', async () => {
    const test = 'apiVersion: agentform/v1\nkind: Test\nname: callers\ncases:\n  - name: silence\n    ';
    expect(await offered('clinic/tests/callers.yaml', test)).toEqual([
      'Case',
      'call',
      'expect',
      'interruption',
      'interruptions',
      'silence',
      'text',
      'transfer',
    ]);
  });

  test.each([
    ['agentLang', ['en-US', 'es-ES', 'es-MX', 'es-US', 'multi']],
    ['agentS2SEngine', ['null', 's2s_a', 's2s_b']],
    ['autoRecordingNotification', ['always', 'false', 'true']],
    ['noConvoHistory', ['false', 'true']],
  ])('The editor offers the values of %s.', async (name, values) => {
    expect(await offered(`clinic/agents/${name}.yaml`, `${head}settings:\n  title: a\n  ${name}: `)).toEqual(values);
  });

  test('The editor offers the keys of agentform.yaml and of tasks.', async () => {
    expect(await offered('clinic/agentform.yaml', '')).toContain('environments');
    expect(await offered('clinic/tasks/call.yaml', '')).toContain('settings');
  });

  test('The completion of a kind inserts a whole manifest.', async () => {
    await project.edit('clinic/agentform.yaml', '{ baseUrl: emulator }', '{ baseUrl: emulator, resellerId: "4711" }');
    // A fleet is skipped, because it needs the files that it names.
    for (const kind of kinds.filter((name) => !['Fleet', 'Policy', 'Test'].includes(name))) {
      const path = `clinic/agents/chosen-${kind}.yaml`;
      await server.open(path, '');
      const text = await server.inserted(path, kind, { line: 0, character: 0 });
      await project.write(path, text.replace(/\$\{\d+:([^}]*)\}/g, '$1'));
    }
    expect(await project.in('clinic').run('validate')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('7 manifests valid'),
    });
  });

  test.each([
    ['agentLang: fr', 'Value is not accepted. Valid values: "en-US", "multi", "es-MX", "es-ES", "es-US".'],
    ['titel: Night', 'Property titel is not allowed.'],
    ['agentInstructions: { path: x }', 'Property path is not allowed.'],
  ])('The editor marks %s.', async (line, problem) => {
    const text = `${head}settings:\n  title: Night\n  ${line}\n`;
    expect(await server.open(`clinic/agents/${encodeURIComponent(line)}.yaml`, text)).toContain(problem);
  });
});
