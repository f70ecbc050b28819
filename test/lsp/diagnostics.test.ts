import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LspClient, usualCapabilities } from '../support/lsp-client.ts';
import { Folder } from '../workspace/project.ts';

const head = 'apiVersion: agentform/v1\n';
const project = `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n`;
const agent = (name: string, more = '') =>
  `${head}kind: Agent\nname: ${name}\ntarget: { query: { account: ${name} } }\nsettings: { title: T, description: d${more} }\n`;

let folder: Folder;
let client: LspClient;

beforeEach(async () => {
  folder = await Folder.make();
  await folder.write({ env: {}, files: { 'agentform.yaml': project, 'agents/a.yaml': agent('a') } });
  client = await LspClient.inProcess(folder.root);
});
afterEach(async () => {
  await client.request('shutdown', null);
  await folder.remove();
});

describe('diagnostics of a project', () => {
  test('A file that is not open has its problems, with code, page and severity.', async () => {
    await client.write('agents/b.yaml', agent('b', ', titel: x'));
    await client.settled();
    const [found] = client.published.get('agents/b.yaml') ?? [];
    expect(found).toMatchObject({
      severity: 1,
      code: 'unknown-key',
      source: 'agentform',
      codeDescription: { href: expect.stringContaining('docs/reference/rules.md') },
    });
    await client.write('agents/b.yaml', agent('b'));
    expect(await client.messages('agents/b.yaml')).toEqual([]);
  });

  test('An open document replaces the file, and the file replaces a closed document.', async () => {
    client.open('agents/a.yaml', agent('a', ', titel: x'));
    expect(await client.messages('agents/a.yaml')).toHaveLength(1);
    client.close('agents/a.yaml');
    expect(await client.messages('agents/a.yaml')).toEqual([]);
  });

  test('A document that was never saved is a manifest of the project.', async () => {
    client.open('agents/new.yaml', agent('a'));
    expect(await client.messages('agents/new.yaml')).toEqual([
      expect.stringContaining('two manifests declare Agent/a'),
    ]);
    const [found] = client.published.get('agents/new.yaml') ?? [];
    expect(found?.relatedInformation).toEqual([
      { location: { uri: client.uri('agents/a.yaml'), range: expect.anything() }, message: 'first here' },
    ]);
  });

  test('Columns count UTF-16 units, behind emoji and in a file with CRLF.', async () => {
    const text = `${head}kind: Agent\nname: a\nsettings: { title: "😀😀", titel: x, description: d }\n`.replaceAll(
      '\n',
      '\r\n',
    );
    client.open('agents/a.yaml', text);
    await client.settled();
    const [found] = client.published.get('agents/a.yaml') ?? [];
    const column = 'settings: { title: "😀😀", '.length;
    expect(found?.range).toEqual({
      start: { line: 3, character: column },
      end: { line: 3, character: column + 'titel'.length },
    });
  });

  test('Diagnostics are cleared without agentform.yaml, and return with it.', async () => {
    client.open('agents/a.yaml', agent('a', ', titel: x'));
    await client.until((published) => published.has('agents/a.yaml'));
    await client.write('agentform.yaml', undefined);
    await client.until((published) => published.size === 0);
    await client.write('agentform.yaml', project);
    await client.until((published) => published.has('agents/a.yaml'));
  });

  test('Problems of a broken agentform.yaml are shown until it is corrected.', async () => {
    client.open('agentform.yaml', `${project}limts: 1\n`);
    expect(await client.messages('agentform.yaml')).toHaveLength(1);
    client.edit('agentform.yaml', project);
    expect(await client.messages('agentform.yaml')).toEqual([]);
  });

  test('Several projects below the folder work together, including new ones.', async () => {
    await client.write('nested/agents/x.yaml', agent('x', ', titel: x'));
    await client.write('nested/agentform.yaml', project);
    await client.until((published) => published.has('nested/agents/x.yaml'));
    await client.write('nested', undefined);
    await client.until((published) => published.size === 0);
  });

  test('If an editor reports a link to itself, the other files in the same message are still read.', async () => {
    await symlink('loop.yaml', join(folder.root, 'loop.yaml'));
    await folder.add('agents/b.yaml', agent('b', ', titel: x'));
    client.watched([
      ['loop.yaml', 1],
      ['agents/b.yaml', 1],
    ]);
    expect(await client.messages('agents/b.yaml')).toEqual([expect.stringContaining('unknown key')]);
  });

  test('A failed case is a warning at the case, once a file is saved.', async () => {
    const cases = `${head}kind: Test\nname: t\nagents: [a]\ncases:\n  - { name: title, expect: { settings: { title: Other } } }\n`;
    await client.write('agents/t.yaml', cases);
    await client.settled();
    expect(await client.messages('agents/t.yaml')).toEqual([]);
    client.open('agents/t.yaml', cases);
    client.save('agents/t.yaml');
    await client.until((published) => published.has('agents/t.yaml'));
    expect(client.published.get('agents/t.yaml')).toMatchObject([
      {
        severity: 2,
        code: 'test-failed',
        source: 'agentform test',
        message: expect.stringContaining("the case 'title' fails for Agent/a in "),
      },
    ]);
  });

  const cases = `${head}kind: Test\nname: t\nagents: [a]\ncases:\n  - { name: title, expect: { settings: { title: Other } } }\n`;

  /** Makes a case fail, and waits for its diagnostic. */
  async function showFailure(): Promise<void> {
    await client.write('agents/t.yaml', cases);
    // A later notification about this change on the disk would clear the failure.
    await client.settled();
    client.open('agents/t.yaml', cases);
    client.save('agents/t.yaml');
    await client.until((published) => published.has('agents/t.yaml'));
  }

  test('A failed case is no longer shown once its file is edited.', async () => {
    await showFailure();
    client.edit('agents/t.yaml', `# Edited.\n${cases}`);
    expect(await client.messages('agents/t.yaml')).toEqual([]);
  });

  test('A failed case is no longer shown once it passes.', async () => {
    await showFailure();
    client.open('agents/a.yaml', agent('a').replace('title: T', 'title: Other'));
    expect(await client.messages('agents/t.yaml')).toHaveLength(1);
    client.save('agents/a.yaml');
    await client.until((published) => !published.has('agents/t.yaml'));
  });

  test('A failed case is no longer shown once another program has fixed it.', async () => {
    await showFailure();
    await client.write('agents/a.yaml', agent('a').replace('title: T', 'title: Other'));
    await client.until((published) => !published.has('agents/t.yaml'));
  });

  test('A document that was never saved is checked as the base of a manifest.', async () => {
    client.open('agents/b.yaml', agent('b').replace('name: b\n', 'name: b\nextends: ../shared/new.yaml\n'));
    expect(await client.messages('agents/b.yaml')).toEqual([expect.stringContaining('does not exist')]);
    client.open('shared/new.yaml', `${head}kind: Agent\nsettings: { timezon: x }\n`);
    expect(await client.messages('agents/b.yaml')).toEqual([]);
    expect(await client.messages('shared/new.yaml')).toEqual([expect.stringContaining('timezon')]);
  });
});

describe('folders of an editor', () => {
  const broken = agent('x', ', titel: x');
  beforeEach(async () => {
    // The server may find the project at once, so its manifest comes first.
    await folder.add('nested/agents/x.yaml', broken);
    await folder.add('nested/agentform.yaml', project);
  });
  const { didChangeWatchedFiles: _, ...workspace } = usualCapabilities.workspace;
  /** An editor that does not watch files. */
  const withoutWatches = () =>
    LspClient.inProcess(folder.root, {}, { capabilities: { ...usualCapabilities, workspace } });

  test('A removed folder has no diagnostics, except projects of other folders.', async () => {
    client.moveFolders({ added: ['nested'] });
    await client.until((published) => published.has('nested/agents/x.yaml'));
    client.moveFolders({ removed: ['nested'] });
    await client.settled();
    expect([...client.published.keys()]).toEqual(['nested/agents/x.yaml']);
    client.moveFolders({ added: ['nested'], removed: [''] });
    await client.write('agents/b.yaml', broken);
    await client.write('nested/agents/y.yaml', broken);
    await client.until((published) => published.has('nested/agents/y.yaml'));
    expect(client.published.has('agents/b.yaml')).toBe(false);
    client.moveFolders({ removed: ['nested'] });
    await client.until((published) => published.size === 0);
  });

  test('A file of a removed folder is checked once it is opened.', async () => {
    client.moveFolders({ removed: [''] });
    client.open('agents/a.yaml', agent('a', ', titel: x'));
    await client.until((published) => published.has('agents/a.yaml'));
  });

  test('The server watches the files of an editor that does not, until the folder is removed.', async () => {
    const other = await withoutWatches();
    await other.until((published) => published.has('nested/agents/x.yaml'));
    await folder.add('agents/b.yaml', broken);
    await other.until((published) => published.has('agents/b.yaml'));
    await folder.add('more/agentform.yaml', `${project}limts: 1\n`);
    await other.until((published) => published.has('more/agentform.yaml'));
    other.moveFolders({ removed: [''] });
    await other.until((published) => published.size === 0);
    await folder.add('agents/b.yaml', agent('b', ', titel: x'));
    await pause(200);
    await other.request('workspace/symbol', { query: '' });
    expect(other.published.size).toBe(0);
    await other.request('shutdown', null);
  });

  test('The server runs failed cases again in an editor that does not watch files.', async () => {
    const other = await withoutWatches();
    const cases = `${head}kind: Test\nname: t\nagents: [a]\ncases:\n  - { name: title, expect: { settings: { title: Other } } }\n`;
    await folder.add('agents/t.yaml', cases);
    other.open('agents/t.yaml', cases);
    other.save('agents/t.yaml');
    await other.until((published) => published.has('agents/t.yaml'));
    await folder.add('agents/a.yaml', agent('a').replace('title: T', 'title: Other'));
    await other.until((published) => !published.has('agents/t.yaml'));
    await other.request('shutdown', null);
  });
});

describe('diagnostics of many manifests', () => {
  const names = Array.from({ length: 120 }, (_, index) => `agents/agent-${index}.yaml`);
  const base = (more: string) => `${head}kind: Agent\nsettings: { timezone: America/Chicago${more} }\n`;
  const manifest = (path: string, more = '') =>
    agent(path.slice('agents/'.length, -'.yaml'.length), more)
      .replace(', description: d', '')
      .replace('kind: Agent\n', 'kind: Agent\nextends: ../shared/base.yaml\n');

  beforeEach(async () => {
    for (const path of names) await folder.add(path, manifest(path));
    await client.write('shared/base.yaml', base(', description: d'));
    await client.settled();
  });

  test('The edited file is checked first, and a newer edit before all other files.', async () => {
    expect(client.published.size).toBe(0);
    const [first = '', second = ''] = names;
    client.open('shared/base.yaml', base(''));
    const { publications } = client;
    const start = publications.length;
    await client.until(() => publications.length > start);
    expect(publications.slice(start)).toEqual(['shared/base.yaml']);
    client.open(first, manifest(first, ', titel: x'));
    await client.settled();
    expect(publications.slice(start, start + 2)).toEqual(['shared/base.yaml', first]);
    expect(client.published.get(first)?.length).toBe(2);
    expect(client.published.get(second)?.length).toBe(1);
    expect(client.published.size).toBe(names.length);
  });
});
