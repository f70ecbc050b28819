import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Position, WorkspaceEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { LspClient, positionOf } from '../support/lsp-client.ts';
import type { Folder } from '../workspace/project.ts';
import { listSample, openSample, type SamplePath, sample } from './project.ts';

const head = 'apiVersion: agentform/v1\n';

let folder: Folder;
let client: LspClient;

beforeEach(async () => {
  ({ folder, client } = await openSample());
});
afterEach(async () => {
  await client.request('shutdown', null);
  await folder.remove();
});

const texts: Readonly<Record<string, string>> = sample;

/** The texts of the edited files, after the edits. */
function applied(edit: WorkspaceEdit | null | undefined, before: Readonly<Record<string, string>> = texts) {
  const edited: Record<string, string> = {};
  for (const change of edit?.documentChanges ?? []) {
    if (!('textDocument' in change)) continue;
    const path = client.pathOf(change.textDocument.uri);
    const document = TextDocument.create('', '', 0, before[path] ?? '');
    const edits = change.edits.flatMap((one) => ('newText' in one ? [one] : []));
    edited[path] = TextDocument.applyEdits(document, edits);
  }
  return edited;
}

const at = (path: SamplePath, mark: string, by = 0): readonly [string, Position] => [
  path,
  positionOf(sample[path], mark, by),
];

function rangeOfText(text: string, mark: string) {
  return { start: positionOf(text, mark), end: positionOf(text, mark, 'end') };
}

/** Checks that the project has no problems after these edits. */
async function expectSound(edited: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(edited)) await client.write(path, text);
  await client.settled();
  expect([...client.published.values()].flat().map(({ message }) => message)).toEqual([]);
}

describe('renames', () => {
  test('A variable is renamed everywhere.', async () => {
    const edited = applied(await client.rename(...at('prompts/a.md', 'clinic', 1), 'site'));
    expect(Object.keys(edited).sort()).toEqual(['agentform.yaml', 'agents/a.yaml', 'prompts/a.md']);
    expect(edited['prompts/a.md']).toBe('Answer for ${var.site}.\nBe brief.\n');
    await expectSound(edited);
  });

  test('A column is renamed in its table and its template.', async () => {
    const edited = applied(await client.rename(...at('clients.csv', 'brand', 1), 'label'));
    expect(edited['clients.csv']).toMatch(/^name,label\n/);
    await expectSound(edited);
  });

  test('A renamed agent keeps its record by renamedFrom, and its references change.', async () => {
    const edited = applied(await client.rename(...at('agents/line.yaml', 'a\nsettings'), 'front'));
    expect(edited['agents/a.yaml']).toContain('name: front\nrenamedFrom: a\n');
    expect(edited['agents/line.yaml']).toContain('agent: front\n');
    expect(edited['agents/calls.yaml']).toContain('agents: [front]\n');
    await expectSound(edited);
  });

  test('An agent that was renamed before keeps both names.', async () => {
    const before = sample['agents/a.yaml'].replace('name: a\n', 'name: a\nrenamedFrom: z\n');
    await client.write('agents/a.yaml', before);
    const edit = await client.rename('agents/a.yaml', positionOf(before, 'name: a', 6), 'front');
    expect(applied(edit, { ...texts, 'agents/a.yaml': before })['agents/a.yaml']).toContain(
      'name: front\nrenamedFrom: [a, z]\n',
    );
  });

  test.each<readonly [string, SamplePath, string, number, string]>([
    ['an invalid name of a variable', 'prompts/a.md', 'clinic', 1, 'a b'],
    ['a variable that exists', 'prompts/a.md', 'clinic', 1, 'brand'],
    ['the column of names', 'clients.csv', 'name', 1, 'label'],
    ['an invalid name of an agent', 'agents/a.yaml', 'name: a', 6, 'Front Desk'],
    ['an agent that exists', 'agents/a.yaml', 'name: a', 6, 'b'],
    ['the name of a member', 'agents/a.yaml', 'name: a', 6, 'elm'],
    ['a plain word', 'agents/a.yaml', 'Answers.', 2, 'x'],
    ['a member without a column for its former name', 'clients.csv', 'elm', 1, 'ash'],
  ])('A rename is refused for %s.', async (_, path, mark, by, name) => {
    await expect(client.rename(...at(path, mark, by), name)).rejects.toThrow(/-32602/);
  });

  test('A rename to an existing variable is refused with its definition, not with a use.', async () => {
    const renamed = client.rename(...at('agents/a.yaml', 'account: one', 1), 'clinic');
    await expect(renamed).rejects.toThrow("the variable 'clinic' already exists: agentform.yaml:5");
  });

  test('A rename of a variable that the process sets is refused.', async () => {
    const other = await openSample(sample, { AGENTFORM_VAR_clinic: 'x' });
    await expect(other.client.rename(...at('prompts/a.md', 'clinic', 1), 'site')).rejects.toThrow(
      /AGENTFORM_VAR_clinic/,
    );
    await other.client.request('shutdown', null);
    await other.folder.remove();
  });

  test('A rename to a variable that the process sets is refused.', async () => {
    const other = await openSample(sample, { AGENTFORM_VAR_site: 'x' });
    await expect(other.client.rename(...at('prompts/a.md', 'clinic', 1), 'site')).rejects.toThrow(
      "the process variable AGENTFORM_VAR_site would set the value of 'site'",
    );
    await other.client.request('shutdown', null);
    await other.folder.remove();
  });

  test('A rename is only offered for what can be renamed.', async () => {
    expect(await client.at('textDocument/prepareRename', ...at('agents/a.yaml', 'Answers.', 2))).toBeNull();
    expect(await client.at('textDocument/prepareRename', ...at('prompts/a.md', 'clinic', 1))).not.toBeNull();
  });
});

describe('renames in a project with a list of members', () => {
  const listTexts: Readonly<Record<string, string>> = { ...listSample };
  beforeEach(async () => {
    await client.request('shutdown', null);
    await folder.remove();
    ({ folder, client } = await openSample(listSample));
  });
  const renamed = async (path: keyof typeof listSample, mark: string, name: string) =>
    applied(await client.rename(path, positionOf(listSample[path], mark), name), listTexts);

  test('A rename adds the former name before the other former names in a list.', async () => {
    const edited = await renamed('agents/a.yaml', 'a\nrenamedFrom', 'front');
    expect(edited['agents/a.yaml']).toContain('name: front\nrenamedFrom:\n  - a\n  - y\n  - z\n');
    await expectSound(edited);
    const flow = (edited['agents/a.yaml'] ?? '').replace(
      'renamedFrom:\n  - a\n  - y\n  - z\n',
      'renamedFrom: [a, z]\n',
    );
    await client.write('agents/a.yaml', flow);
    const again = await client.rename('agents/a.yaml', positionOf(flow, 'front'), 'desk');
    expect(applied(again, { 'agents/a.yaml': flow })['agents/a.yaml']).toContain('renamedFrom: [front, a, z]\n');
  });

  test('A member of a list gets its former name in its row, and its references change.', async () => {
    const edited = await renamed('agents/line.yaml', 'oak', 'birch');
    expect(edited['agents/list.yaml']).toContain('- { name: birch, renamedFrom: oak, brand: Oak }\n');
    expect(edited['agents/line.yaml']).toContain('agent: birch\n');
    for (const [path, text] of Object.entries(edited)) await client.write(path, text);
    expect(await client.messages('overrides/oak.yaml')).toEqual([
      'no row matches this override: name the file after a member, or delete it',
    ]);
  });

  test('A member of a list on several lines gets its former name in a line below.', async () => {
    const own = await renamed('agents/list.yaml', 'fir #', 'pine');
    expect(own['agents/list.yaml']).toContain('  - name: pine # The first.\n    renamedFrom: fir\n    brand: Fir\n');
    await expectSound(own);
  });

  test('A column is renamed in every row of a list.', async () => {
    const edited = await renamed('templates/agent.yaml', 'brand', 'label');
    expect(edited['agents/list.yaml']?.match(/label:/g)).toHaveLength(3);
    await expectSound(edited);
  });

  test('A member with a former name cannot be renamed again, because a row has only one former name.', async () => {
    await expect(renamed('agents/list.yaml', 'elm', 'birch')).rejects.toThrow(
      "'elm' was already renamed from 'ash'; apply that rename to every environment, then delete renamedFrom",
    );
    await expect(renamed('agents/list.yaml', 'oak', 'ash')).rejects.toThrow(
      "a manifest was already renamed from 'ash'",
    );
  });

  test('A member of a table gets its former name in an empty cell, but not in a used one.', async () => {
    const table = 'name,brand,renamedFrom\nelm,Elm,\noak,Oak,ash\n';
    await client.write('clients.csv', table);
    const list = listSample['agents/list.yaml'];
    await client.write(
      'agents/list.yaml',
      `${list.slice(0, list.indexOf('members:'))}members: { file: ../clients.csv }\n`,
    );
    await client.settled();
    const edit = await client.rename('clients.csv', positionOf(table, 'elm'), 'fir');
    expect(applied(edit, { 'clients.csv': table })).toEqual({
      'clients.csv': 'name,brand,renamedFrom\nfir,Elm,elm\noak,Oak,ash\n',
    });
    await expect(client.rename('clients.csv', positionOf(table, 'oak'), 'fir')).rejects.toThrow(
      "'oak' was already renamed from 'ash'",
    );
  });

  test('A rename of a name in quotes keeps the quotes, and its range omits them.', async () => {
    const text = listSample['agents/line.yaml'].replace('name: line', 'name: "line"');
    client.open('agents/line.yaml', text);
    const position = positionOf(text, 'line"', 1);
    expect(await client.at('textDocument/prepareRename', 'agents/line.yaml', position)).toEqual({
      start: positionOf(text, 'line"'),
      end: positionOf(text, 'line"', 4),
    });
    const edit = await client.rename('agents/line.yaml', position, 'phone');
    expect(applied(edit, { 'agents/line.yaml': text })['agents/line.yaml']).toContain(
      'name: "phone"\nrenamedFrom: line\n',
    );
  });
});

describe('moves of files', () => {
  const move = async (from: string, to: string) => {
    const files = [{ oldUri: client.uri(from), newUri: client.uri(to) }];
    return applied(await client.request('workspace/willRenameFiles', { files }));
  };

  test('A moved prompt changes its references.', async () => {
    expect(await move('prompts/a.md', 'texts/b.md')).toEqual({
      'shared/base.yaml': sample['shared/base.yaml'].replace('../prompts/a.md', '../texts/b.md'),
    });
  });

  test('A moved base changes its own paths.', async () => {
    const edited = await move('shared/base.yaml', 'bases/deep/base.yaml');
    expect(edited['shared/base.yaml']).toContain('extends: ../../shared/root.yaml\n');
    expect(edited['shared/base.yaml']).toContain('{ file: ../../prompts/a.md }');
    expect(edited['agents/a.yaml']).toContain('extends: ../bases/deep/base.yaml\n');
  });

  test('A moved folder changes all references together.', async () => {
    const edited = await move('shared', 'bases');
    expect(edited['shared/base.yaml']).toBeUndefined();
    expect(edited['agents/b.yaml']).toContain('extends: ../bases/base.yaml\n');
    expect(edited['templates/agent.yaml']).toContain('extends: ../bases/root.yaml\n');
  });

  test('A moved table changes its fleet.', async () => {
    expect((await move('clients.csv', 'data/all.csv'))['agents/fleet.yaml']).toContain('{ file: ../data/all.csv }');
  });
});

test.each([
  ['with', undefined],
  ['without', {}],
])('Two open projects that share a manifest edit it once, in an editor %s versions.', async (_how, capabilities) => {
  const manifest = `${head}kind: Agent\nname: x\nsettings: { title: { file: ../prompts/x.md }, description: d }\n`;
  const project = (pattern: string) =>
    `${head}kind: Project\nmanifests: ["${pattern}"]\nenvironments: { local: { baseUrl: emulator } }\n`;
  const files = {
    'agentform.yaml': project('nested/agents/*.yaml'),
    'nested/agentform.yaml': project('agents/*.yaml'),
    'nested/agents/x.yaml': manifest,
    'nested/prompts/x.md': 'X',
  };
  const opened = await openSample(files);
  const other = await LspClient.inProcess(opened.folder.root, {}, capabilities === undefined ? {} : { capabilities });
  await other.settled();
  const moved = [{ oldUri: other.uri('nested/prompts/x.md'), newUri: other.uri('nested/texts/x.md') }];
  const edit = await other.request<WorkspaceEdit>('workspace/willRenameFiles', { files: moved });
  const edits = [{ range: rangeOfText(manifest, '../prompts/x.md'), newText: '../texts/x.md' }];
  const uri = other.uri('nested/agents/x.yaml');
  expect(edit).toEqual(
    capabilities === undefined
      ? { documentChanges: [{ textDocument: { uri, version: null }, edits }] }
      : { changes: { [uri]: edits } },
  );
  await Promise.all([other, opened.client].map((one) => one.request('shutdown', null)));
  await opened.folder.remove();
});

test('An editor without document versions gets edits in the form of `changes`.', async () => {
  const other = await LspClient.inProcess(folder.root, {}, { capabilities: {} });
  const files = [{ oldUri: other.uri('prompts/a.md'), newUri: other.uri('texts/b.md') }];
  const edit = await other.request<WorkspaceEdit>('workspace/willRenameFiles', { files });
  const range = rangeOfText(sample['shared/base.yaml'], '../prompts/a.md');
  const changes = { [other.uri('shared/base.yaml')]: [{ range, newText: '../texts/b.md' }] };
  expect(edit).toEqual({ changes });
  await other.request('shutdown', null);
});

describe('code actions', () => {
  test('The suggested text is the first and preferred action.', async () => {
    const text = sample['agents/b.yaml'].replace('title: B', 'titel: B');
    client.open('agents/b.yaml', text);
    await client.settled();
    const position = positionOf(text, 'titel', 1);
    const [first] = await client.actions('agents/b.yaml', { start: position, end: position });
    expect(first).toMatchObject({ kind: 'quickfix', isPreferred: true, title: expect.stringContaining('title') });
    expect(applied(first?.edit, { ...texts, 'agents/b.yaml': text })).toEqual({
      'agents/b.yaml': sample['agents/b.yaml'],
    });
  });

  test('An action replaces typographic quotes.', async () => {
    const text = sample['agents/b.yaml'].replace('title: B', 'title: “B”');
    client.open('agents/b.yaml', text);
    await client.settled();
    const position = positionOf(text, '“B”', 1);
    const [first] = await client.actions('agents/b.yaml', { start: position, end: position });
    expect(first).toMatchObject({ kind: 'quickfix', isPreferred: true, title: 'Quote B' });
    expect(applied(first?.edit, { ...texts, 'agents/b.yaml': text })).toEqual({
      'agents/b.yaml': sample['agents/b.yaml'].replace('title: B', 'title: "B"'),
    });
  });

  test('An action adds a pattern to manifests for an unmatched file.', async () => {
    await client.write('more/x.yaml', sample['agents/b.yaml'].replace('name: b', 'name: x').replace('"2"', '"7"'));
    await client.settled();
    const start = { line: 0, character: 0 };
    const found = await client.actions('more/x.yaml', { start, end: start });
    expect(found.map(({ title }) => title)).toEqual([expect.stringContaining('manifests')]);
    expect(applied(found[0]?.edit)['agentform.yaml']).toContain('more/');
  });

  test('An action allows a finding in a prompt at its line.', async () => {
    const text = 'Answer for ${var.clinic}. TODO\nBe brief.\n';
    client.open('prompts/a.md', text);
    await client.settled();
    const position = positionOf(text, 'TODO', 1);
    const found = await client.actions('prompts/a.md', { start: position, end: position });
    const allowing = found.find(({ title }) => /allow/i.test(title));
    const edited = applied(allowing?.edit, { ...texts, 'prompts/a.md': text });
    client.edit('prompts/a.md', edited['prompts/a.md'] ?? text);
    expect(await client.messages('prompts/a.md')).toEqual([]);
  });

  test('An action moves a text into a new file.', async () => {
    const text = sample['agents/b.yaml'].replace('description: d', 'description: Answers all questions of callers');
    await client.write('agents/b.yaml', text);
    const position = positionOf(text, 'Answers all', 3);
    const found = await client.actions('agents/b.yaml', { start: position, end: position });
    const moving = found.find(({ title }) => title.includes('file'));
    expect(moving?.edit?.documentChanges?.[0]).toMatchObject({ kind: 'create' });
    const edited = applied(moving?.edit, { ...texts, 'agents/b.yaml': text });
    expect(edited['prompts/b/description.md']).toBe('Answers all questions of callers');
    expect(edited['agents/b.yaml']).toContain('description: { file: ../prompts/b/description.md }');
    await expectSound(edited);
  });
});

test.each(['!!str ', '&answer ', '!!str &answer ', '! '])(
  'No action moves a text with the tag or anchor %j, because the new map would get it.',
  async (mark) => {
    const text = sample['agents/b.yaml'].replace(
      'description: d',
      `description: ${mark}"Answers all questions of callers"`,
    );
    await client.write('agents/b.yaml', text);
    const position = positionOf(text, 'Answers all', 3);
    expect(await client.actions('agents/b.yaml', { start: position, end: position })).toEqual([]);
  },
);

test('No action moves the path of a file, or a text outside settings.', async () => {
  const path = '../prompts/a-prompt-with-a-long-name.md';
  await client.write('prompts/a-prompt-with-a-long-name.md', 'Answers.');
  const text = sample['agents/b.yaml'].replace('description: d', `description: { file: ${path} }`);
  await client.write('agents/b.yaml', text);
  const titlesAt = async (file: string, position: Position) =>
    (await client.actions(file, { start: position, end: position })).map(({ title }) => title);
  expect(await titlesAt('agents/b.yaml', positionOf(text, path, 3))).toEqual([]);
  expect(await titlesAt('agents/b.yaml', positionOf(text, 'kind', 1))).toEqual([]);
  expect(await titlesAt('agentform.yaml', positionOf(sample['agentform.yaml'], 'agents/*', 1))).toEqual([]);
});

describe('outlines, symbols and lenses', () => {
  test('An outline has the sections and the slugs of skills.', async () => {
    const text = `${head}kind: Agent\nname: b\nsettings: { title: B, description: d }\nskills:\n  - { slug: calendar, instructions: i }\n`;
    client.open('agents/b.yaml', text);
    const found = await client.request<ReadonlyArray<{ name: string; children: ReadonlyArray<{ name: string }> }>>(
      'textDocument/documentSymbol',
      { textDocument: { uri: client.uri('agents/b.yaml') } },
    );
    const outline = new Map(found.map(({ name, children }) => [name, children.map((one) => one.name)]));
    expect(outline.get('settings')).toEqual(['title', 'description']);
    expect(outline.get('skills')).toEqual(['calendar']);
  });

  test('The symbols of the workspace are agents, members, variables, policies and Tests.', async () => {
    const named = async (query: string) =>
      (await client.request<ReadonlyArray<{ name: string }>>('workspace/symbol', { query })).map(({ name }) => name);
    expect(await named('')).toEqual(expect.arrayContaining(['a', 'line', 'elm', 'clinic', 'brand', 'calls']));
    expect(await named('CLIN')).toEqual(expect.arrayContaining(['clinic']));
  });

  test('The lenses count uses through bases, and offer the plan of a manifest.', async () => {
    const titles = async (path: string) => {
      const textDocument = { uri: client.uri(path) };
      const found = await client.request<ReadonlyArray<{ command: { title: string } }>>('textDocument/codeLens', {
        textDocument,
      });
      return found.map(({ command }) => command.title);
    };
    expect(await titles('prompts/a.md')).toEqual(['used by 2 agents']);
    expect(await titles('shared/root.yaml')).toEqual(['used by 5 agents']);
    expect(await titles('agents/a.yaml')).toEqual(['Show plan']);
    expect(await titles('agents/calls.yaml')).toEqual([]);
  });
});
