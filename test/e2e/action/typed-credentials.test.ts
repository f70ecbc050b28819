import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { branch, nightly, onRemote, useAppliedAgent } from './drift-pull-request.ts';
import { agentFile, onPullRequest, scenario } from './scenario.ts';

useAppliedAgent();

/** In every credential of this file. */
const mark = 'q7Zx';
const typed = { title: `Desk sk-live-${mark}1a2B3c4D5e6F` };

test('A plan comment, its page, its log and its saved plan explain a typed credential without showing it.', async () => {
  scenario.service.edit('agent-1', typed);
  const inputs = { html: 'out/plan.html' };
  const files = { 'agents/front-desk.yaml': agentFile('Reception') };
  const result = await onPullRequest(scenario, { inputs, files });
  const comment = scenario.github.comments.at(-1)?.body;
  expect(comment).toContain('The live value of Title seems to contain a key, token or password typed in the dashboard');
  expect(comment).toContain('Look in the dashboard before you answer.');
  // Both sides changed the title, so the plan waits for an answer.
  expect(result.code).toBe(3);
  const page = await readFile(result.outputs['html-path'] ?? '', 'utf8');
  expect(page).toContain('The live value of Title seems to contain a key');
  expect(JSON.stringify([result, comment, page])).not.toContain(mark);
});

test('A drift pull request does not copy a typed credential into its branch, and explains what is hidden.', async () => {
  scenario.service.edit('agent-1', { ...typed, welcomeMessage: 'Hello' });
  const result = await nightly();
  expect(result.summary).toContain('The live value of Title seems to contain a key, token or password');
  const branches = await onRemote('for-each-ref', '--format=%(refname)');
  const history = branches.includes(branch) ? await onRemote('log', '--all', '-p', '--format=%H %s%n%b') : '';
  expect(JSON.stringify([result, history, scenario.github.opened, scenario.github.comments])).not.toContain(mark);
});
