import { afterEach, expect, test } from '@jest/globals';
import { type CodeAction, TextDocumentEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type LspClient, positionOf } from '../support/lsp-client.ts';
import type { Folder } from '../workspace/project.ts';
import { openSample, sample } from './project.ts';

let folder: Folder;
let client: LspClient;

afterEach(async () => {
  await client.request('shutdown', null);
  await folder.remove();
});

const start = { line: 0, character: 0 };

function recordOf(name: string, instructions: object): string {
  return JSON.stringify({
    formatVersion: 1,
    ...{ environment: 'production', kind: 'Agent', name, host: 'emulator', query: {}, credentials: {} },
    fields: { 'settings.agentInstructions': instructions },
  });
}

async function openWith(files: Readonly<Record<string, string>>): Promise<void> {
  ({ folder, client } = await openSample({ ...sample, ...files }));
}

const record = '.agentform/records/production/Agent/a.json';
const before = '# Greeting\nSay hello.\n\n# Emergencies\nCall Elm Street at once.\n\n# Closing\nSay goodbye.\n';
const after = '# Greeting\nSay hello.\n\n# Closing\nSay goodbye.\n';

/** The restoring actions at a position in a file. */
async function restoring(path: string, position = start): Promise<CodeAction[]> {
  const found = await client.actions(path, { start: position, end: position });
  return found.filter(({ title }) => title.startsWith('Restore'));
}

function applied(action: CodeAction | undefined, text: string): string {
  const [change] = action?.edit?.documentChanges ?? [];
  if (!TextDocumentEdit.is(change)) throw new Error('there is no edit');
  const edits = change.edits.flatMap((one) => ('newText' in one ? [one] : []));
  return TextDocument.applyEdits(TextDocument.create('', '', 0, text), edits);
}

/** The restored text contains the resource's variable. */
const restored = before.replace('Elm Street', '${var.clinic}');

test('A removed section of an applied prompt can be restored to its place, with its variables.', async () => {
  await openWith({ 'prompts/a.md': after, [record]: recordOf('a', { value: before }) });
  const found = await restoring('prompts/a.md');
  expect(found.map(({ title }) => title)).toEqual(["Restore the section '# Emergencies' from the last apply"]);
  expect(applied(found[0], after)).toBe(restored);
});

test('A removed last section is restored at the end, with the line ends of the file.', async () => {
  const now = '# Greeting\r\nSay hello.\r\n';
  const value = '# Greeting\nSay hello.\n\n# Closing\nSay goodbye.\nTwice.\n';
  await openWith({ 'prompts/a.md': now, [record]: recordOf('a', { value }) });
  const [found] = await restoring('prompts/a.md');
  expect(applied(found, now)).toBe('# Greeting\r\nSay hello.\r\n\r\n# Closing\r\nSay goodbye.\r\nTwice.\r\n');
});

test('A removed section is restored in a block of a manifest.', async () => {
  const block = (text: string) => text.replace(/^(?=.)/gm, '    ');
  const manifest = (text: string) =>
    `apiVersion: agentform/v1\nkind: Agent\nname: b\ntarget: { query: { account: "2" } }\nsettings:\n  title: B\n  description: d\n  agentInstructions: |\n${block(text)}labels: { team: north }\n`;
  const path = 'agents/b.yaml';
  await openWith({ [path]: manifest(after), [record.replace('a.json', 'b.json')]: recordOf('b', { value: before }) });
  const [found] = await restoring(path, positionOf(manifest(after), 'Say hello'));
  expect(applied(found, manifest(after))).toBe(manifest(restored));
  expect(await restoring(path, positionOf(manifest(after), 'title'))).toEqual([]);
});

test('A text with a secret cannot be restored, because its record has no text.', async () => {
  await openWith({ 'prompts/a.md': after, [record]: recordOf('a', { fingerprint: 'v1:abc' }) });
  expect(await restoring('prompts/a.md')).toEqual([]);
});

test('A renamed or never applied section is not offered for restoring.', async () => {
  await openWith({
    'prompts/a.md': before.replace('# Emergencies', '# Urgent'),
    [record]: recordOf('a', { value: before }),
  });
  expect(await restoring('prompts/a.md')).toEqual([]);
  await client.write(record, undefined);
  expect(await restoring('prompts/a.md')).toEqual([]);
});
