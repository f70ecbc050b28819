import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergeLayers } from '../../../src/manifest/project/layers.ts';
import { parseYaml } from '../../../src/yaml/parse-yaml.ts';
import { SourceFile } from '../../../src/yaml/source-file.ts';
import { type MapNode, toJson } from '../../../src/yaml/tree.ts';
import {
  agent,
  type Files,
  makeProject,
  resolve,
  resolveWithValues,
  rowProblems,
  sectionsOf,
} from '../temp-project.ts';

const base = (body: string): string => `apiVersion: agentform/v1\nkind: Agent\n${body}\n`;
const extending = (body: string, path = '../shared/base.yaml'): string =>
  `${base(`name: desk\nextends: ${path}\n${body}`)}`;

const pair = (far: string, near: string): Files => ({
  'shared/base.yaml': base(`settings: { title: Base, description: b }\n${far}`),
  'agents/a.yaml': extending(near),
});

describe('merging of bases', () => {
  test('Maps of a base and a manifest merge, and the nearer value wins.', async () => {
    const sections = await sectionsOf(pair('', 'settings: { title: Near }'));
    expect(sections.settings).toEqual({ title: 'Near', description: 'b' });
  });

  test('Keyed lists merge by key in the order of the base, with new elements last.', async () => {
    const sections = await sectionsOf(
      pair(
        'skills: [{ slug: a, instructions: 1a }, { slug: b, instructions: 1b }]',
        'skills: [{ slug: c, instructions: 2c }, { slug: a, instructions: 2a }]',
      ),
    );
    expect(sections.skills).toEqual([
      { slug: 'a', instructions: '2a' },
      { slug: 'b', instructions: '1b' },
      { slug: 'c', instructions: '2c' },
    ]);
  });

  test('An element may declare only what differs from the base.', async () => {
    const sections = await sectionsOf(
      pair('apps: [{ appId: x, version: v1, instructions: i }]', 'apps: [{ appId: x, version: v2 }]'),
    );
    expect(sections.apps).toEqual([{ appId: 'x', version: 'v2', instructions: 'i' }]);
  });

  test('Other lists of a base are replaced.', async () => {
    const files = {
      'shared/base.yaml': base('settings: { title: t, description: d, actions: [a, b] }'),
      'agents/a.yaml': extending('settings: { actions: [c] }'),
    };
    expect(await sectionsOf(files)).toMatchObject({ settings: { actions: ['c'] } });
  });

  test('A null value replaces the value of a base.', async () => {
    const files = pair(
      'transferRules: { attendedTransferBridgeTrigger: any }',
      'transferRules: { attendedTransferBridgeTrigger: null }',
    );
    expect(await sectionsOf(files)).toMatchObject({ transferRules: { attendedTransferBridgeTrigger: null } });
  });

  test.each([
    [
      'an object over a string',
      'https://a.example/x.mp3',
      '{ gain: -6 }',
      { url: 'https://a.example/x.mp3', gain: -6 },
    ],
    [
      'an object over an object',
      '{ url: https://a.example/x.mp3, loop: false }',
      '{ gain: 1 }',
      { url: 'https://a.example/x.mp3', loop: false, gain: 1 },
    ],
    [
      'a string over an object',
      '{ url: https://a.example/x.mp3, loop: false }',
      'https://b.example/y.mp3',
      'https://b.example/y.mp3',
    ],
  ])('The setting backgroundAudio merges %s.', async (_case, far, near, expected) => {
    const sections = await sectionsOf(pair(`backgroundAudio: ${far}`, `backgroundAudio: ${near}`));
    expect(sections.backgroundAudio).toEqual(expected);
  });

  test('A nearer file: value replaces a farther one.', async () => {
    const files = {
      ...pair('', 'settings: { title: { file: ../b.txt } }'),
      'shared/base.yaml': base('settings: { title: { file: ../a.txt }, description: b }'),
      'a.txt': 'far',
      'b.txt': 'near',
    };
    expect(await sectionsOf(files)).toMatchObject({ settings: { title: 'near' } });
  });

  test('A base may extend another base.', async () => {
    const files = {
      'shared/far.yaml': base('settings: { title: far, description: far, welcomeMessage: far }'),
      'shared/base.yaml': base('extends: far.yaml\nsettings: { description: middle, welcomeMessage: middle }'),
      'agents/a.yaml': extending('settings: { welcomeMessage: near }'),
    };
    expect((await sectionsOf(files)).settings).toEqual({ title: 'far', description: 'middle', welcomeMessage: 'near' });
  });

  test('Each merged value has its source and the value that it replaced.', async () => {
    const { originOf } = await resolve({
      ...pair('', 'settings: { title: Near, welcomeMessage: { file: ../hi.md } }'),
      'hi.md': 'Hi, ${var.clinic}',
    });
    const title = originOf('Agent/desk', '/settings/title');
    expect([title?.at.file, title?.at.line, title?.over.map(({ file, line }) => `${file}:${line}`)]).toEqual([
      'agents/a.yaml',
      5,
      ['shared/base.yaml:3'],
    ]);
    expect(originOf('Agent/desk', '/settings/description')?.at.file).toBe('shared/base.yaml');
    expect(originOf('Agent/desk', '/settings/welcomeMessage')).toMatchObject({
      file: 'hi.md',
      raw: 'Hi, ${var.clinic}',
    });
    expect(originOf('Agent/desk', '/settings/agentVoice')).toBeUndefined();
  });
});

describe('environment overlays', () => {
  test('The overlay of the selected environment is merged, and no other.', async () => {
    const files = { 'agents/a.yaml': agent('', 'environments: { production: { settings: { title: Prod } } }') };
    expect(await sectionsOf(files)).toMatchObject({ settings: { title: 'Desk' } });
    const production = await sectionsOf(files, { environment: 'production', env: { AGENT_TOKEN: 'token-0' } });
    expect(production).toMatchObject({ settings: { title: 'Prod' } });
  });

  test('An overlay is merged after all bases and their overlays.', async () => {
    const files = pair(
      'environments: { local: { settings: { title: base overlay, description: base overlay, welcomeMessage: base overlay } } }',
      'settings: { title: near, description: near }\nenvironments: { local: { settings: { title: near overlay } } }',
    );
    expect((await sectionsOf(files)).settings).toEqual({
      title: 'near overlay',
      description: 'base overlay',
      welcomeMessage: 'base overlay',
    });
  });

  test('An overlay may contain the target.', async () => {
    const files = {
      'agents/a.yaml': agent('', 'target: { agentId: a }\nenvironments: { local: { target: { agentId: b } } }'),
    };
    expect((await resolve(files)).desired[0]?.target.agentId).toBe('b');
  });

  test('An overlay for an unknown environment is an error.', async () => {
    expect(await rowProblems(agent('', 'environments: { producton: { settings: { title: x } } }'))).toEqual([
      "agents/a.yaml:7:17 agentform.yaml has no environment 'producton': it has 'local' and 'production'; did you mean 'production'?",
    ]);
  });
});

describe('references to bases', () => {
  test.each([
    [
      'one that is missing',
      '../shared/bse.yaml',
      "the base '../shared/bse.yaml' does not exist; did you mean '../shared/base.yaml'?",
    ],
    [
      'one in a folder that is missing',
      '../sharde/x.yaml',
      "the base '../sharde/x.yaml' does not exist: there is no folder 'sharde'",
    ],
    [
      'one outside the project',
      '../../../etc/x.yaml',
      "the base '../../../etc/x.yaml' leads outside the project folder",
    ],
    ['an absolute path', '/etc/x.yaml', "the base '/etc/x.yaml' is an absolute path: write it relative to this file"],
    ['a folder', '../shared', "the base '../shared' is a folder, not a file"],
    ['a manifest', 'b.yaml', "the base 'b.yaml' is itself a manifest: exclude it from the patterns under `manifests`"],
    [
      'itself',
      'a.yaml',
      'the bases extend one another in a cycle: agents/a.yaml → agents/a.yaml; remove one `extends`',
    ],
  ])('A base is refused: %s', async (_case, path, expected) => {
    const files = { 'shared/base.yaml': base(''), 'agents/b.yaml': agent('', '', 'b') };
    const text = `${agent('')}extends: ${path}\n`;
    expect(await rowProblems(text, files)).toEqual([`agents/a.yaml:8:10 ${expected}`]);
  });

  test('A circle of bases is reported with its chain.', async () => {
    const files = {
      'shared/base.yaml': base('extends: other.yaml'),
      'shared/other.yaml': base('extends: base.yaml'),
    };
    expect(await rowProblems(`${agent('')}extends: ../shared/base.yaml\n`, files)).toEqual([
      'shared/other.yaml:3:10 the bases extend one another in a cycle: shared/base.yaml → shared/other.yaml → shared/base.yaml; remove one `extends`',
    ]);
  });

  test('A missing base is not corrected to the manifest itself.', async () => {
    expect(await rowProblems(`${agent('')}extends: b.yaml\n`)).toEqual([
      "agents/a.yaml:8:10 the base 'b.yaml' does not exist",
    ]);
  });

  test('A base may not have a name, and a manifest must have one.', async () => {
    const files = { 'shared/base.yaml': base('name: base') };
    expect(
      await rowProblems(extending('settings: { title: t, description: d }').replace('name: desk\n', ''), files),
    ).toEqual([
      'agents/a.yaml:2:1 name is missing: a manifest needs a name that is unique for its kind',
      'shared/base.yaml:3:1 a base must not set name, because it does not declare a resource',
    ]);
  });

  test.each([
    ['A misspelt name', 'nam: desk', "agents/a.yaml:3:1 unknown key 'nam'; did you mean 'name'?"],
    [
      'A name in the form of Kubernetes',
      'metadata: { name: desk }',
      "agents/a.yaml:3:1 unknown key 'metadata': write its members, such as 'name', at the top level",
    ],
  ])('%s is reported once.', async (_title, name, problem) => {
    expect(await rowProblems(agent('').replace('name: desk', name))).toEqual([problem]);
  });

  test('A base without a kind lists only the kinds that a base can have.', async () => {
    const files = { 'shared/base.yaml': base('').replace('kind: Agent\n', '') };
    expect(await rowProblems(extending(''), files)).toContain(
      "shared/base.yaml:1:1 kind is missing: expected 'Agent', 'Organization', 'Member', 'AgentUrl', 'PhoneNumber' or 'Context'",
    );
  });

  test('A problem of a shared base is reported once, at its place.', async () => {
    const files = {
      'shared/base.yaml': base('settings: { title: t, description: d, agentLang: de }'),
      'agents/b.yaml': extending('').replace('desk', 'other'),
    };
    expect(await rowProblems(extending(''), files)).toEqual([
      "shared/base.yaml:3:50 settings.agentLang is 'de': expected 'en-US', 'multi', 'es-MX', 'es-ES' or 'es-US'",
    ]);
  });
});

describe('anchors, aliases and merge keys', () => {
  test('Own members override merge keys, and earlier merged maps override later ones.', async () => {
    const text = agent(
      '',
      `extraSettings:
  a: &a { x: 1, y: 1 }
  b: &b { y: 2, z: 2 }
  c: { <<: [*a, *b], x: 0 }
  d: *a`,
    );
    const sections = await sectionsOf({ 'agents/a.yaml': text });
    expect(sections.extraSettings).toMatchObject({ c: { x: 0, y: 1, z: 2 }, d: { x: 1, y: 1 } });
  });

  test('A quoted << is an ordinary key.', async () => {
    const sections = await sectionsOf({ 'agents/a.yaml': agent('', 'extraSettings: { a: { "<<": x } }') });
    expect(sections.extraSettings).toEqual({ a: { '<<': 'x' } });
  });
});

describe('laws of layers', () => {
  const values = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const settings = fc.dictionary(fc.constantFrom('title', 'description', 'actions', 'timezone', '__proto__'), values, {
    maxKeys: 4,
  });
  const slugs = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
  const skills = slugs.chain((keys) =>
    fc.tuple(...keys.map((slug) => fc.string().map((instructions) => ({ slug, instructions })))),
  );
  const layer = fc.record({ settings, skills });

  test('A layer merged with itself changes nothing.', () => {
    fc.assert(fc.property(layer, (one) => expect(merge([one, one])).toEqual(merge([one]))));
  });

  test('Every setting of the nearest layer wins, and no setting is lost.', () => {
    fc.assert(
      fc.property(layer, layer, (far, near) => {
        const merged = merge([far, near]);
        expect(merged.settings).toEqual(
          Object.fromEntries([...Object.entries(far.settings), ...Object.entries(near.settings)]),
        );
      }),
    );
  });

  test('A keyed list keeps the order of the farther layer, without duplicates.', () => {
    fc.assert(
      fc.property(layer, layer, (far, near) => {
        const keys = merge([far, near]).skills.map(({ slug }) => slug);
        expect(keys).toEqual([...new Set([...far.skills, ...near.skills].map(({ slug }) => slug))]);
      }),
    );
  });

  interface Layer {
    readonly settings: Record<string, unknown>;
    readonly skills: ReadonlyArray<{ readonly slug: string; readonly instructions: string }>;
  }

  function merge(layers: readonly Layer[]): Layer {
    const nodes = layers.map((one) => parseYaml(new SourceFile('x.yaml', JSON.stringify(one))).root as MapNode);
    return toJson(mergeLayers('Agent', nodes)) as unknown as Layer;
  }
});

test('A base is read once for many manifests and environments.', async () => {
  const agents = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`agents/a${index}.yaml`, extending('').replace('desk', `desk-${index}`)]),
  );
  const project = await makeProject({ 'shared/base.yaml': base('settings: { title: t, description: d }'), ...agents });
  const { desired } = await resolveWithValues(project, { environment: 'local', secrets: 'names', env: {} });
  expect(desired).toHaveLength(50);
  expect(await project.parsed.load('shared/base.yaml')).toBe(await project.parsed.load('shared/base.yaml'));
});
