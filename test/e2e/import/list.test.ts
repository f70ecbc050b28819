import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ImportLedger } from '../../../src/apply/events.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { filesOf, listOf, pendingPaths, project, seed } from './imports.ts';

shareProcess();

useIndependentServer();

describe('import --from', () => {
  test('An import of a dozen agents also plans them, and a repeated import changes nothing.', async () => {
    const { csv, env } = listOf(12);
    const made = await project({ 'ids.csv': csv }, env);
    const result = await made.run('import', '--from', 'ids.csv', '--format', 'json');
    expect(result).toMatchObject({ code: 0 });
    const ledger = JSON.parse(result.stdout) as ImportLedger;
    expect(ledger.entries.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(
      Array.from({ length: 12 }, (_, index) => `desk-${index + 1} imported`),
    );
    expect(await pendingPaths(made)).toEqual(Array.from({ length: 12 }, () => 'settings.description blind'));
    server.takeLog();
    const again = await made.run('import', '--from', 'ids.csv');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('0 imported, 12 already imported') });
    expect(server.takeLog()).toEqual([]);
  });

  test('An agent that cannot be imported does not stop the others.', async () => {
    const { csv, env } = listOf(3);
    const made = await project(
      { 'ids.csv': `${csv}agent-99,lost,D,TOKEN_LOST\nagent-98,unset,D,TOKEN_UNSET\n`, 'prompts/desk-2.md': 'mine' },
      { ...env, TOKEN_LOST: 'nobody' },
    );
    const result = await made.run('import', '--from', 'ids.csv', '--format', 'json');
    expect(result.code).toBe(1);
    const { entries } = JSON.parse(result.stdout) as ImportLedger;
    expect(entries.map(({ outcome }) => outcome)).toEqual(['imported', 'failed', 'imported', 'failed', 'failed']);
    const because = (text: string) => [
      { code: 'call-failed', facts: expect.anything(), remedies: [], message: expect.stringContaining(text) },
    ];
    expect(entries.map(({ reasons }) => reasons)).toEqual([
      undefined,
      because('prompts/desk-2.md already exists'),
      undefined,
      because('404'),
      because('TOKEN_UNSET is unset'),
    ]);
    expect(await filesOf(made)).not.toContain('agents/desk-2.yaml');
  });

  test('A repeated import writes the schema that a kill left missing, although it imports no agent.', async () => {
    const { csv, env } = listOf(2);
    const made = await project({ 'ids.csv': csv }, env);
    await made.run('import', '--from', 'ids.csv');
    const before = await filesOf(made);
    await rm(join(made.root, '.agentform/schemas/manifest.schema.json'));
    expect(await made.run('import', '--from', 'ids.csv')).toMatchObject({ code: 0 });
    expect(await filesOf(made)).toEqual(before);
  });

  test('Every mistake in an import list is reported in one run, with its line.', async () => {
    const csv = 'id,nam,descripton\n';
    const made = await project({ 'ids.csv': csv });
    const header = await made.run('import', '--from', 'ids.csv');
    expect(header).toMatchObject({ code: 1 });
    expect(header.stderr).toContain("ids.csv:1:4 error csv-column  unknown column 'nam'; did you mean 'name'?");
    expect(header.stderr).toContain(
      "ids.csv:1:8 error csv-column  unknown column 'descripton'; did you mean 'description'?",
    );
    await made.write('ids.csv', 'id,name,description\ncamp_1,Desk,D\n\ncamp_1,desk,"D\nE",x\n,desk,D\ncamp_7,con,D\n');
    const rows = await made.run('import', '--from', 'ids.csv');
    expect(rows.stderr.match(/ids\.csv:\d+:\d+ error +\S+ .*/g)).toEqual([
      expect.stringMatching(/^ids\.csv:2:8 .*the name is 'Desk'/),
      expect.stringMatching(/^ids\.csv:5:4 .*the row has 4 fields, but the header has 3/),
      expect.stringMatching(/^ids\.csv:6:1 .*the id is empty/),
      expect.stringMatching(/^ids\.csv:6:2 .*this name is already in an earlier row/),
      expect.stringMatching(/^ids\.csv:7:8 .*the name is 'con': expected .*, and no Windows device name such as con/),
    ]);
    expect(server.takeLog()).toEqual([]);
  });

  test('An empty import list is reported as empty.', async () => {
    for (const empty of ['', '\n\n', '\uFEFF', ' ,\n']) {
      const made = await project({ 'ids.csv': empty });
      const { code, stderr } = await made.run('import', '--from', 'ids.csv');
      expect({ empty, code, stderr }).toMatchObject({ code: 1 });
      expect(stderr).toMatch(/^ids\.csv:\d:1 error csv-empty {2}the list is empty: expected a row of column names$/m);
    }
  });

  test('An import list in another encoding is refused at the first wrong byte, and empty rows are skipped.', async () => {
    const made = await project();
    await writeFile(
      join(made.root, 'ids.csv'),
      Buffer.from('id,name,description\n,,\ncamp_1,desk,M\xfcller\n', 'latin1'),
    );
    const refused = await made.run('import', '--from', 'ids.csv');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(
      "ids.csv:3:14 error csv-encoding  found the byte 0xFC ('ü' in Windows-1252); save the file as UTF-8\n",
    );
    expect(server.takeLog()).toEqual([]);
  });

  test('An import list accepts an entry of a secret as token, and names control characters of a prompt.', async () => {
    const prompt = `${'Be kind.\n'.repeat(30)}Bell\u0007.\n`;
    const id = seed({ title: 'Desk', agentInstructions: prompt.trimEnd() }, 'token-desk');
    const made = await project(
      { 'ids.csv': `id,name,description,token-secret\n${id},desk,D,TOKENS[desk]\n` },
      {
        TOKENS: '{"desk":"token-desk"}',
      },
    );
    const result = await made.run('import', '--from', 'ids.csv');
    expect(result).toMatchObject({ code: 0 });
    expect(result.stdout).toContain('prompts/desk.md:31:5: the text contains a control character (U+0007): delete it');
    expect(await made.read('prompts/desk.md')).toBe(prompt);
    expect(await made.read('agents/desk.yaml')).toContain('${secret.TOKENS[desk]}');
  });

  test('Agents without a description get that of the command line, or fail.', async () => {
    const { csv, env } = listOf(2);
    const made = await project({ 'ids.csv': csv.replace('"Desk 2, upstairs"', '') }, env);
    expect(await made.run('import', '--from', 'ids.csv')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('fill in the `description` column'),
    });
    expect(await made.run('import', '--from', 'ids.csv', '--description', 'All alike')).toMatchObject({ code: 0 });
    expect(await made.read('agents/desk-1.yaml')).toContain('description: Desk 1, upstairs');
    expect(await made.read('agents/desk-2.yaml')).toContain('description: All alike');
  });

  test('Two agents under the same credentials are refused before any read.', async () => {
    const made = await project({
      'ids.csv': 'id,name,description,query\na,one,D,\nb,two,D,\nc,three,D,targetAccountId=3\n',
    });
    const result = await made.run('import', '--from', 'ids.csv');
    expect(result).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Agent/one and Agent/two have the same account'),
    });
    expect(server.takeLog()).toEqual([]);
  });
});
