import { chmod, mkdir, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { json } from '../../support/independent-server.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { filesOf, imported, project, seed, token } from './imports.ts';

shareProcess();

useIndependentServer();

describe('an import over existing files', () => {
  test('An existing file stops an import, and --force overwrites it.', async () => {
    const id = seed({ agentInstructions: 'a\nb' });
    const made = await project({ 'prompts/front-desk.md': 'mine\n' });
    expect(await imported(made, id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('prompts/front-desk.md already exists'),
    });
    expect(await filesOf(made)).toEqual(['prompts/front-desk.md']);
    expect(await made.read('prompts/front-desk.md')).toBe('mine\n');
    expect(await imported(made, id, '--force')).toMatchObject({ code: 0 });
    expect(await made.read('prompts/front-desk.md')).toBe('a\nb\n');
  });

  test('An import with --force names the settings that are lost.', async () => {
    const id = seed({ agentInstructions: 'a\nb' });
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    await made.edit(
      'agents/front-desk.yaml',
      /^settings:/m,
      'backgroundAudio: https://a.example/b.mp3\nsettings:\n  callerResponseTimeout: 20',
    );
    server.edit(id, { agentInstructions: 'short' });
    const { code, stdout } = await imported(made, id, '--force');
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'note: backgroundAudio, settings.callerResponseTimeout: the earlier manifest declared it, but the service does not return it, so it is no longer managed',
    );
    expect((await imported(made, id, '--force')).stdout).not.toContain('note:');
  });

  test('An import with --force keeps secrets as references in the new files and the record.', async () => {
    const id = seed({ agentInstructions: 'Say s3cr3tcode.\nBe kind.', welcomeMessage: 'The code is s3cr3tcode.' });
    const made = await project({}, { CODE: 's3cr3tcode' });
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    await made.edit('agents/front-desk.yaml', /^ {2}description: .*$/m, '  description: ${secret.CODE}');
    expect(await imported(made, id, '--force')).toMatchObject({ code: 0 });
    const files = await Promise.all((await filesOf(made)).map((file) => made.read(file)));
    expect(files.join('')).not.toContain('s3cr3tcode');
    expect((await made.recordTexts()).join('')).not.toContain('s3cr3tcode');
    expect(await made.read('prompts/front-desk.md')).toBe('Say ${secret.CODE}.\nBe kind.\n');
  });

  test('An import with --force writes through a link and keeps the mode, but never leaves the project.', async () => {
    const id = seed({ agentInstructions: 'a\nb' });
    const made = await project({ 'texts/mine.md': 'mine\n' });
    const elsewhere = await project({ 'mine.md': 'mine\n' });
    await mkdir(join(made.root, 'prompts'));
    await chmod(join(made.root, 'texts/mine.md'), 0o600);
    await symlink('../texts/mine.md', join(made.root, 'prompts/front-desk.md'));
    expect(await imported(made, id, '--force')).toMatchObject({ code: 0 });
    expect(await made.read('texts/mine.md')).toBe('a\nb\n');
    expect((await stat(join(made.root, 'texts/mine.md'))).mode & 0o777).toBe(0o600);
    await rm(join(made.root, 'prompts/front-desk.md'));
    await symlink(join(elsewhere.root, 'mine.md'), join(made.root, 'prompts/front-desk.md'));
    server.edit(id, { agentInstructions: 'c\nd' });
    expect((await imported(made, id, '--force')).code).not.toBe(0);
    expect(await elsewhere.read('mine.md')).toBe('mine\n');
  });

  test('An import refuses an existing manifest and record of the name, and an agent with a manifest.', async () => {
    const id = seed();
    const made = await project();
    await imported(made, id);
    expect(await imported(made, id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        'Agent/front-desk is already imported into agents/front-desk.yaml; to overwrite the file and its record, run again with --force',
      ),
    });
    expect(await made.run('import', id, '--name', 'other', '--description', 'D', '--force')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        `${id} is already managed as Agent/front-desk (agents/front-desk.yaml); to import it again, use that name`,
      ),
    });
    expect(await made.run('import', 'agent-99', '--name', 'front-desk', '--description', 'D', '--force')).toMatchObject(
      {
        code: 3,
        stderr: expect.stringContaining(
          `the record of Agent/front-desk in test belongs to agent ${id}, not to agent-99`,
        ),
      },
    );
    await made.edit('agents/front-desk.yaml', /^/, '# mine\n');
    await made.run('record', 'forget', '--yes', 'front-desk');
    expect(await imported(made, id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('already exists with different contents'),
    });
    await made.edit('agents/front-desk.yaml', '# mine\n', '');
    expect(await imported(made, id)).toMatchObject({ code: 0 });
  });

  test('An import refuses an agent of another type.', async () => {
    server.quirks = { campaignType: 'voiceBot' };
    const made = await project();
    expect(await imported(made, seed())).toMatchObject({ code: 3, stderr: expect.stringContaining('"voiceBot"') });
    expect(await filesOf(made)).toEqual([]);
  });

  test('An import removes its files again if the record cannot be saved.', async () => {
    const made = await project({ 'prompts/front-desk.md': 'mine\n' });
    const path = '.agentform/records/test/Agent/front-desk.json';
    const { host } = new URL(server.baseUrl);
    const other = {
      formatVersion: 1,
      environment: 'test',
      kind: 'Agent',
      name: 'front-desk',
      host,
      query: {},
      fields: {},
    };
    server.before = async () => {
      await made.write(path, JSON.stringify(other));
      return undefined;
    };
    const id = seed({ agentInstructions: 'a\nb' });
    expect(await imported(made, id, '--force')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('record-moved'),
    });
    expect(await filesOf(made)).toEqual([path, 'prompts/front-desk.md']);
    expect(await made.read('prompts/front-desk.md')).toBe('mine\n');
  });

  test('An import reports manifest errors before it reads the agent.', async () => {
    const made = await project({
      'agents/bad.yaml': 'apiVersion: agentform/v1\nkind: Agent\nname: bad\nsetings: {}\n',
    });
    expect(await imported(made, seed())).toMatchObject({ code: 1, stderr: expect.stringContaining('setings') });
    expect(server.takeLog()).toEqual([]);
  });
});

describe('messages of an import', () => {
  test('An import without a description fails without a terminal, and names the option.', async () => {
    const made = await project();
    const result = await made.run('import', seed(), '--name', 'front-desk');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('set it with --description TEXT') });
    expect(await filesOf(made)).toEqual([]);
  });

  test('An import exits with 1 if the plan changes more than the description.', async () => {
    const id = seed();
    const made = await project();
    let reads = 0;
    server.after = ({ method }) => {
      if (method === 'GET' && ++reads === 1) server.edit(id, { title: 'Moved meanwhile' });
      return undefined;
    };
    const { code, stdout } = await imported(made, id);
    expect({ code, text: stdout.replaceAll(/\s+/g, ' ') }).toEqual({
      code: 1,
      text: expect.stringContaining(
        'the plan: settings.title would be set, because the value in the dashboard differs from the record. ' +
          'To copy the values from the service again, repeat the import with --force',
      ),
    });
  });

  test('An import exits with 1 if another environment has problems.', async () => {
    const made = await project({ environments: `  bare: { baseUrl: "${server.baseUrl}" }\n` });
    expect(await imported(made, seed())).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('there is no token'),
    });
  });

  test('An import of an unknown agent or from a failing service leaves no file.', async () => {
    const made = await project();
    expect(await imported(made, 'agent-99')).toMatchObject({ code: 1, stderr: expect.stringContaining('404') });
    server.before = () => json(200, { success: false, message: 'No such thing' });
    expect(await imported(made, 'agent-99')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No such thing'),
    });
    expect(await filesOf(made)).toEqual([]);
  });

  test.each([
    [['import'], 'give the id of the agent'],
    [['import', 'x'], 'give x a name'],
    [['import', 'x', '--name', 'Front Desk'], "the name is 'Front Desk'"],
    [['import', 'a b', '--name', 'n'], "the id is 'a b'"],
    [['import', 'x', '--name', 'n', '--token-secret', token], 'token-secret must name a process variable'],
    [['import', 'x', '--name', 'n', '--query', 'token=1'], 'the query cannot set the token'],
    [
      ['import', 'x', '--name', 'n', '--query', 'a=1', '--query', 'a=2'],
      "the query parameter 'a' has more than one value",
    ],
    [['import', 'x', '--name', 'n', '--description', ' '], 'a description cannot be empty'],
    [['import', 'x', '--name', 'n', '--path', '../n.yaml'], 'is outside the project folder'],
    [['import', 'x', '--from', 'ids.csv'], 'cannot be combined with --from; use the columns of the list'],
    [
      ['import', '--path', 'a.yaml', '--from', 'ids.csv'],
      'cannot be combined with --from, which writes each manifest to its default path',
    ],
  ])('The import %j is refused with the reason.', async (args, sentence) => {
    const made = await project();
    const result = await made.run(...args);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
    expect(result.stderr).not.toContain(token);
    expect(server.takeLog()).toEqual([]);
  });
});
