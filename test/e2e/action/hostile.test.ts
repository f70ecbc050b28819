import { expect, test } from '@jest/globals';
import { hostile as hostileControls, hostileJson, rawControlsIn } from '../../support/raw-controls.ts';
import { expectHarmless, hostile, marker, prompt } from './hostile.ts';
import { agentFile, agentToken, onPullRequest, onPush, scenario, useScenario } from './scenario.ts';

useScenario();

test('A hostile prompt is shown as it is and has no effect, even if an own comment has the marker that it imitates.', async () => {
  scenario.github.addComment(7, scenario.github.viewer, `Hello\n${marker}`);
  const { code, log, summary, outputs } = await onPullRequest(scenario, {
    files: prompt(hostile, JSON.stringify(marker)),
  });
  const body = scenario.github.comments[1]?.body ?? '';
  expect({ code, comments: scenario.github.comments.length }).toEqual({ code: 0, comments: 2 });
  expect(outputs.digest).not.toBe('sha256:0');
  for (const text of [body, summary]) {
    expect(text).toContain('@&#8203;everyone');
    expectHarmless(text);
  }
  expect(body.match(/^<!-- agentform/gm)).toHaveLength(1);
  expect(commandsOf(log)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/add-mask::settings|hello|sha256:0/)]),
  );
});

test('An answer of the service cannot give the runner a command or move the cursor.', async () => {
  const message = `##[set-output name=changes]false ${hostileControls}`;
  scenario.service.before = ({ method }) =>
    method === 'POST' ? { status: 400, body: JSON.stringify({ success: false, message }) } : undefined;
  const { log, outputs } = await onPush(scenario, { commit: scenario.base });
  expect(outputs).toMatchObject({ changes: 'true', 'failure-reason': 'failed' });
  expect(log).toContain('## [set-output name=changes]false');
  expect(commandsOf(log).filter((line) => !line.startsWith('::'))).toEqual([]);
  expect(rawControlsIn(log)).toEqual([]);
});

test('NODE_DEBUG, which would print tokens, is refused before any request.', async () => {
  const env = { AGENT_TOKEN: agentToken, NODE_DEBUG: 'undici' };
  const { code, log, outputs } = await onPullRequest(scenario, { env });
  expect({ code, outputs }).toMatchObject({ code: 1, outputs: { 'failure-reason': 'invalid' } });
  expect(log).toContain('::error::NODE_DEBUG would print tokens with every request; run `unset NODE_DEBUG`');
  expect(scenario.service.takeLog()).toEqual([]);
});

test('File names reach the log with visible control characters.', async () => {
  const files = {
    [`agents/evil ${hostileControls.replaceAll('/', '')}.yaml`]: agentFile('Evil', `  ${hostileJson}: 1\n`),
  };
  const { code, log } = await onPullRequest(scenario, { files });
  expect({ code, raw: rawControlsIn(log) }).toEqual({ code: 1, raw: [] });
  expect(log).toMatch(/^::error file=agents\/evil x\\u001b\[2J/m);
});

test('A committed lock only counts if agentform could have written it, and is shown with visible control characters.', async () => {
  const held = { formatVersion: 1, id: 'l', pid: 1, host: 'elsewhere' };
  const onPushWithLock = async (parts: object) => {
    const lock = JSON.stringify({ ...held, since: new Date().toISOString(), ...parts });
    const commit = await scenario.repository.commit('main', { '.agentform/locks/production': lock }, scenario.base);
    const { code, log } = await onPush(scenario, { commit });
    expect(rawControlsIn(log)).toEqual([]);
    return { code, log };
  };
  expect(await onPushWithLock({})).toMatchObject({
    code: 1,
    log: expect.stringMatching(/^::error::another run is writing .* on elsewhere, since \d/m),
  });
  expect(await onPushWithLock({ host: hostileControls, since: hostileControls })).toMatchObject({ code: 0 });
});

/** The lines that the runner would execute as commands: those with the prefix, except where commands are stopped. */
function commandsOf(log: string): string[] {
  const commands: string[] = [];
  let word: string | undefined;
  for (const line of log.split('\n')) {
    if (word === undefined && /^\s*::|##\[/.test(line)) commands.push(line);
    if (word !== undefined && line === `::${word}::`) word = undefined;
    else word ??= /^::stop-commands::(.+)$/.exec(line)?.[1];
  }
  expect(word).toBeUndefined();
  return commands;
}
