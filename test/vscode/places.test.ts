import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SymbolKind } from 'vscode-languageserver/node';
import { isEmbedded, projectAround } from '../../editors/vscode/src/project.ts';
import { type OutlineItem, settingAt } from '../../editors/vscode/src/setting.ts';
import { openSample } from '../lsp/project.ts';
import { type LspClient, positionOf } from '../support/lsp-client.ts';
import type { Folder } from '../workspace/project.ts';

const manifest = `apiVersion: agentform/v1
kind: Agent
name: c
settings:
  title: C
  description: d
  backgroundAudio: { url: "https://cdn.example.com/a.mp3", gain: -6 }
skills:
  - { slug: calendar, instructions: Book visits. }
target: { query: { account: "3" } }
environments:
  staging: { settings: { agentVoice: test-1 } }
`;

interface Symbol {
  readonly name: string;
  readonly detail?: string;
  readonly kind: SymbolKind;
  readonly range: { readonly start: OutlineItem['start']; readonly end: OutlineItem['end'] };
  readonly children?: readonly Symbol[];
}

let folder: Folder;
let client: LspClient;
let outline: OutlineItem[];

beforeAll(async () => {
  ({ folder, client } = await openSample());
  client.open('agents/c.yaml', manifest);
  outline = (await outlineOf('agents/c.yaml')).map(itemOf);
});
afterAll(async () => {
  await client.request('shutdown', null);
  await folder.remove();
});

function outlineOf(path: string): Promise<readonly Symbol[]> {
  return client.request('textDocument/documentSymbol', { textDocument: { uri: client.uri(path) } });
}

function itemOf({ name, detail = '', kind, range: { start, end }, children = [] }: Symbol): OutlineItem {
  return { name, detail, isList: kind === SymbolKind.Array, start, end, children: children.map(itemOf) };
}

describe('the setting at the cursor', () => {
  test.each([
    ['title: C', 'settings.title', undefined],
    ['gain', 'settings.backgroundAudio.gain', undefined],
    ['Book visits', 'skills[calendar]', undefined],
    ['skills', 'skills', undefined],
    ['kind: Agent', undefined, undefined],
    ['account', undefined, undefined],
    ['agentVoice', 'settings', 'staging'],
  ])('The cursor in %s is at %s, of the environment %s.', (mark, path, environment) => {
    const place = positionOf(manifest, mark, 1);
    expect(settingAt(outline, place)).toEqual({ subject: 'Agent/c', isResource: true, path, environment });
  });

  test('A setting of a base belongs to its kind.', async () => {
    const base = (await outlineOf('shared/root.yaml')).map(itemOf);
    expect(settingAt(base, { line: 2, character: 14 })).toEqual({
      ...{ subject: 'Agent', isResource: false, path: 'settings.timezone', environment: undefined },
    });
  });

  test('A file without declarations has no setting.', () => {
    expect(settingAt([], { line: 0, character: 0 })).toBeUndefined();
  });
});

describe('the requests of the extension', () => {
  test('The server lists the projects with their environments.', async () => {
    const environments = ['staging', 'production'].map((name) => ({ name, baseUrl: 'emulator' }));
    expect(await client.request('agentform/projects', undefined)).toEqual([{ root: folder.root, environments }]);
  });

  test.each([
    ['agents/a.yaml', true],
    ['agents/new.yaml', true],
    ['agentform.yaml', true],
    ['shared/root.yaml', true],
    ['templates/agent.yaml', true],
    ['tasks/call.yaml', false],
    ['.github/workflows/check.yml', false],
  ])('The server says whether %s is part of the project: %s', async (path, expected) => {
    expect(await client.request('agentform/isPart', { uri: client.uri(path) })).toBe(expected);
  });

  test.each([[{}], [{ uri: 5 }], [{ uri: 'untitled:x' }], [{ uri: 'file:///elsewhere/a.yaml' }]])(
    'The server answers null for %j.',
    async (document) => {
      expect(await client.request('agentform/isPart', document)).toBeNull();
    },
  );
});

describe('the project of a file', () => {
  const [outer, inner] = ['/work', '/work/clients/elm'].map((root) => ({ root, environments: [] }));
  const projects = [outer, inner].flatMap((project) => project ?? []);

  test.each([
    ['/work/agents/a.yaml', outer],
    ['/work/clients/elm/agents/a.yaml', inner],
    ['/work/clients/elms/agents/a.yaml', outer],
    ['/other/a.yaml', undefined],
    [undefined, undefined],
  ])('The project of %s is the innermost one around it.', (path, expected) => {
    expect(projectAround(projects, path)).toBe(expected);
  });

  test('A single project is used for every file.', () => {
    expect(projectAround(projects.slice(0, 1), '/other/a.yaml')).toBe(outer);
  });

  test('Only the embedded emulator needs no connection.', () => {
    expect(isEmbedded({ name: 'local', baseUrl: 'emulator' })).toBe(true);
    expect(isEmbedded({ name: 'local', baseUrl: 'http://127.0.0.1:4000' })).toBe(false);
  });
});
