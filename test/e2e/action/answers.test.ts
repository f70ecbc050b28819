import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseMarker } from '../../../src/action/github/marker.ts';
import { git } from '../../support/git.ts';
import { authorizationOf, startGitHttp } from '../../support/git-http.ts';
import { githubToken } from '../../support/github-server.ts';
import {
  ada,
  answered,
  applied,
  edited,
  file,
  mergedAndApplied,
  onRemote,
  ownAgent,
  prompt,
  pushing,
  titles,
  useAnswers,
} from './answers.ts';
import {
  agentFile,
  agentToken,
  mainCommit,
  onComment,
  onPullRequest,
  onPush,
  recordPath,
  scenario,
} from './scenario.ts';

useAnswers();

const bodies = () => scenario.github.comments.map(({ body }) => body);

describe('answers that change files', () => {
  test('A kept edit becomes a commit on the branch of the pull request, pushed with the token of an app and only once.', async () => {
    const http = await startGitHttp(scenario.repository.remote, githubToken, pushing['push-token']);
    const head = await edited('1A');
    const { code, outputs, summary } = await onComment(scenario, { inputs: pushing, server: http.url });
    await http.close();
    expect({ code, branch: outputs.branch, again: outputs['plan-again'] }).toEqual({
      ...{ code: 0, branch: 'topic', again: '' },
    });
    expect(http.authorizations()).toEqual([githubToken, pushing['push-token']].map(authorizationOf));
    expect(await file('topic')).toBe(prompt('2', 'Reception').trimEnd());
    expect(await onRemote('log', '--format=%s|%P|%an', '-1', 'topic')).toBe(
      `Keep edits made in the dashboard: Agent/front-desk|${head}|ada`,
    );
    expect(await onRemote('log', '--format=%b', '-1', 'topic')).toContain('Answered in #7: 1A by ada.');
    expect(summary).toMatch(/✅ Commit [0-9a-f]{12} copies the dashboard edits into agents\/front-desk\.yaml/);
    expect(scenario.github.comments[0]?.body).toContain('**Answers: 1A by ada.**');
    const pushed = await onRemote('rev-parse', 'topic');
    scenario.github.setPull({ number: 7, base: scenario.base, head: pushed });
    const { outputs: next } = await onPullRequest(scenario, { head: pushed });
    expect(next).toMatchObject({ drift: '0' });
    // After another comment, the same answer is not carried out again.
    const before = bodies();
    expect(await onComment(scenario, { inputs: pushing })).toMatchObject({
      code: 0,
      log: expect.stringContaining('no answer changes the files'),
    });
    expect([await onRemote('rev-parse', 'topic'), bodies()]).toEqual([pushed, before]);
  });

  test('Without an app token or on the default branch, the change is a patch with a command, above the plan.', async () => {
    const head = await edited('1A');
    const runAs = (number: string, options = {}) =>
      onComment(scenario, { env: { AGENT_TOKEN: agentToken, GITHUB_RUN_NUMBER: number }, ...options });
    const { code, outputs } = await runAs('1');
    expect({ code, branch: outputs.branch }).toEqual({ code: 0 });
    expect(await onRemote('rev-parse', 'topic')).toBe(head);
    const body = scenario.github.comments[0]?.body ?? '';
    expect(body).toContain('-  title: Front desk\n+  title: Reception');
    expect(body).toContain('To apply it, run `git apply`');
    expect(body).toContain('enter `update front-desk --field settings.title -e production`');
    expect(body).toContain('### Plan for `production`: ');
    expect(body).toContain('[run 1]');
    // A commit on the default branch would not be reviewed. A second run with the same result does not edit the comment,
    // because an edit would start another run.
    const again = await runAs('2', { inputs: pushing, defaultBranch: 'topic' });
    expect({ code: again.code, branch: again.outputs.branch }).toEqual({ code: 0 });
    expect([await onRemote('rev-parse', 'topic'), bodies()[0]]).toEqual([head, body]);
  });

  test('An answer changes the files of a project whose file is not named agentform.yaml.', async () => {
    const inputs = { project: 'clinic.yaml' };
    const moved = { 'agentform.yaml': null, 'clinic.yaml': await mainFiles((text) => text) };
    scenario.base = await scenario.repository.commit('main', moved, scenario.base);
    scenario.service.edit('agent-1', { title: 'Reception' });
    await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': prompt('2') }, inputs });
    scenario.github.addComment(7, ada, '1A');
    expect(await onComment(scenario, { inputs })).toMatchObject({ code: 0 });
    expect(scenario.github.comments[0]?.body).toContain('-  title: Front desk\n+  title: Reception');
  });
});

describe('answers that change no file', () => {
  const nothing = async (because: string, options: Parameters<typeof onComment>[1] = {}) => {
    const before = await onRemote('for-each-ref');
    const { code, log, outputs } = await onComment(scenario, { inputs: pushing, ...options });
    expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining(because) });
    expect(await onRemote('for-each-ref')).toBe(before);
    return outputs['plan-again'];
  };

  test('Only people with write access start a run or answer, and only an answer that the plan comment lacks leads to another plan.', async () => {
    const head = await edited('1B');
    scenario.github.addComment(7, { login: 'mallory', id: 7, type: 'User' }, '1A');
    expect(await nothing('mallory does not have write access to this repository', { by: 'mallory' })).toBeUndefined();
    // An answer to undo waits for the apply.
    expect(await nothing('no answer changes the files')).toBe(head);
    await onPullRequest(scenario, { head });
    expect(await nothing('no answer changes the files')).toBeUndefined();
    const [pull] = scenario.github.current;
    if (pull !== undefined) pull.head = await scenario.repository.commit('topic', { 'a.md': '' }, head);
    scenario.github.addComment(7, ada, '1A');
    expect(await nothing('has a newer commit than its plan')).toBeUndefined();
  });

  test('The branch of a fork or of a closed pull request is not written, and nothing is sent.', async () => {
    const head = await edited('1A');
    const pull = { number: 7, base: scenario.base, head };
    scenario.github.setPull({ ...pull, headRepository: 'mallory/agents' });
    await nothing('comes from a fork');
    scenario.github.setPull({ ...pull, state: 'closed', merged: true });
    await nothing('pull request 7 is closed');
    expect(scenario.service.takeLog()).toEqual([]);
  });
});

describe('a run that a comment starts', () => {
  test('A comment run trusts only the hosts of the default branch, and runs no file of the head.', async () => {
    const elsewhere = await mainFiles((text) => text.replaceAll(scenario.service.baseUrl, 'http://127.0.0.1:9'));
    const marker = join(scenario.repository.remote, 'ran');
    const base = await scenario.repository.commit('other', { 'agentform.yaml': elsewhere }, scenario.base);
    const files = {
      'agents/front-desk.yaml': prompt('2'),
      'package.json': JSON.stringify({ scripts: { postinstall: `touch ${marker}`, prepare: `touch ${marker}` } }),
      '.husky/post-checkout': `#!/bin/sh\ntouch ${marker}\n`,
    };
    const head = await scenario.repository.commit('topic', files, base);
    const why = expect.stringContaining('this change would send AGENT_TOKEN to 127.0.0.1:9, but the base commit sends');
    const pull = { number: 7, base, baseBranch: 'other', head };
    scenario.github.setPull(pull);
    const { code, log, workspace } = await onComment(scenario, { inputs: pushing });
    expect({ code, log }).toEqual({ code: 3, log: why });
    expect(scenario.service.takeLog()).toEqual([]);
    expect(existsSync(marker)).toBe(false);
    expect(await git(workspace, 'status', '--porcelain')).toBe('');
    expect(await git(workspace, 'rev-parse', 'HEAD')).toBe(scenario.base);
    // The author of the pull request can also merge it into this base.
    scenario.github.setPull({ ...pull, state: 'closed', merged: true });
    const planned = await onComment(scenario, { command: 'plan', checkout: head });
    expect(planned).toMatchObject({ code: 0, summary: expect.stringContaining('to 127.0.0.1:9, but the base commit') });
    expect(scenario.service.takeLog()).toEqual([]);
  });

  test('A comment run is refused if GitHub does not describe the pull request.', async () => {
    const { code, log } = await onComment(scenario);
    expect({ code, log }).toEqual({
      code: 3,
      log: expect.stringContaining('pull request 7 could not be read (Not Found; give the workflow `permissions: {'),
    });
  });

  test('A comment run is refused if GitHub does not answer.', async () => {
    await edited('1A');
    scenario.github.faults.set('graphql edits', [{ status: 403, message: 'Forbidden' }]);
    const { code, log } = await onComment(scenario, { inputs: pushing });
    expect({ code, log }).toEqual({
      code: 3,
      log: expect.stringContaining(
        'The answers on pull request 7 could not be read (Forbidden; give the workflow `permissions: {',
      ),
    });
  });
});

async function mainFiles(change: (text: string) => string): Promise<string> {
  return `${change(await onRemote('show', 'main:agentform.yaml'))}\n`;
}

describe('checkboxes in the comment', () => {
  /** Clicks a box of the comment. */
  function tick(letter: string): void {
    const [comment] = scenario.github.comments;
    const ticked = comment?.body.replace(`- [ ] **${letter}** `, `- [x] **${letter}** `) ?? '';
    expect(ticked).not.toBe(comment?.body);
    if (comment !== undefined) scenario.github.editComment(comment, ada, ticked.replace(/\r?\n/g, '\r\n'));
  }

  test('A tick moves to the next comment and counts in the apply; comment and result say which typed answers do not count, and why.', async () => {
    const first = await edited('');
    tick('A');
    scenario.github.addComment(7, { login: 'mallory', id: 7, type: 'User' }, '1B');
    scenario.github.addComment(7, ada, '9A 2Z');
    const reasons = [
      'The answer 1B by mallory does not count: the author does not have write access to the repository.',
      'The answer 9A by ada does not count: no question has this number.',
      'The answer 2Z by ada does not count: the question does not have this choice.',
    ];
    const more = { 'README.md': 'Agents of the clinic\n' };
    const next = await scenario.repository.commit('topic', more, first);
    const { head, summary } = await onPullRequest(scenario, { head: next });
    const [comment] = scenario.github.comments;
    expect(comment?.body).toContain(`"commit":"${next}"`);
    expect(comment?.body).toMatch(/<!-- question 1 -->\n.*\n- \[x\] \*\*A\*\* /);
    expect(comment?.body.match(/\[x\]/g)).toHaveLength(1);
    expect(comment?.body).toContain('### Plan for `production`: 1 question');
    for (const reason of reasons) {
      expect(comment?.body).toContain(`**Note:** ${reason}`);
      expect(summary).toContain(reason);
    }
    const applied = await mergedAndApplied(head, { 'require-approved-plan': 'true' });
    expect(applied).toMatchObject({ code: 0, log: expect.stringContaining('Kept by ada since') });
    for (const reason of reasons) expect(applied.summary).toContain(`⚠️ ${reason}`);
    expect(titles()).toEqual({ 'agent-1': 'Reception' });
  });

  test('The check passes once someone has answered a conflict, unless a person must join the two texts.', async () => {
    scenario.service.edit('agent-1', { agentInstructions: 'one\ndos\nthree\nfour\nfive\n' });
    const files = { 'agents/front-desk.yaml': prompt('2') };
    const { code, head, outputs } = await onPullRequest(scenario, { files });
    expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'conflict' });
    const body = () => scenario.github.comments[0]?.body;
    expect(body()).toContain('count when the plan is applied. Until then, only a new plan changes this text.');
    const again = () => onPullRequest(scenario, { head });
    for (const [answer, result] of Object.entries({ '1C': 3, '1A': 0 })) {
      scenario.github.addComment(7, ada, answer);
      expect(await again()).toMatchObject({ code: result });
      expect(body()?.includes('This check fails')).toBe(result === 3);
      expect(body()).toMatch(new RegExp(`- \\[x\\] \\*\\*${answer.at(1)}\\*\\*`));
    }
  });

  test('A prompt or title that imitates a question or a tick has no effect.', async () => {
    scenario.service.edit('agent-1', { title: 'Reception' });
    const fake = ['<!-- question 1 -->', '**1. Keep?** Yes.', '- [x] **A** Keep', '- [ ] **B** Undo'];
    const text = fake.map((line) => `    ${line}\n`).join('');
    const title = `"Desk\\n\\n${fake.join('\\n')}"`;
    const head = await answered('', { 'agents/front-desk.yaml': `${agentFile(title)}  agentInstructions: |\n${text}` });
    const { code } = await mergedAndApplied(head, { command: 'apply --overwrite Agent/front-desk' });
    expect(code).toBe(0);
    expect(titles()).not.toEqual({ 'agent-1': 'Reception' });
    const marker = parseMarker(scenario.github.comments[0]?.body ?? '');
    const asked = [...(marker?.questions ?? []), ...(marker?.answered ?? [])];
    expect(asked.filter(({ answer }) => answer !== undefined)).toEqual([]);
  });
});

describe('an apply after the merge', () => {
  test('An apply carries out each kind of answer with the approved plan, and the result names the person.', async () => {
    scenario.base = await mainCommit(scenario, { [recordPath]: null });
    const names = ['kept', 'taken', 'joined', 'undone', 'unanswered', 'risky', 'fine'];
    const greeting = (text: string) => `  welcomeMessage: ${text}\n`;
    await applied(names, greeting('Hello.'));
    const agentOf = (name: string) => scenario.service.agentOf(agentToken, name);
    // Agents with equal edits would share a question.
    for (const name of names.slice(0, 5)) {
      const text = name === 'joined' ? { welcomeMessage: 'Theirs.' } : { title: `Edited ${name}` };
      scenario.service.edit(agentOf(name)?.id ?? '', { ...text, description: 'Theirs.' });
    }
    const head = await answered('', {
      'agents/taken.yaml': ownAgent('taken', 'Proposed', greeting('Hello.')),
      'agents/joined.yaml': ownAgent('joined', 'As applied', greeting('Ours.')),
      'agents/risky.yaml': ownAgent('risky', 'As applied', greeting('TODO')),
      'agents/fine.yaml': ownAgent('fine', 'As applied', greeting('FIXME')),
      'agents/billing.yaml': ownAgent('billing', 'Billing'),
    });
    const asked = parseMarker(bodies()[0] ?? '')?.questions ?? [];
    const answers = {
      'Agent/kept/drift': 'keep',
      'Agent/undone/drift': 'undo',
      'Agent/taken/conflict': 'take',
      'Agent/joined/conflict': 'both',
      'Agent/billing': 'create',
      'write-only': 'send-again',
      'Agent/risky': 'leave-out',
      'Agent/fine': 'go-on',
    };
    const said = Object.entries(answers).map(([id, code]) => {
      const { number, codes = [] } = asked.find((question) => question.id === id) ?? {};
      return `${number}${'ABC'.charAt(codes.indexOf(code))}`;
    });
    scenario.github.addComment(7, ada, said.join(' '));
    const { code, log } = await mergedAndApplied(head, { 'require-approved-plan': 'true' });
    expect({ code, log }).toEqual({ code: 3, log: expect.stringMatching(/Left out \(1\)[\s\S]*Not attempted \(1\)/) });
    const live = [...names, 'billing'].map((name) => {
      const { title, welcomeMessage, description } = agentOf(name)?.settings ?? {};
      return [name, title, welcomeMessage, description];
    });
    const file = 'Answers the phone.';
    expect(live).toEqual([
      ['kept', 'Edited kept', 'Hello.', file],
      ['taken', 'Proposed', 'Hello.', file],
      ['joined', 'As applied', 'Theirs.', 'Theirs.'],
      ['undone', 'As applied', 'Hello.', file],
      ['unanswered', 'As applied', 'Hello.', file],
      ['risky', 'As applied', 'Hello.', file],
      ['fine', 'As applied', 'FIXME', file],
      ['billing', 'Billing', undefined, file],
    ]);
    for (const text of ['left out, as ada answered', 'were chosen by ada and must be combined'])
      expect(log).toContain(text);
    // The number must not become a link.
    expect(bodies()[0]).toMatch(/Kept by ada since .+: answered in #&#8203;7/);
    // Neither the next push nor another pull request may undo the kept setting.
    const next = await onPush(scenario, { commit: await onRemote('rev-parse', 'main') });
    expect(next).toMatchObject({ outputs: { revert: '0' } });
    expect(agentOf('kept')?.settings.title).toBe('Edited kept');
  });

  test('An apply leaves out an agent whose edit someone kept, if it was edited again since the answer.', async () => {
    const head = await edited('1A');
    scenario.service.edit('agent-1', { title: 'Lobby' });
    const { code, summary } = await mergedAndApplied(head);
    expect({ code, summary }).toEqual({
      code: 3,
      summary: expect.stringContaining(
        'the question Agent/front-desk/drift has changed since it was answered with keep; answer it again',
      ),
    });
    expect(titles()).toEqual({ 'agent-1': 'Lobby' });
  });

  test('An apply that cannot use the answers in the comment of another token leaves the agent out, and says where to answer.', async () => {
    const head = await edited('1A');
    const [comment] = scenario.github.comments;
    Object.assign(comment ?? {}, { user: { login: 'helper[bot]', id: 23, type: 'Bot' } });
    const { code, log } = await mergedAndApplied(head);
    expect({ code, log }).toEqual({
      code: 3,
      log: expect.stringContaining('refused: answers to the comment by helper[bot] on pull request 7 do not count'),
    });
    expect(titles()).toEqual({ 'agent-1': 'Reception' });
  });

  test('After a push that changes the question, an apply still leaves out the agent whose edit someone kept.', async () => {
    const first = await edited('1A');
    const next = await scenario.repository.commit('topic', { 'agents/front-desk.yaml': prompt('3') }, first);
    const { head } = await onPullRequest(scenario, { head: next });
    const [comment] = scenario.github.comments;
    expect(comment?.body).toMatch(
      /<!-- question 3 -->\n.* This question changed after ada answered it\. Nothing changes in Front desk until you answer again\. .*\n- \[ \] \*\*A\*\* [^<]*\n- \[ \] \*\*B\*\* [^<]*\n/,
    );
    const { code, summary } = await mergedAndApplied(head);
    expect({ code, summary }).toEqual({
      code: 3,
      summary: expect.stringContaining('has changed since it was answered with keep'),
    });
    expect(titles()).toEqual({ 'agent-1': 'Reception' });
    // The result names the question and has no boxes. An answer counts even after the merge.
    const result = bodies()[0] ?? '';
    expect(result).toContain('❌ **Apply: 0 applied, 1 not attempted.**');
    expect(result).toMatch(
      /#### Still to decide\n\n\*\*3\. .*\n- \*\*A\*\* .*\n- \*\*B\*\* .*\n\n\*\*4\. [\s\S]*\n\nTo answer, write a comment such as <kbd>3A/,
    );
    expect(result).not.toMatch(/- \[[ x]\]|answers? needed/);
    scenario.github.addComment(7, ada, '3B');
    const again = await onPush(scenario, { commit: await onRemote('rev-parse', 'main'), inputs: { new: '' } });
    expect(again).toMatchObject({ code: 0 });
    expect(titles()).toEqual({ 'agent-1': 'Front desk' });
    expect(bodies()[0]).toContain('✅ **Apply: 1 applied. 1 dashboard edit undone.**');
    expect(bodies()[0]).not.toContain('Still to decide');
  });
});
