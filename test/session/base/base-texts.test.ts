import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { planOffline } from '../../../src/commands/plan/offline.ts';
import { plan } from '../../../src/commands/plan/plan.ts';
import { validate } from '../../../src/commands/validate/validate.ts';
import { problemSentence } from '../../../src/report/problems/sentence.ts';
import { commitAll, initRepository } from '../../support/git.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

const head = 'apiVersion: agentform/v1\n';
const project = (level: string, rule = 'prompt-placeholder') =>
  `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n  local: { baseUrl: emulator }\nlint: { ${rule}: ${level} }\n`;
const agent = (settings: string, name = 'desk') =>
  `${head}kind: Agent\nname: ${name}\nsettings:\n  title: Desk\n  description: d\n${settings}`;
const fromFile = '  agentInstructions: { file: ../prompts/desk.md }\n';
const comment = '<!-- agentform-allow prompt-placeholder -->';
const allowed = `Be nice.\n${comment}\nOpen [INSERT HOURS].\nBye.\n`;
const files = {
  'agentform.yaml': project('error'),
  'agents/desk.yaml': agent(fromFile),
  'prompts/desk.md': allowed,
};

let place: Workplace;
afterEach(() => place.remove());

async function commitPlace(): Promise<void> {
  initRepository(place.root);
  await commitAll(place.root, 'base');
}

/** Returns the problems in texts after a change to a commit with these files. */
async function changed(change: Readonly<Record<string, string>>, base: Readonly<Record<string, string>> = files) {
  place = await workplace(base);
  await commitPlace();
  for (const [path, text] of Object.entries(change)) await place.write(path, text);
  return found();
}

async function found() {
  const { problems } = await validate(place.host, { project: place.root, base: 'HEAD' });
  return problems.map(({ severity, rule, at }) => `${severity} ${rule} ${at?.file}:${at?.line}`);
}

test('A comment in the base commit still allows what it did, wherever its lines are now.', async () => {
  expect(await changed({})).toEqual([]);
  await place.write('prompts/desk.md', `# Desk\n\nGreet the caller.\n\n${allowed.replaceAll('\n', '\r\n')}`);
  expect(await found()).toEqual([]);
});

test.each<[string, string, number]>([
  ['in a new line', `Call [YOUR PHONE].\n${allowed}`.replace('Call', `${comment}\nCall`), 2],
  ['at the end of a changed line', allowed.replace('Bye.', `In [YOUR CITY]. ${comment}`), 4],
  ['above a changed line', allowed.replace('[INSERT HOURS]', '[INSERT TIMES]'), 3],
])('A new comment %s does not silence an error.', async (_where, text, line) => {
  expect(await changed({ 'prompts/desk.md': text })).toEqual([`error prompt-placeholder prompts/desk.md:${line}`]);
});

test('The error explains why the comment does not count.', async () => {
  await changed({ 'prompts/desk.md': `${comment}\nCall [YOUR PHONE].\n` });
  const { problems } = await validate(place.host, { project: place.root, base: 'HEAD' });
  expect(problems.map(problemSentence)).toEqual([
    "'[YOUR PHONE]' is a placeholder that is never filled in; replace it with the actual text (agentform-allow is ignored on new lines, " +
      'because prompt-placeholder is an error in the base commit)',
  ]);
});

test('A change that lowers the level of a rule cannot also use comments to allow findings.', async () => {
  const change = { 'agentform.yaml': project('warn'), 'prompts/desk.md': `${comment}\nCall [YOUR PHONE].\n` };
  expect(await changed(change)).toEqual(['error prompt-placeholder prompts/desk.md:2']);
});

test('A new comment counts if the base commit only warns, and for other rules.', async () => {
  const text = `Call [YOUR PHONE]. ${comment}\n`;
  expect(await changed({ 'prompts/desk.md': text }, { ...files, 'agentform.yaml': project('warn') })).toEqual([]);
  await place.remove();
  const other = { ...files, 'agentform.yaml': project('error', 'prompt-length') };
  expect(await changed({ 'prompts/desk.md': text }, other)).toEqual([]);
});

test('A project that is new at this commit has no lines to compare.', async () => {
  place = await workplace({ 'README.md': '' });
  await commitPlace();
  for (const [path, text] of Object.entries(files)) await place.write(path, text);
  expect(await found()).toEqual([]);
});

test('A plan also refuses a new comment, with the service and without.', async () => {
  await changed({ 'prompts/desk.md': `${comment}\nCall [YOUR PHONE].\n` });
  const options = { project: place.root, names: [], base: 'HEAD', concurrency: 1 };
  const refusal = { problems: [{ severity: 'error', rule: 'prompt-placeholder' }] };
  await expect(plan(place.host, options)).rejects.toMatchObject(refusal);
  await expect(planOffline(place.host, options)).rejects.toMatchObject(refusal);
});

test('The lines within a longer finding are also compared with the base.', async () => {
  const body = 'MIIEowIBAAKCAQEAx7Vd0b1z9Q4o3mC2kYt8e5fWqHn6sLpRjUgXcZaTvByDiKoE';
  const key = (end: string) =>
    `<!-- agentform-allow prompt-secret -->\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n${end}\n-----END RSA PRIVATE KEY-----\n`;
  const base = {
    ...files,
    'agentform.yaml': project('error', 'prompt-secret'),
    'prompts/desk.md': key('Q2mYw8sRt1VbNc7XzLp0KjHgFd5SaPoIuYtReWq9MnBvCxZaSdFgHjKlQwErTyUi'),
  };
  expect(await changed({}, base)).toEqual([]);
  await place.write('prompts/desk.md', key('R2mYw8sRt1VbNc7XzLp0KjHgFd5SaPoIuYtReWq9MnBvCxZaSdFgHjKlQwErTyUi'));
  expect(await found()).toEqual(['error prompt-secret prompts/desk.md:2']);
});

test.each<[string, string, number]>([
  ['a block', `  agentInstructions: |\n    Open [INSERT HOURS]. ${comment}\n`, 8],
  ['quotes', `  agentInstructions: "Open [INSERT HOURS]. ${comment}\\nBye."\n`, 7],
  ['a folded text', `  agentInstructions: >-\n    Open [INSERT HOURS].\n    ${comment}\n`, 8],
])('A new comment does not silence an error in %s of a manifest.', async (_form, settings, line) => {
  const manifest = agent(settings);
  expect(await changed({}, { ...files, 'agents/desk.yaml': manifest })).toEqual([]);
  await place.write('agents/desk.yaml', manifest.replace('HOURS', 'TIMES'));
  expect(await found()).toEqual([`error prompt-placeholder agents/desk.yaml:${line}`]);
  await place.write('agents/desk.yaml', manifest.replace('title: Desk', 'title: Help desk'));
  expect(await found()).toEqual([]);
});

test('A text of several files is compared with each file, and lines of a patch with the patch.', async () => {
  const patch = (slot: string) => `--- a\n+++ b\n@@ -3,2 +3,2 @@\n-Open [INSERT HOURS].\n+Open [${slot}].\n Bye.\n`;
  const base = {
    ...files,
    'agents/desk.yaml': `${agent('  agentInstructions: { patch: desk.patch }\n')}extends: ../shared/base.yaml\n`,
    'shared/base.yaml': `${head}kind: Agent\nsettings:\n${fromFile}`,
    'agents/desk.patch': patch('INSERT HOURS HERE'),
  };
  expect(await changed({}, base)).toEqual([]);
  await place.write('agents/desk.patch', patch('INSERT TIMES HERE'));
  expect(await found()).toEqual(['error prompt-placeholder agents/desk.patch:5']);
});

test('A file behind a link is compared under the name of the link.', async () => {
  place = await workplace({ ...files, 'shared/desk.md': allowed, 'prompts/desk.md': '' });
  await rm(join(place.root, 'prompts/desk.md'));
  await symlink('../shared/desk.md', join(place.root, 'prompts/desk.md'));
  await commitPlace();
  expect(await found()).toEqual([]);
});

test('A text that two agents share is judged for each by its source file.', async () => {
  const change = {
    'agents/other.yaml': agent(fromFile.replace('desk', 'other'), 'other'),
    'prompts/other.md': allowed,
  };
  expect(await changed(change)).toContain('error prompt-placeholder prompts/other.md:3');
  expect(await found()).not.toContain('error prompt-placeholder prompts/desk.md:3');
});
