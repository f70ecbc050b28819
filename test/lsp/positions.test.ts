import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  CodeAction,
  DocumentLink,
  DocumentSymbol,
  Range,
  WorkspaceEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type LspClient, positionOf } from '../support/lsp-client.ts';
import type { Folder } from '../workspace/project.ts';
import { openSample, sample } from './project.ts';

const head = 'apiVersion: agentform/v1\n';

/** The same project, with CRLF line endings and with an emoji before every position. */
const files: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    ...sample,
    'agentform.yaml': `${head}kind: Project
manifests: ["agents/*.yaml"]
environments:
  staging: { variables: { smile: "😀😀", clinic: Test clinic }, baseUrl: emulator }
  production: { variables: { smile: "😀😀", clinic: Elm Street }, baseUrl: emulator }
`,
    'prompts/a.md': '😀😀 Answer for ${var.clinic}. Smile ${var.smile}. TODO\nBe brief.\n',
    'agents/a.yaml': `${head}kind: Agent
name: a
labels: { mood: "😀" }
extends: ../shared/base.yaml
target: { query: { account: "1" } }
settings: { title: "😀 Front desk of \${var.clinic}", description: "😀", agentInstructions: { file: ../prompts/a.md } }
`,
    'agents/calls.yaml': `${head}kind: Test\nname: calls\ncases: [{ name: "😀", expect: { settings: { description: "😀" } } }]\nagents: [a]\n`,
    'clients.csv': 'name,mood,brand\nelm,😀😀,Elm\noak,😀,Oak\n',
    'templates/agent.yaml': `${head}kind: Agent\nextends: ../shared/root.yaml\nsettings: { title: "\${var.mood} \${var.brand}", description: d }\ntarget: { query: { account: "\${var.name}" } }\n`,
  }).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]),
);

let folder: Folder;
let client: LspClient;

beforeAll(async () => {
  ({ folder, client } = await openSample(files));
});
afterAll(async () => {
  await client.request('shutdown', null);
  await folder.remove();
});

function textIn(path: string, range: Range | undefined): string {
  return TextDocument.create('', '', 0, files[path] ?? '').getText(range);
}

function at(path: string, mark: string, by = 1) {
  return [path, positionOf(files[path] ?? '', mark, by)] as const;
}

/** The words that edits replace, by file. */
function replaced(edit: WorkspaceEdit | null | undefined): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const change of edit?.documentChanges ?? []) {
    if (!('textDocument' in change)) continue;
    const path = client.pathOf(change.textDocument.uri);
    found[path] = change.edits.map(({ range }) => textIn(path, range));
  }
  return found;
}

describe('positions behind emoji and with CRLF', () => {
  test('The positions of problems count UTF-16 units.', () => {
    const found = client.published.get('prompts/a.md')?.map(({ range }) => textIn('prompts/a.md', range));
    expect(found).toEqual(['TODO']);
  });

  test('The positions of hovers count UTF-16 units.', async () => {
    for (const [path, mark, word] of [
      ['prompts/a.md', 'clinic}', 'clinic'],
      ['agents/a.yaml', 'description', 'description'],
      ['agents/a.yaml', '../prompts', '../prompts/a.md'],
    ] as const) {
      expect(textIn(path, (await client.hover(...at(path, mark)))?.range)).toBe(word);
    }
  });

  test('The positions of definitions count UTF-16 units.', async () => {
    const found = await client.definition(...at('prompts/a.md', 'clinic}'));
    expect(found).toEqual(['agentform.yaml:5:50', 'agentform.yaml:6:53']);
    expect(await client.definition(...at('templates/agent.yaml', 'brand'))).toEqual(['clients.csv:1:11']);
    expect(await client.definition(...at('agents/calls.yaml', 'a]', 0))).toEqual(['agents/a.yaml:3:7']);
  });

  test('The positions of references count UTF-16 units.', async () => {
    expect((await client.references(...at('agentform.yaml', 'clinic: Elm'))).sort()).toEqual([
      'agents/a.yaml:7:44',
      'prompts/a.md:1:23',
    ]);
  });

  test('The positions of links count UTF-16 units.', async () => {
    const textDocument = { uri: client.uri('agents/a.yaml') };
    const links = await client.request<DocumentLink[]>('textDocument/documentLink', { textDocument });
    expect(links.map(({ range }) => textIn('agents/a.yaml', range))).toEqual([
      '../shared/base.yaml',
      '../prompts/a.md',
    ]);
  });

  test('The positions of renames count UTF-16 units.', async () => {
    expect(replaced(await client.rename(...at('prompts/a.md', 'clinic}'), 'site'))).toEqual({
      'agentform.yaml': ['clinic', 'clinic'],
      'agents/a.yaml': ['clinic'],
      'prompts/a.md': ['clinic'],
    });
    expect(replaced(await client.rename(...at('clients.csv', 'brand'), 'label'))).toEqual({
      'clients.csv': ['brand'],
      'templates/agent.yaml': ['brand'],
    });
    expect(replaced(await client.rename(...at('agents/calls.yaml', 'a]', 0), 'front'))).toMatchObject({
      'agents/calls.yaml': ['a'],
      'agents/line.yaml': ['a'],
    });
    const range = await client.at<Range>('textDocument/prepareRename', ...at('agents/a.yaml', 'clinic}'));
    expect(textIn('agents/a.yaml', range)).toBe('clinic');
  });

  test('The positions of moves count UTF-16 units.', async () => {
    const renamed = [{ oldUri: client.uri('prompts/a.md'), newUri: client.uri('texts/a.md') }];
    const edit = await client.request<WorkspaceEdit>('workspace/willRenameFiles', { files: renamed });
    expect(replaced(edit)).toMatchObject({ 'agents/a.yaml': ['../prompts/a.md'] });
  });

  test('The positions of code actions count UTF-16 units.', async () => {
    const [path, position] = at('prompts/a.md', 'TODO');
    const actions = await client.actions(path, { start: position, end: position });
    const allowing = actions.find(({ title }: CodeAction) => title.includes('allow'));
    const edited = Object.keys(replaced(allowing?.edit));
    expect(edited).toEqual([path]);
    client.open('agents/b.yaml', `${head}kind: Agent\r\nname: b\r\nsettings: { title: "😀", descripton: d }\r\n`);
    await client.settled();
    const character = 'settings: { title: "😀", '.length + 1;
    const [fix] = await client.actions('agents/b.yaml', { start: { line: 3, character }, end: { line: 3, character } });
    expect(fix?.edit?.documentChanges).toMatchObject([
      { edits: [{ range: { start: { character: character - 1 }, end: { character: character + 9 } } }] },
    ]);
    client.close('agents/b.yaml');
  });

  test('The positions of symbols count UTF-16 units.', async () => {
    const textDocument = { uri: client.uri('agents/a.yaml') };
    const outline = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
    const settings = outline.find(({ name }) => name === 'settings')?.children ?? [];
    expect(settings.map(({ selectionRange }) => textIn('agents/a.yaml', selectionRange))).toEqual([
      'title',
      'description',
      'agentInstructions',
    ]);
    const [brand] = await client.request<WorkspaceSymbol[]>('workspace/symbol', { query: 'brand' });
    expect(brand !== undefined && 'range' in brand.location && textIn('clients.csv', brand.location.range)).toBe(
      'brand',
    );
  });

  test('The positions of completions count UTF-16 units.', async () => {
    for (const [marked, label] of [
      [`${head}kind: Agent\nname: new\nsettings: { description: "😀😀", tit|`, 'title'],
      [`${head}kind: Agent\nname: new\nsettings: { description: '😀\\', title: "\\"😀 \${var.x}", time|`, 'timezone'],
      [`${head}kind: Agent\nname: new\nsettings:\n  title: "😀 \${var.cl|`, 'clinic'],
      [`${head}kind: Test\nname: "😀"\nagents: [😀, |`, 'elm'],
    ] as const) {
      const text = marked.replace('|', '').replaceAll('\n', '\r\n');
      client.open('agents/new.yaml', text);
      const position = positionOf(marked, '|');
      const found = (await client.completions('agents/new.yaml', position)).find((one) => one.label === label);
      const typed = /[\w]*$/.exec(marked.split('|', 1)[0] ?? '')?.[0] ?? '';
      expect(found?.textEdit).toMatchObject({
        range: { start: { ...position, character: position.character - typed.length }, end: position },
      });
      client.close('agents/new.yaml');
    }
  });
});
