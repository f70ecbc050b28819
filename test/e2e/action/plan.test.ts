import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { agentFile, agentToken, onPullRequest, projectFiles, scenario, useScenario } from './scenario.ts';

useScenario();

const list = 'issues/list-comments';
const create = 'issues/create-comment';
const update = 'issues/update-comment';
const edits = 'graphql edits';

function comments(): string[] {
  return scenario.github.comments.map(({ body }) => body);
}

function withoutTime(body: string | undefined): string | undefined {
  return body?.replace(/, \d\d:\d\d UTC/g, '');
}

test('A plan on a pull request writes a comment, a summary, a file, a page and outputs, and later runs update the comment.', async () => {
  const inputs = { html: 'out/plan.html' };
  const { code, outputs, summary, planFile, log, head } = await onPullRequest(scenario, { inputs });
  expect({ code, log }).toMatchObject({ code: 0, log: expect.stringContaining('+ Agent/front-desk') });
  expect(outputs).toMatchObject({
    changes: 'true',
    create: '1',
    update: '0',
    blocked: '0',
    drift: '0',
    digest: expect.stringMatching(/^sha256:/),
  });
  expect(outputs['failure-reason']).toBeUndefined();
  const plan = JSON.parse(planFile ?? '');
  expect(plan).toMatchObject({ environment: 'production', digest: outputs.digest });
  expect(comments()).toEqual([
    expect.stringMatching(
      new RegExp(
        `^<!-- agentform \\{"formatVersion":1,"environment":"production","project":".","isDefault":true,"commit":"${head}","approves"`,
      ),
    ),
  ]);
  const [body = ''] = comments();
  expect(body).toContain('### Plan for `production`: 1 answer needed\n\n**1 agent left out');
  expect(body).toContain(`Digest \`${outputs.digest}\`.</sub>`);
  expect(body).toMatch(
    new RegExp(
      `\\[\`agents/front-desk\\.yaml:\\d+-\\d+\`\\]\\(https?://\\S+/blob/${head}/agents/front-desk\\.yaml#L\\d+-L\\d+\\)`,
    ),
  );
  expect(summary).toContain('**1 agent left out');
  expect(scenario.github.takeRequests()).toEqual(['pulls/get', 'graphql viewer', list, create, list]);
  const page = await readFile(outputs['html-path'] ?? '', 'utf8');
  expect(page).toContain('<b>1</b> agent left out');
  expect(page).toContain(`<b>Plan</b>  ${outputs.digest}`);
  expect(body).toContain(
    '[**Open the page**](https://github.com/clinic/agents/actions/runs/4711#artifacts) with everything side by side',
  );

  expect(await onPullRequest(scenario, { files: { 'agentform.yaml': 'kind: [Project\n' } })).toMatchObject({ code: 1 });
  expect(comments()).toEqual([expect.stringContaining('### agentform plan\n\n❌ **Failed:** ')]);

  const next = await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': agentFile('Reception') } });
  expect(comments()).toEqual([expect.stringContaining('| Title | Reception |')]);
  expect(comments()[0]).toContain('### Plan for `production`: ');
  scenario.github.takeRequests();
  const [before] = comments();
  expect(await onPullRequest(scenario, { head: next.head })).toMatchObject({ code: 0 });
  // The action does not rewrite the comment of an unchanged plan, unless the minute that the comment shows has changed.
  const [after] = comments();
  const calls = before === after ? [] : [list, update];
  expect(scenario.github.takeRequests()).toEqual(['pulls/get', 'graphql viewer', list, edits, ...calls]);
  expect(withoutTime(after)).toBe(withoutTime(before));
});

test('The inputs comment: off and fail-on-changes are respected, and manifests read AGENTFORM_VAR_*.', async () => {
  const env = { AGENT_TOKEN: agentToken, AGENTFORM_VAR_clinic: 'Elm Street' };
  const files = { 'agents/front-desk.yaml': agentFile('${var.clinic}') };
  const inputs = { comment: 'off', 'fail-on-changes': 'true' };
  const { code, outputs, summary } = await onPullRequest(scenario, { inputs, env, files });
  expect(comments()).toEqual([]);
  expect(summary).toContain('1 agent left out');
  expect(summary).toContain('| Title | Elm Street |');
  expect({ code, outputs }).toMatchObject({
    code: 2,
    outputs: { changes: 'true', 'failure-reason': 'changes-pending' },
  });
});

test('Problems are shown beside at most nine lines, in the summary and in the comment.', async () => {
  const lines = Array.from({ length: 14 }, (_, index) => `  title${index}: 1\n`).join('');
  const result = await onPullRequest(scenario, {
    files: { 'agents/front-desk.yaml': agentFile('Front desk', lines) },
  });
  expect(result).toMatchObject({ code: 1, outputs: { 'failure-reason': 'invalid' } });
  const annotations = result.log.match(/^::error.*$/gm) ?? [];
  expect(annotations).toHaveLength(10);
  expect(annotations[0]).toMatch(
    /^::error file=agents\/front-desk.yaml,line=7,endLine=7,col=3,endColumn=9,title=agentform/,
  );
  expect(annotations.at(-1)).toContain('and 5 more errors');
  for (const text of [result.summary, ...comments()]) {
    expect(text).toContain('`agents/front-desk.yaml:7:3` error: ');
    expect(text).toContain(
      '**Failed:** The files have errors that must be corrected first.<br>\n<sub>the manifests have 14 errors (`manifests-invalid`).</sub>',
    );
  }
  expect(scenario.service.takeLog()).toEqual([]);
});

test('A plan with a failed read is shown and not saved.', async () => {
  const manifest = agentFile('Front desk').replace(
    'settings:',
    'environments: { production: { target: { agentId: agent-9 } } }\nsettings:',
  );
  const { code, outputs, planFile } = await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': manifest } });
  expect({ code, outputs, planFile }).toMatchObject({ code: 1, outputs: { 'failure-reason': 'failed' } });
  expect(planFile).toBeUndefined();
  expect(comments()[0]).toContain('could not be read');
});

test('A host that the input allowed-hosts does not name fails the step.', async () => {
  const { outputs, log } = await onPullRequest(scenario, { inputs: { 'allowed-hosts': 'service.example.com' } });
  expect(outputs['failure-reason']).toBe('host-not-allowed');
  expect(log).toContain('the input allowed-hosts allows service.example.com');
});

test('A manifest cannot read a variable that the workflow does not name.', async () => {
  const files = { 'agents/front-desk.yaml': agentFile('"${secret.GITHUB_TOKEN}"') };
  const { code, log, outputs } = await onPullRequest(scenario, { files });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'secret-unset' });
  expect(log).toContain(
    "the secret 'GITHUB_TOKEN' is not allowed, because the input `secrets` allows only 'AGENT_TOKEN'",
  );
  expect(log).not.toContain('ghs_notForManifests');
  expect(scenario.service.takeLog()).toEqual([]);
});

test('A secret in a title is shown nowhere.', async () => {
  const secret = 'first%line of it\nsecond "line"';
  const { log, summary, planFile } = await onPullRequest(scenario, {
    inputs: { secrets: 'AGENT_TOKEN, TITLE' },
    env: { AGENT_TOKEN: agentToken, TITLE: secret },
    files: { 'agents/front-desk.yaml': agentFile('"A ${secret.TITLE}"') },
  });
  const isMask = (line: string) => line.startsWith('::add-mask::');
  const masks = log.split('\n').filter(isMask);
  const rest = log.split('\n').filter((line) => !isMask(line));
  const shown = [rest.join('\n'), summary, planFile ?? '', ...comments()];
  for (const text of shown) {
    expect(text).toMatch(/sensitive|hidden value/);
    for (const part of [
      'first%line',
      'second "line"',
      'second \\"line',
      encodeURIComponent('first%line'),
      agentToken,
    ]) {
      expect(text).not.toContain(part);
    }
  }
  for (const mask of ['first%25line of it', 'second "line"', encodeURIComponent(agentToken).replaceAll('%', '%25')]) {
    expect(masks).toContain(`::add-mask::${mask}`);
  }
  expect(log.indexOf('::add-mask::')).toBe(0);
});

test('Validate needs neither secrets nor a token.', async () => {
  const run = { inputs: { command: 'validate', secrets: '', token: '' }, env: {} };
  const { code, summary } = await onPullRequest(scenario, run);
  expect({ code, summary }).toEqual({ code: 0, summary: expect.stringContaining('1 manifest checked: no problems.') });
});

test('Two project files in one folder have separate comments, and agentform.yaml has the comment of its folder.', async () => {
  const { 'agentform.yaml': text = '' } = projectFiles(scenario.service.baseUrl);
  const files = { 'clinic.yaml': text };
  for (const project of ['.', 'clinic.yaml', 'agentform.yaml', './clinic.yaml']) {
    expect(await onPullRequest(scenario, { files, inputs: { project } })).toMatchObject({ code: 0 });
  }
  const projects = comments().map((body) => /"project":"([^"]*)"/.exec(body)?.[1]);
  expect(projects).toEqual(['.', 'clinic.yaml']);
});
