import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { recommendations } from '../../src/commands/init/starter-texts.ts';
import { kindNames as resourceKinds } from '../../src/kinds/kind.ts';
import { LspClient } from '../support/lsp-client.ts';
import { Folder } from '../workspace/project.ts';

const root = resolve(import.meta.dirname, '../..');
const extension = join(root, 'editors/vscode');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('editors/vscode/package.json'));
const { contributes } = manifest;
const kindNames = [...resourceKinds, 'Fleet', 'Policy', 'Test'];

describe('the manifest of the extension', () => {
  test('The extension has the version of the package, and the id that init recommends.', () => {
    expect(manifest.version).toBe(JSON.parse(read('package.json')).version);
    expect(recommendations.recommendations).toEqual([`${manifest.publisher}.${manifest.name}`]);
  });

  test('The extension only starts in folders with agentform.yaml, and is limited until they are trusted.', () => {
    expect(manifest.engines.vscode).toBe('^1.91.0');
    expect(manifest.activationEvents).toEqual([
      'workspaceContains:agentform.yaml',
      'workspaceContains:**/agentform.yaml',
    ]);
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
  });

  test('Every command of the palette is registered, and other registered commands belong to lenses.', () => {
    const sources = readdirSync(join(extension, 'src')).map((name) => read(`editors/vscode/src/${name}`));
    const registered = sources.flatMap((text) =>
      [...text.matchAll(/registerCommand\(\s*'([\w.]+)'/g)].map(([, name = '']) => name),
    );
    const listed = contributes.commands.map(({ command }: { readonly command: string }) => command);
    expect(registered.filter((name) => !listed.includes(name))).toEqual(['agentform.showReferences']);
    expect(listed.filter((name: string) => !registered.includes(name))).toEqual([]);
  });

  test('The license, the icon and every contributed file exist.', () => {
    const files = [...contributes.languages, ...contributes.grammars, ...contributes.snippets];
    const paths = files.map(({ path, configuration }) => path ?? configuration);
    for (const path of [...paths, manifest.icon, 'README.md']) expect(existsSync(join(extension, path))).toBe(true);
    expect(read('editors/vscode/LICENSE')).toBe(read('LICENSE'));
    // Reads the width and height of a PNG.
    const icon = readFileSync(join(extension, manifest.icon));
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([256, 256]);
  });
});

describe('the snippets', () => {
  const snippets: Readonly<Record<string, { readonly body: readonly string[] }>> = JSON.parse(
    read('editors/vscode/snippets.json'),
  );
  const chosen = (kind: string) =>
    (snippets[kind]?.body ?? [])
      .join('\n')
      .replace(/\$\{\d+:((?:\\.|[^\\}])*)\}/g, (_, text: string) => text.replace(/\\(.)/g, '$1'));

  test('Each kind has a snippet.', () => {
    expect(Object.keys(snippets).sort()).toEqual([...kindNames].sort());
  });

  test('The manifests of all snippets have no problems together.', async () => {
    // The policy snippet is omitted, because its rule denies what other snippets contain.
    const resources = kindNames.filter((kind) => kind !== 'Policy');
    const named = (kind: string) => chosen(kind).replace('name: name', 'name: front-desk');
    const folder = await Folder.make();
    const settings = '{ baseUrl: emulator, resellerId: "1" }';
    await folder.write({
      env: {},
      files: {
        'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: ["all/*.yaml"]\nenvironments: { local: ${settings} }\n`,
        ...Object.fromEntries(resources.map((kind) => [`all/${kind}.yaml`, `${named(kind)}\n`])),
        'templates/agent.yaml': `apiVersion: agentform/v1\nkind: Agent\nsettings: { title: "\${var.name}", description: d }\ntarget: { query: { account: "\${var.name}" } }\n`,
        'clients.csv': 'name\nelm\n',
      },
    });
    const client = await LspClient.inProcess(folder.root);
    await client.settled();
    for (const kind of kindNames) expect(parse(chosen(kind))).toMatchObject({ apiVersion: 'agentform/v1', kind });
    const found = [...client.published].flatMap(([path, all]) => all.map(({ code }) => `${path} ${code}`));
    expect(found).toEqual([]);
    await client.request('shutdown', null);
    await folder.remove();
  });
});

describe('the problem matcher', () => {
  const [matcher, watching] = contributes.problemMatchers;
  const { regexp, file, line, column, severity, code, message } = matcher.pattern;
  const outputs = read('test/cases/bad-manifests/golden.txt').split('\n');

  test('The problem matcher finds every problem in the output of validate, and nothing else.', () => {
    const matches = outputs.flatMap((text) => {
      const match = new RegExp(regexp).exec(text);
      return match === null ? [] : [match];
    });
    expect(matches[0]?.slice(1)).toHaveLength(6);
    expect([file, line, column, severity, code, message].map((group) => matches[0]?.[group])).toEqual([
      ...['agents/duplicate.yaml', '4', '23', 'error', 'yaml-duplicate-key', "the key 'title' appears twice"],
    ]);
    const places = outputs.filter((text) => /^\S+:\d+:\d+ /.test(text));
    expect(matches.map(([text]) => text)).toEqual(places);
  });

  test("The problem matcher has the owner of the server's diagnostics, so that problems appear once.", () => {
    expect(read('editors/vscode/src/server.ts')).toContain(`diagnosticCollectionName: '${matcher.owner}'`);
    expect(matcher.fileLocation).toEqual(['relative', '${cwd}']);
  });

  test('A watching task ends a round with the last line of validate --watch.', () => {
    const { background } = watching;
    expect(read('src/commands/validate/command.ts')).toContain('Watching for edits; press Ctrl-C to stop.');
    expect('Watching for edits; press Ctrl-C to stop.').toMatch(new RegExp(background.endsPattern));
    for (const first of ['a b.yaml:1:1 warning unused  x', '7 manifests valid in 1 environment (local)'])
      expect(first).toMatch(new RegExp(background.beginsPattern));
  });
});
