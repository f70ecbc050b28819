import { beforeEach, describe, expect, test } from '@jest/globals';
import { commitAll, git, initRepository } from '../support/git.ts';
import { shareProcess } from '../support/shared-process.ts';
import { code, door, fleet, live, project, prompt, useFleet } from './edited-fleet.ts';

shareProcess();

useFleet();

const spoken = prompt.replaceAll('${var.brand}', 'Elm').replace('${var.phone}', '+1 415');
const flat = (text: string) => text.replace(/\s+/g, ' ');
/** The text without Markdown's marks. For a page, only the part after its style. */
const plain = (text: string) =>
  flat(text.slice(text.indexOf('<body>') + 1).replaceAll('\\', '')).replace('Contains a', 'contains a');
const secretPlace = 'it contains a secret; edit it in templates/door.md:7';
const editedDoor = door.replace('${secret.CODE}', code).replace('Be quick.', 'Be very quick.');

describe('an edit of a text with variables', () => {
  const edited = spoken.replace('of Elm.', 'of Elm, the dentist.').replace('Be nice.\n\n', '');
  beforeEach(() => live({ agentInstructions: edited, welcomeMessage: 'Elm Dental, ${name}, hello' }));

  test('Drift offers a command for an edit beside variables, and the command writes it into the override.', async () => {
    const { stdout } = await project.run('drift');
    const [, command = ''] = /`agentform (update [^`]+)`/.exec(flat(stdout)) ?? [];
    const update = await project.run(...command.split(' '));
    expect(update).toMatchObject({ code: 0, stderr: '' });
    expect(update.stdout).toContain('settings.welcomeMessage no longer uses ${var.brand}');
    expect(update.stdout).not.toContain('agentInstructions no longer');
    expect(await project.read('clients/elm.agent-instructions.patch')).toMatch(
      /^-You answer the phone of \$\{var\.brand\}\.\n\+You answer the phone of Elm, the dentist\.$/m,
    );
    expect(await project.read('clients/elm.yaml')).toContain('welcomeMessage: Elm Dental, ${name}, hello');
    expect(await project.read('templates/prompt.md')).toBe(prompt);
    const apply = await project.run('apply', '--yes', '--new', 'all');
    expect(apply.stdout).toContain('Apply: 1 applied, 1 unchanged.');
    expect(apply.stdout).not.toContain('undone');
    expect((await project.run('drift')).stdout).toContain('No drift');
    await project.edit('clients.csv', '+1 415', '+1 999');
    expect((await project.run('plan')).stdout).toContain('The number is +1 {+999+}.');
  });

  test('Drift --branch commits an edit of a text with variables.', async () => {
    const inProject = (...args: string[]) => git(project.root, ...args);
    initRepository(project.root);
    await commitAll(project.root, 'first');
    const { code: exit, stderr } = await project.run('drift', '--branch', 'edits');
    expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining('Committed 2 values') });
    expect(stderr).toContain('Agent/elm: settings.welcomeMessage no longer uses ${var.brand}');
    expect((await inProject('diff', '--name-only', 'main', 'edits')).split('\n')).toEqual([
      'clients/elm.agent-instructions.patch',
      'clients/elm.yaml',
    ]);
  });
});

describe('an edit of a text with a secret', () => {
  beforeEach(() => live({ adminInstructions: editedDoor }));

  test('An edit of a text with a secret is shown with its place and no command in every format of drift.', async () => {
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await project.run('drift', '--format', format);
      expect(plain(stdout)).toContain(secretPlace);
      expect(stdout).not.toContain('agentform update');
      expect(stdout).not.toContain(code);
    }
  });

  test('An edit of a text with a secret is left out by update and reported with its place.', async () => {
    const update = await project.run('update', 'elm');
    expect(update.code).toBe(3);
    expect(flat(update.stdout)).toContain(`not updated: settings.adminInstructions: ${secretPlace}`);
    const { resources } = JSON.parse((await project.run('drift', '--format', 'json')).stdout);
    expect(resources[0].moves).toMatchObject([
      { path: 'settings.adminInstructions', updateRefusal: { code: 'not-copied', message: secretPlace } },
    ]);
    const { stdout } = await project.run('plan', '--format', 'html');
    expect(flat(stdout)).toContain(secretPlace);
    expect(stdout).not.toContain('agentform update');
  });

  test('An edit of a text with a secret is shown in the ledger as undone, with both values masked.', async () => {
    const { stdout, code: exit } = await project.run('apply', '--yes', '--new', 'all', '--report', 'ledger.json');
    expect(exit).toBe(0);
    expect(stdout).toContain('1 dashboard edit undone, ');
    expect(stdout).toContain('settings.adminInstructions: (sensitive, changes)');
    const ledger = await project.read('ledger.json');
    expect(JSON.parse(ledger).entries[0].undone).toMatchObject([
      { path: 'settings.adminInstructions', lost: { sensitive: true }, now: { sensitive: true } },
    ]);
    expect(stdout + ledger).not.toContain(code);
  });

  test('An edit of a text with a secret is shown with its place and no command by explain, in each conflict and by apply.', async () => {
    await project.edit('templates/door.md', 'Be quick.', 'Be slow.');
    const explained = await project.run('explain', 'elm', 'settings.adminInstructions');
    expect(flat(explained.stdout)).toContain(secretPlace);
    expect(explained.stdout).not.toContain('agentform update');
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await project.run('plan', '--format', format);
      expect(plain(stdout)).toContain(secretPlace);
      expect(flat(stdout)).toContain('agentform apply --overwrite Agent/elm -e test');
      expect(stdout).not.toContain('agentform update');
    }
    const apply = await project.run('apply', '--yes', '--new', 'all');
    expect(flat(apply.stdout + apply.stderr)).toContain(secretPlace);
    expect(apply.stdout + apply.stderr).not.toContain('agentform update');
  });

  test('An edit is not copied if the last applied text had a secret, even if the manifest no longer has it.', async () => {
    await project.write('templates/door.md', door.replace('The code is ${secret.CODE}.', 'Ask for the code.'));
    const { stdout, code: exit } = await project.run('update', 'elm', '--theirs');
    expect(exit).toBe(3);
    expect(flat(stdout)).toMatch(
      /not updated: settings\.adminInstructions: it contains a secret; edit it in templates\/door\.md:5/,
    );
  });
});

test('Drift offers no command for a member without an override, and says why.', async () => {
  await project.write('agents/fleet.yaml', fleet(''));
  await live({ welcomeMessage: 'Hi' });
  const { stdout } = await project.run('drift');
  expect(stdout).not.toContain('agentform update -');
  expect(flat(stdout)).toContain('this resource has no separate file; give the fleet `overrides`');
});
