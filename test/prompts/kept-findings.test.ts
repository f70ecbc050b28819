import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readPack, writePack } from '../../src/files/pack.ts';
import { PromptChecks } from '../../src/prompts/prompt-checks.ts';
import { BaseTexts } from '../../src/yaml/allow-comments.ts';
import { parseYaml } from '../../src/yaml/parse-yaml.ts';
import { SourceFile } from '../../src/yaml/source-file.ts';
import { memberOf } from '../../src/yaml/tree.ts';

let home: string;
let place: { readonly folder: string; readonly name: string };

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentform-kept-'));
  place = { folder: join(home, 'cache'), name: 'texts' };
});
afterEach(() => rm(home, { recursive: true }));

/** Code, so that nothing is found in it, and long enough for what is kept to be looked at. */
const filling = `\`\`\`\n${'{ "open": true }\n'.repeat(15_000)}\`\`\``;

interface Run {
  readonly settings?: object;
  readonly slug?: string;
  readonly clinic?: string;
  readonly max?: number;
  readonly hasFile?: boolean;
  readonly base?: BaseTexts;
}

/** What is said of an agent whose text begins so, by a run of its own. */
async function run(
  beginning: string,
  { settings, slug = 'calendar', clinic = 'Elm', max, hasFile = true, base }: Run = {},
) {
  const agentInstructions = `${beginning}\n\n${filling}`;
  const skills = [{ slug, instructions: 'Look for free times.' }];
  const source = new SourceFile(
    'agents/desk.yaml',
    JSON.stringify({ settings: { title: 'Desk', agentLang: 'en-US', ...settings, agentInstructions }, skills }),
  );
  const { root } = parseYaml(source);
  if (root?.type !== 'map') throw new Error('no map');
  // As a text that a variable was put into.
  const node = memberOf(memberOf(root, 'settings'), 'agentInstructions');
  if (node?.type === 'scalar') Object.assign(node, { raw: node.value });
  const maxima = { 'prompt-length': max ?? 1_000_000 };
  const checks = new PromptChecks({ lint: {}, maxima, wanted: 'all', kept: async () => place, base });
  const problems = await checks.problems({
    kind: 'Agent',
    tree: root,
    variable: (name) => (name === 'clinic' ? { text: clinic } : undefined),
    source: () => source,
    hasFile: () => hasFile,
  });
  await checks.keep();
  return problems.map(({ rule, at }) => `${rule} ${at?.line}:${at?.column}`);
}

function packText(): Promise<string> {
  return readFile(join(place.folder, `${place.name}.pack`), 'utf8').catch(() => '');
}

test('what was found in texts is taken from the run before, at the same places', async () => {
  const text = 'Never tell anybody the price of a visit, which is TBD.';
  const found = await run(text);
  expect(found).toEqual([expect.stringMatching(/^prompt-placeholder 1:\d+$/)]);
  expect(await run(text)).toEqual(found);
  const [key = ''] = readPack(place.folder, place.name).keys();
  await writePack(place.folder, place.name, [[key, '[["prompt-invisible","kept",[0,0,1]]]']]);
  expect(await run(text)).toEqual([expect.stringMatching(/^prompt-invisible 1:/)]);
});

test.each<[string, string, Run, Run]>([
  [
    'its language',
    'Usted es la recepcionista de una clínica dental. Conteste las llamadas con amabilidad y pregunte siempre el nombre y el teléfono de la persona. Nunca diga precios por teléfono.',
    { settings: { agentLang: 'es-MX' } },
    { settings: { agentLang: 'en-US' } },
  ],
  ['its skills', 'Use the `calendar` skill.', { slug: 'calendar' }, { slug: 'diary' }],
  ['a limit', 'Hello.', {}, { max: 100 }],
  ['a variable', 'Tell every caller that ${var.clinic} is near.', { clinic: 'Oak' }, { clinic: 'TBD' }],
  [
    'a setting',
    'Write to office@elmstreet.com.',
    { settings: { description: 'x' } },
    { settings: { description: 'Write to offise@elmstreet.com' } },
  ],
  [
    'what a base commit lets comments allow',
    'The price is TBD. <!-- agentform-allow prompt-placeholder -->',
    {},
    { base: new BaseTexts(['prompt-placeholder'], new Map()) },
  ],
  ['a file that it links to', 'See [the rules](rules.md).', { hasFile: true }, { hasFile: false }],
])('a text is looked into again if %s is another one', async (_what, text, before, now) => {
  expect(await run(text, before)).toEqual([]);
  expect(await run(text, now)).toHaveLength(1);
  expect(await run(text, before)).toEqual([]);
});

test('nothing is kept of a text with a key', async () => {
  const key = ['xoxb', '123456789012', '1234567890123', 'AbCdEfGhIjKlMnOpQrStUvWx'].join('-');
  const text = `[INSERT HOURS] The key is ${key}.`;
  const found = await run(text);
  expect(found.map((one) => one.split(' ')[0])).toContain('prompt-secret');
  expect(await packText()).toBe('');
  await run('[INSERT HOURS] There is none.');
  expect(await packText()).toContain('INSERT HOURS');
  expect(await run(text)).toEqual(found);
  expect(await packText()).not.toContain(key);
});

test.each([
  'no JSON',
  '{}',
  '[1]',
  '[["no-rule","x",[0,0,1]]]',
  '[["prompt-length","x",[9,0,1]]]',
  '[["prompt-length","x",[0,-1,"1"]]]',
])('an entry that is none of ours counts as none: %s', async (entry) => {
  const found = await run('[INSERT HOURS]');
  const [key = ''] = readPack(place.folder, place.name).keys();
  await writePack(place.folder, place.name, [[key, entry]]);
  expect(await run('[INSERT HOURS]')).toEqual(found);
  await writeFile(join(place.folder, `${place.name}.pack`), 'damaged');
  expect(await run('[INSERT HOURS]')).toEqual(found);
});
