// A create sends no id, so the service may replace an existing agent. Therefore a person must confirm it.
import { describe, expect, test } from '@jest/globals';
import { agentManifest } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys } from '../support/terminal.ts';
import { onTerminal, project, settings, useNewAgents, writes } from './new-agents-project.ts';

shareProcess();

useNewAgents();

describe('a create without a known agent id', () => {
  test('A create without a known id is left out with its remedies until --new names it, and the others are applied.', async () => {
    const first = await project.run('apply', '--yes', '--new', 'Agent/billing');
    expect(first).toMatchObject({ code: 3, stdout: expect.stringContaining('1 applied, 1 not attempted') });
    const said = first.stdout.replaceAll(/\s+/g, ' ');
    expect(said).toContain('created, or replaced if the account already had an agent, 2 settings sent');
    expect(said).toContain('refused: if the account already has an agent');
    expect(said).toContain(
      "`agentform import ID --name front-desk --description 'Answers the phone.' --force -e test`",
    );
    expect(said).toContain('`agentform record adopt Agent/front-desk ID -e test`');
    expect(said).toContain('`agentform apply --new Agent/front-desk -e test`');
    expect(await writes()).toEqual(['Desk']);
    const second = await project.run('apply', '--yes', '--new', 'Agent/front-desk', '--format', 'json');
    expect(second.code).toBe(0);
    const { entries } = JSON.parse(second.stdout);
    expect(entries).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'applied', mayReplace: true }]);
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
  });

  test('Creates without a known id are reported in one sentence.', async () => {
    const { code, stdout } = await project.run('apply', '--yes');
    expect(code).toBe(3);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('`agentform apply --new Agent/billing,Agent/front-desk -e test`');
    expect(stdout.match(/if the account already has an agent/g)).toHaveLength(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'If the account has no agent, run `agentform apply --new Agent/billing,Agent/front-desk -e test`',
    );
    expect(await project.run('apply', '--yes', '--new', 'Agent/billing,Agent/front-desk')).toMatchObject({ code: 0 });
  });

  test('A create without a known id is left out of a saved plan, too, until --new names it.', async () => {
    await project.run('plan', '--out', 'plan.json');
    expect(JSON.parse(await project.read('plan.json')).resources).toMatchObject([
      { action: 'create', mayReplace: true },
      { action: 'create', mayReplace: true },
    ]);
    const refused = await project.run('apply', '--plan', 'plan.json');
    expect(refused.code).toBe(3);
    expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
      '`agentform apply --new Agent/billing,Agent/front-desk -e test --plan plan.json`',
    );
    expect(await writes()).toEqual([]);
    expect(await project.run('apply', '--plan', 'plan.json', '--new', 'all')).toMatchObject({ code: 0 });
    const again = await project.run('apply', '--plan', 'plan.json');
    expect(again.code).toBe(3);
    expect(again.stdout.replaceAll(/\s+/g, ' ')).toMatch(/Agent\/billing refused: it has already been applied/);
  });

  test('A create without a known id is imported with the target of its manifest.', async () => {
    const target = 'target: { token: "${secret.OTHER_TOKEN}", query: { targetAccountId: "17" } }\n';
    await project.write('agents/billing.yaml', agentManifest('billing', `${target}${settings}`));
    const refused = await project.with({ OTHER_TOKEN: 'tok-other' }).run('apply', 'billing', '--yes');
    expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
      '`agentform import ID --name billing --token-secret OTHER_TOKEN --query targetAccountId=17 --description ' +
        "'Answers the phone.' --force -e test`",
    );
  });

  test('A create that --new names is shown as a create, and no longer asked about.', async () => {
    const { stderr } = await project.run('apply', 'front-desk', '--yes', '--new', 'front-desk');
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain('warning: it is declared as new');
    expect(said).not.toContain('apply leaves out this resource');
  });

  test('A create that --new names is still limited by --allow-creates.', async () => {
    const { code, stderr } = await project.run('apply', '--yes', '--new', 'all', '--allow-creates', '1');
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('--allow-creates 2') });
  });

  test('A misspelt --new is an error, and nothing is sent.', async () => {
    const { code, stderr } = await project.run('apply', '--yes', '--new', 'Agent/biling');
    const said = "--new names Agent/biling, which this run does not include; did you mean 'Agent/billing'?";
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
    expect(await project.run('apply', '--yes', '--new', 'Agent/a', '--new', 'Agent/b')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--new names Agent/a, Agent/b, which this run does not include ('),
    });
    expect(await writes()).toEqual([]);
  });

  test('The option --new accepts a name or a glob.', async () => {
    const byName = await project.run('apply', '--yes', '--new', 'billing');
    expect(byName).toMatchObject({ code: 3, stdout: expect.stringContaining('1 applied, 1 not attempted') });
    expect(await writes()).toEqual(['Desk']);
    expect(await project.run('apply', '--yes', '--new', 'front-*')).toMatchObject({ code: 0 });
  });

  test('The option --new takes one value, and the words after it select resources.', async () => {
    const result = await project.run('apply', '--yes', '--new', 'Agent/billing', 'billing');
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('1 applied') });
  });
});

describe('questions on a terminal', () => {
  const question = 'A, B:';

  test('The first question is whether the account already has an agent, and A creates it.', async () => {
    const { code, screen } = await onTerminal([question, `a${keys.enter}`], ['Type "yes"', `yes${keys.enter}`]);
    expect(screen).toContain('1. Does account 17 already have an agent? Desk is new.');
    expect({ code, writes: await writes() }).toEqual({ code: 0, writes: ['Desk'] });
  });
});
