import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clientsProject, words } from '../../e2e/import/clients.ts';
import { filesOf } from '../../e2e/import/imports.ts';
import type { TestProject } from '../../support/cli.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';
import { leaveTemporaryFile } from '../../support/leftover.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { keys, runOnTerminal, type Typed } from '../../support/terminal.ts';

shareProcess();

const count = 4;

let server: IndependentServer;
let project: TestProject;

beforeAll(async () => {
  server = await startIndependentServer();
  project = await clientsProject(server, count);
});
afterAll(async () => {
  await project.remove();
  await server.close();
});

test('A repeated import of a fleet removes what a kill left beside finished files, and writes the missing schema.', async () => {
  expect(await project.run(...words, '--description', 'D', '--yes')).toMatchObject({ code: 0 });
  const before = await filesOf(project);
  const schema = '.agentform/schemas/manifest.schema.json';
  expect(before).toContain(schema);
  await rm(join(project.root, schema));
  const remaining = await project.run(...words);
  expect(remaining).toMatchObject({ code: 0, stdout: expect.stringContaining(`${count} already imported`) });
  expect(await filesOf(project)).toEqual(before);
  for (const file of ['agents/dental.yaml', 'templates/dental.yaml', schema])
    await leaveTemporaryFile(join(project.root, file));
  await rm(join(project.root, '.agentform/records/test/Agent/client-3.json'));
  expect(await project.start(...words).done).toMatchObject({ code: 0, stdout: expect.stringContaining('1 imported') });
  expect(await filesOf(project)).toEqual(before);
});

describe('the questions of an import on a terminal', () => {
  let own: TestProject;
  beforeEach(async () => {
    own = await clientsProject(server, 2);
  });
  afterEach(() => own.remove());

  const template = 'templates/dental.yaml';
  const question = 'Write this template and the overrides?';
  const asked = (
    typed: readonly Typed[],
    env: Readonly<Record<string, string>> = {},
    args = [...words, '--description', 'D'],
  ) => runOnTerminal(args, { cwd: own.root, env: { AGENT_TOKEN: 'token-1', ...env } }, typed);

  test('A person edits the template of a new fleet until it has no errors, and the import then writes it.', async () => {
    // The first edit misspells a key, and the second one corrects it.
    await own.write(
      'edit.sh',
      'grep -q descripton "$1" && sed -i s/descripton:.*/description:\\ Edited/ "$1" || sed -i s/description:/descripton:/ "$1"\n',
    );
    const { code, screen } = await asked(
      [
        [question, `${keys.down}${keys.enter}`],
        ['The template has errors. Edit it again?', keys.enter],
        [question, keys.enter],
      ],
      { EDITOR: `sh '${own.root}/edit.sh'` },
    );
    expect({ code, screen }).toEqual({ code: 0, screen: expect.stringContaining('2 of 2 agents get an override.') });
    expect(screen).toMatch(/templates\/dental\.yaml:8:3 unknown key 'descripton'/);
    expect(await own.read(template)).toContain('  description: Edited\n');
  });

  test.each<[string, Record<string, string>, string, number, RegExp]>([
    [
      'is interrupted',
      {},
      keys.interrupt,
      3,
      /to edit, set \$EDITOR.*nothing was imported: the import was not confirmed/s,
    ],
    ['is answered with no', {}, `${keys.up}${keys.enter}`, 3, /nothing was imported: the import was not confirmed/],
    [
      'leads to an editor that fails',
      { EDITOR: 'exit 7;' },
      `${keys.down}${keys.enter}`,
      1,
      /nothing was imported: the editor "exit 7;" exited with code 7/,
    ],
    [
      'leads to an editor that is killed',
      { VISUAL: 'kill -9 $$;' },
      `${keys.down}${keys.enter}`,
      1,
      /nothing was imported: the editor "kill -9 \$\$;" was terminated by a signal/,
    ],
  ])('An import writes nothing if the question about the template %s.', async (_what, env, typed, code, said) => {
    expect(await asked([[question, typed]], env)).toMatchObject({ code, screen: expect.stringMatching(said) });
    expect(await filesOf(own)).toEqual(['clients.csv']);
  });

  test('A person must describe an imported agent, because the service does not return descriptions.', async () => {
    const id = server.seed('token-1', { type: 'chatAgent', title: 'Desk', description: 'x' }, 'desk').id;
    const one = ['import', id, '--name', 'desk', '--query', 'targetAccountId=desk'];
    const message = `Description of ${id} (Desk)? The service does not return descriptions`;
    expect(await asked([[message, keys.interrupt]], {}, one)).toMatchObject({
      code: 3,
      screen: expect.stringContaining('nothing was imported: no description was given'),
    });
    const typed: Typed[] = [
      [message, keys.enter],
      ['every agent needs a description', `Answers.${keys.enter}`],
    ];
    expect(await asked(typed, {}, one)).toMatchObject({ code: 0 });
    expect(await own.read('agents/desk.yaml')).toContain('description: Answers.\n');
  });
});
