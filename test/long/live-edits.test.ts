import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { project, prompt, remote, startOver, useFleet } from '../e2e/edited-fleet.ts';
import { commitAll, git, initRepository } from '../support/git.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

useFleet();

describe('the same edit of several members', () => {
  const greeting = 'Hello from ${var.brand}';
  const inProject = (...args: string[]) => git(project.root, ...args);
  const committed = () => commitAll(project.root, 'next');
  let startRolledBack: () => Promise<void>;
  beforeAll(async () => {
    await startOver();
    initRepository(project.root);
    await committed();
    await project.edit('templates/prompt.md', 'You answer the phone of ${var.brand}.', 'Hang up on ${var.brand}.');
    await project.edit('templates/agent.yaml', greeting, 'Bye from ${var.brand}');
    await project.run('apply', '--yes');
    await committed();
    expect(await project.run('rollback', '*', '--yes')).toMatchObject({ code: 0 });
    await committed();
    startRolledBack = await savedState(remote, project.root);
  });
  beforeEach(() => startRolledBack());

  test('Update first offers the shared template, and its commands restore the text with its variables.', async () => {
    const { code: exit, stderr } = await project.run('update', '*');
    expect(exit).toBe(3);
    expect(stderr).toContain(
      '2 agents would get the same overrides. To change templates/agent.yaml and templates/prompt.md instead, run ',
    );
    expect(stderr).toContain("`agentform update '*' --own -e test`");
    expect(await inProject('status', '--porcelain')).toBe('');
    const offered = [...stderr.matchAll(/`agentform update '\*' (--field [^`]+)`/g)].map(([, options = '']) => options);
    expect(offered).toEqual([
      '--field settings.welcomeMessage --to templates/agent.yaml -e test',
      '--field settings.agentInstructions --to templates/prompt.md -e test',
    ]);
    for (const options of offered) {
      expect(await project.run('update', '*', ...options.split(' '))).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await project.read('templates/prompt.md')).toBe(prompt);
    expect(await project.read('templates/agent.yaml')).toContain(`welcomeMessage: "${greeting}"`);
    expect((await project.run('plan')).stdout).toContain('No changes: both agents in test match the files.');
  });

  test('Update --own writes an override for each member, and one member alone needs no option.', async () => {
    expect(await project.run('update', 'elm')).toMatchObject({ code: 0 });
    expect(await project.read('clients/elm.yaml')).toContain('welcomeMessage: Hello from Elm');
    expect(await project.run('update', 'oak', 'elm', '--own')).toMatchObject({ code: 0 });
    expect(await project.read('clients/oak.yaml')).toContain('welcomeMessage: Hello from Oak');
  });
});
