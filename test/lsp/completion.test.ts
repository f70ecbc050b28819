import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LspClient, positionOf } from '../support/lsp-client.ts';
import type { Folder } from '../workspace/project.ts';
import { openSample } from './project.ts';

const head = 'apiVersion: agentform/v1\n';
const policies = `${head}kind: Policy\nname: p\nrules:\n  - { deny: desired.settings.title == "x", message: m }\n`;

let folder: Folder;
let client: LspClient;

beforeAll(async () => {
  ({ folder, client } = await openSample());
  await client.write('agents/policy.yaml', policies);
  await client.write(
    'agents/skilled.yaml',
    `${head}kind: Agent\nname: skilled\ntarget: { query: { account: "9" } }\nsettings: { title: S, description: d }\nskills: [{ slug: calendar, instructions: i }]\n`,
  );
  await client.settled();
});
afterAll(async () => {
  await client.request('shutdown', null);
  await folder.remove();
});

/** Returns the completions at the position of `|` in a text. */
async function itemsAt(path: string, marked: string) {
  const text = marked.replace('|', '');
  client.open(path, text);
  const found = await client.completions(path, positionOf(marked, '|'));
  client.close(path);
  return found;
}

async function labelsAt(path: string, marked: string): Promise<string[]> {
  return (await itemsAt(path, marked)).map(({ label }) => label);
}

const agent = `${head}kind: Agent\nname: new\n`;

describe('completion of keys', () => {
  test('The completion of keys follows the schema, with documentation, and omits existing keys.', async () => {
    const items = await itemsAt('agents/new.yaml', `${agent}settings:\n  title: T\n  |\n  welcomeMessage: w\n`);
    const labels = items.toSorted((a, b) => (`${a.sortText}` < `${b.sortText}` ? -1 : 1)).map(({ label }) => label);
    expect(labels.slice(0, 2)).toEqual(['type', 'description']);
    expect(labels).not.toContain('title');
    expect(labels).not.toContain('welcomeMessage');
    expect(JSON.stringify(items[1]?.documentation)).toContain('Description of the agent');
  });

  test.each<readonly [string, string, string, readonly string[]]>([
    ['at the top', 'agents/new.yaml', `${agent}set|`, ['settings', 'skills']],
    ['in an unclosed flow map', 'agents/new.yaml', `${agent}settings: { title: T, desc|`, ['description', 'agentLang']],
    ['in an open flow map over lines', 'agents/new.yaml', `${agent}settings: {\n  title: T,\n  |\n`, ['description']],
    ['of an item of a list', 'agents/new.yaml', `${agent}skills:\n  - slug: x\n    |`, ['instructions']],
    ['of a new item at the indent of its key', 'agents/new.yaml', `${agent}skills:\n- |`, ['slug', 'instructions']],
    ['of an overlay', 'agents/new.yaml', `${agent}environments:\n  staging:\n    |`, ['settings']],
    ['environments', 'agents/new.yaml', `${agent}environments:\n  |`, ['staging', 'production']],
    ['lint rules', 'agentform.yaml', `${head}kind: Project\nlint:\n  |`, ['prompt-length', 'blank-title']],
    [
      'after a text of several lines',
      'agents/new.yaml',
      `${agent}settings:\n  title: |\n    a: b\n  |`.replace('|', '>'),
      ['description'],
    ],
  ])('The completion offers the keys that fit: %s', async (_, path, marked, wanted) => {
    expect(await labelsAt(path, marked)).toEqual(expect.arrayContaining([...wanted]));
  });
});

describe('completion of values', () => {
  test('The completion of a task follows the schema of tasks.', async () => {
    const task = `${head}kind: Task\nsettings:\n  `;
    expect(await labelsAt('task.yaml', `${task}type: |\n`)).toEqual(['call', 'text', 'email', 'ping']);
    expect(await labelsAt('task.yaml', `${task}type: call\n  |\n`)).toContain('waitToGreet');
    client.open('task.yaml', `${task}type: call\n`);
    const found = await client.hover('task.yaml', { line: 3, character: 3 });
    client.close('task.yaml');
    expect(JSON.stringify(found)).toContain('The kind of task');
  });

  test('The completion offers the slugs of skills only for skills.', async () => {
    const url = `${head}kind: AgentUrl\nname: u\nsettings:\n  targetUsername: u\n  slug: |\n`;
    expect(await labelsAt('agents/u.yaml', url)).toEqual([]);
    expect(await labelsAt('agents/new.yaml', `${agent}skills:\n  - slug: |\n`)).toContain('calendar');
  });

  test.each<readonly [string, string, string, readonly string[]]>([
    ['of the schema', 'agents/new.yaml', `${agent}backgroundAudio: { track: |`, ['bg', 'fx']],
    ['variables', 'agents/new.yaml', `${agent}settings:\n  title: \${var.|`, ['clinic']],
    ['variables of a prompt', 'prompts/a.md', `Hello \${var.cl|`, ['clinic']],
    [
      'columns in a template',
      'templates/agent.yaml',
      `${head}kind: Agent\nsettings: { title: "\${var.|" }\n`,
      ['brand', 'name'],
    ],
    ['secrets in use', 'agents/new.yaml', `${agent}target: { token: "\${secret.|`, ['TOKENS[var.account]']],
    ['bases', 'agents/new.yaml', `${agent}extends: |`, ['../shared/base.yaml', '../shared/root.yaml']],
    ['texts', 'agents/new.yaml', `${agent}settings:\n  agentInstructions: { file: ../pr|`, ['../prompts/a.md']],
    ['templates', 'agents/new.yaml', `${head}kind: Fleet\ntemplates:\n  - |`, ['../templates/agent.yaml']],
    ['tables', 'agents/new.yaml', `${head}kind: Fleet\nmembers: { file: |`, ['../clients.csv']],
    ['agents, members of fleets too', 'agents/new.yaml', `${head}kind: PhoneNumber\nagent: |`, ['a', 'elm']],
    ['agents of a Test', 'agents/new.yaml', `${head}kind: Test\nagents: [|`, ['a', 'oak']],
    ['removed resources', 'agentform.yaml', `${head}kind: Project\nremoved:\n  - |`, ['Agent/a', 'PhoneNumber/line']],
    ['environments', 'agents/new.yaml', `${agent}onlyIn: [|`, ['staging', 'production']],
    ['the default environment', 'agentform.yaml', `${head}kind: Project\ndefaultEnvironment: |`, ['staging']],
    ['labels in a selector', 'agents/new.yaml', `${head}kind: Test\nselector: |`, ['team=north']],
    ['levels of a rule', 'agentform.yaml', `${head}kind: Project\nlint:\n  blank-title: |`, ['off', 'error']],
    ['slugs of skills', 'agents/new.yaml', `${agent}skills:\n  - slug: |`, ['calendar']],
    ['what expressions read', 'agents/new.yaml', `${head}kind: Policy\nrules:\n  - deny: |`, ['desired', 'plan']],
    ['a part of what expressions read', 'agents/new.yaml', `${head}kind: Policy\nrules:\n  - deny: change.o|`, ['op']],
    ['sections', 'agents/new.yaml', `${head}kind: Policy\nrules:\n  - deny: desired.|`, ['settings', 'labels']],
    [
      'patterns of override files',
      'agents/new.yaml',
      `${head}kind: Fleet\noverrides: |`,
      ['../templates/${var.name}.yaml', '../templates/agent.yaml'],
    ],
    [
      'variables in a text of several lines',
      'agents/new.yaml',
      `${agent}settings:\n  title: >\n    Desk of ${'${var.'}|`,
      ['clinic'],
    ],
    ['settings', 'agents/new.yaml', `${head}kind: Policy\nrules:\n  - deny: has(desired.settings.|`, ['agentLang']],
  ])('The completion offers the values that fit: %s', async (_, path, marked, wanted) => {
    expect(await labelsAt(path, marked)).toEqual(expect.arrayContaining([...wanted]));
  });

  test('The completion offers no base among texts, and no manifest among bases.', async () => {
    expect(await labelsAt('agents/new.yaml', `${agent}extends: |`)).not.toContain('a.yaml');
  });

  test('A completion replaces the typed text, and closes the reference.', async () => {
    const [item] = (await itemsAt('agents/new.yaml', `${agent}settings:\n  title: \${var.cl|`)).filter(
      ({ label }) => label === 'clinic',
    );
    expect(item?.textEdit).toEqual({
      range: { start: { line: 4, character: 15 }, end: { line: 4, character: 17 } },
      newText: 'clinic}',
    });
  });
});
