// A create sends no id, so the service may replace an existing agent. Therefore a person must confirm it.
import { describe, expect, test } from '@jest/globals';
import { apply, env, inAccount, onTerminal, project, remote, useNewAgents, writes } from '../e2e/new-agents-project.ts';
import { agentManifest } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys, runOnTerminal, type Typed } from '../support/terminal.ts';

shareProcess();

useNewAgents();

describe('questions on a terminal', () => {
  const question = 'A, B:';

  test('Enter chooses the default answer, and Ctrl-C at the confirmation ends the run.', async () => {
    expect(await project.run('apply', 'billing', '--yes', '--new', 'Agent/billing')).toMatchObject({ code: 0 });
    const made = (await remote.agents()).at(-1);
    await remote.dashboard(made?.id ?? '', { title: 'Edited' });
    await writes();
    const ended = await onTerminal([question, keys.interrupt]);
    expect(ended.screen).not.toContain('Type "yes"');
    expect({ code: ended.code, writes: await writes() }).toEqual({ code: 3, writes: [] });
    const confirmed = await onTerminal(
      [question, keys.enter],
      [question, keys.enter],
      ['Type "yes"', `yes${keys.enter}`],
    );
    expect({ code: confirmed.code, writes: await writes() }).toEqual({ code: 0, writes: ['Desk'] });
  });

  test('Without an answer, the create is left out; another letter repeats the question.', async () => {
    const { code, screen } = await onTerminal([question, `x${keys.enter}`], ['or press Enter', keys.enter]);
    expect(screen).not.toContain('Apply this plan');
    expect({ code, writes: await writes() }).toEqual({ code: 3, writes: [] });
  });

  /** Changes the settings in the files and in the dashboard, after an apply. */
  async function editedOnBothSides(files: string, dashboard: Readonly<Record<string, string>>): Promise<void> {
    expect(await project.run('apply', 'billing', '--yes', '--new', 'Agent/billing')).toMatchObject({ code: 0 });
    await remote.dashboard((await remote.agents()).at(-1)?.id ?? '', dashboard);
    await project.write('agents/billing.yaml', agentManifest('billing', inAccount('17').replace('title: Desk', files)));
    await writes();
  }

  test('An answer that leaves the whole agent needs no confirmation, and the result says why nothing is sent.', async () => {
    await editedOnBothSides('title: Desk, welcomeMessage: Hi.', { title: 'Edited', description: 'Edited.' });
    const { code, screen } = await onTerminal([question, keys.enter], [question, `b${keys.enter}`]);
    expect({ code, writes: await writes() }).toEqual({ code: 0, writes: [] });
    expect(screen).not.toContain('Apply this plan');
    const [, result = ''] = screen.replaceAll(/\s+/g, ' ').split('On hold (1)');
    expect(result).toContain('nothing is sent until the files change settings.description');
    expect(result).toContain('`agentform unhold Agent/billing -e test`');
  });

  test('A conflict without an answer leaves out its agent, so nothing else is asked or confirmed.', async () => {
    await editedOnBothSides('title: Ours', { title: 'Theirs', description: 'Edited.' });
    const { code, screen } = await onTerminal(['or Enter to leave it out:', keys.enter]);
    expect({ code, writes: await writes() }).toEqual({ code: 3, writes: [] });
    expect(screen).not.toContain('Apply this plan');
  });

  test('A question is asked without a default if an answer in a file is outdated, and the agent waits for it.', async () => {
    expect(await project.run('apply', 'billing', '--yes', '--new', 'Agent/billing')).toMatchObject({ code: 0 });
    const { id = '' } = (await remote.agents()).at(-1) ?? {};
    await remote.dashboard(id, { title: 'Edited' });
    const { stdout } = await project.run('plan', 'billing', '--format', 'json');
    const [asked] = JSON.parse(stdout).questions;
    const keep = { question: asked.id, choice: 'keep', digests: asked.digests, by: 'mona' };
    await project.write('answers.json', JSON.stringify({ answers: [keep] }));
    await remote.dashboard(id, { title: 'Edited again' });
    await writes();
    const run = (...typed: Typed[]) =>
      runOnTerminal([...apply, '--answers', 'answers.json'], { cwd: project.root, env }, typed);
    const ask = 'A, B, or Enter to leave it out:';
    const left = await run([ask, keys.enter]);
    expect(left.screen.replaceAll(/\s+/g, ' ')).toContain(
      'This question changed after mona answered it. Nothing changes',
    );
    expect(left.screen).not.toContain('Apply this plan');
    expect({ code: left.code, writes: await writes() }).toEqual({ code: 3, writes: [] });
    const undone = await run([ask, `b${keys.enter}`], [question, keys.enter], ['Type "yes"', `yes${keys.enter}`]);
    expect({ code: undone.code, writes: await writes() }).toEqual({ code: 0, writes: ['Desk'] });
  });

  test('A text with a finding that is left out needs no confirmation.', async () => {
    await editedOnBothSides('title: Desk, agentInstructions: "TODO: greet"', {});
    const { code, screen } = await onTerminal([question, `b${keys.enter}`]);
    expect({ code, writes: await writes() }).toEqual({ code: 0, writes: [] });
    expect(screen).not.toContain('Apply this plan');
  });
});
