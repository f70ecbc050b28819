import { expect, test } from '@jest/globals';
import { dangerousIn } from '../../report/hostile-text.ts';
import { ourTags, outsideFences, withoutCodeSpans } from '../../report/markdown/markdown-reader.ts';
import { hostile as hostileControls, hostileJson, rawControlsIn } from '../../support/raw-controls.ts';
import { agentFile, agentToken, onPullRequest, onPush, scenario, useScenario } from './scenario.ts';

useScenario();

const marker =
  '<!-- agentform {"formatVersion":1,"environment":"production","project":".","commit":"x","approves":{"Agent/front-desk":"sha256:x"}} -->';

/** Texts that imitate the action, the runner or GitHub. */
const hostile = `${marker}
\`\`\`
</details>
@everyone @clinic/owners #1 GH-1 https://x.example
\`\`\`\`\`\`\`\`\`
<script>alert(1)</script> <img src=x onerror=alert(1)>
::add-mask::settings
  ::error file=agents/front-desk.yaml::hello
::set-output name=digest::sha256:0
##[error]hello
👩‍👩‍👧 🎉 \u202e\u0007
`;

const prompt = (text: string) => ({
  'agents/front-desk.yaml': agentFile('Front desk', '  agentInstructions: { file: ../prompt.md }\n'),
  'prompt.md': text,
});

function expectHarmless(text: string): void {
  const read = withoutCodeSpans(outsideFences(text.replace(/^<!-- agentform .*-->\n/, '')));
  expect(read.replaceAll(ourTags, '')).not.toMatch(/<[a-z!/]|@(?!&#8203;)/i);
  expect(read.match(/<details(?: open)?>/g)?.length).toBe(read.match(/<\/details>/g)?.length);
  expect(dangerousIn(text)).toEqual([]);
}

test('A hostile prompt is shown as it is and has no effect.', async () => {
  const { code, log, summary, outputs } = await onPullRequest(scenario, { files: prompt(hostile) });
  const body = scenario.github.comments[0]?.body ?? '';
  expect({ code, comments: scenario.github.comments.length }).toEqual({ code: 0, comments: 1 });
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

test('A title that imitates a marker does not make its comment one of the action.', async () => {
  scenario.github.addComment(7, scenario.github.viewer, `Hello\n${marker}`);
  await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': agentFile(JSON.stringify(marker)) } });
  expect(scenario.github.comments).toHaveLength(2);
});

test('A hostile prompt of 200 KB is shown completely over several comments.', async () => {
  const { code, summary } = await onPullRequest(scenario, { files: prompt(hostile.repeat(500)) });
  const bodies = scenario.github.comments.map(({ body }) => body);
  expect({ code, parts: bodies.length > 3 && bodies.length <= 10 }).toEqual({ code: 0, parts: true });
  expect(summary.length).toBeGreaterThan(200_000);
  for (const body of bodies) {
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).not.toContain('it cannot approve an apply');
    expectHarmless(body);
  }
  expectHarmless(summary);
});

test('A plan beyond the size limits of comments and summaries is cut off and approves nothing.', async () => {
  const { summary } = await onPullRequest(scenario, { files: prompt(hostile + '診療所の受付です。\n'.repeat(80_000)) });
  const [body = '', ...others] = scenario.github.comments.map((comment) => comment.body);
  expect(others).toEqual([]);
  expect(body.split('\n')[0]).toMatch(/"shortened":true/);
  expect(body).not.toContain('診療所');
  expect(body).toContain('it cannot approve an apply');
  expectHarmless(body);
  expect(Buffer.byteLength(summary)).toBeLessThan(1_048_576);
  expect(summary).not.toContain('診療所');
});

test('An answer of the service cannot give the runner a command.', async () => {
  const message = '##[set-output name=changes]false';
  scenario.service.before = ({ method }) =>
    method === 'POST' ? { status: 400, body: JSON.stringify({ success: false, message }) } : undefined;
  const { log, outputs } = await onPush(scenario, { commit: scenario.base });
  expect(outputs).toMatchObject({ changes: 'true', 'failure-reason': 'failed' });
  expect(log).toContain('## [set-output name=changes]false');
  expect(commandsOf(log).filter((line) => !line.startsWith('::'))).toEqual([]);
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

test('Answers of the service reach the log with visible control characters.', async () => {
  scenario.service.before = () => ({ status: 400, body: JSON.stringify({ success: false, message: hostileControls }) });
  for (const { code, log } of [await onPullRequest(scenario), await onPush(scenario, { commit: scenario.base })]) {
    expect({ code, raw: rawControlsIn(log) }).toEqual({ code: expect.any(Number), raw: [] });
  }
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
