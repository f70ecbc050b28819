import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { agent, type Files, makeProject } from '../temp-project.ts';

const files = {
  'agents/desk.yaml': agent(
    'extra: 1\nagentInstructions: { file: "../texts/${var.file}.md" }\npublicInstructions: { patch: ../texts/public.diff }',
    'extends: ../bases/base.yaml\nvariables: { hours: nine to five }\nenvironments:\n  production: { target: { token: "${secret.OWN}" }, variables: { clinic: Ash } }',
  ).replace('  extra: 1\n', ''),
  'bases/base.yaml':
    'apiVersion: agentform/v1\nkind: Agent\nvariables: { file: desk }\nsettings:\n  agentLang: en-US\n  publicInstructions: |\n    Say hello.\n    Say goodbye.\n',
  'texts/desk.md': 'Answer for ${var.clinic}.\n',
  'texts/other.md': 'Answer.\n',
  'texts/public.diff': '@@ -1,2 +1,2 @@\n-Say hello.\n+Say hi.\n Say goodbye.\n',
};

async function contentIn(environment: string, edited: Files = files, env: Record<string, string> = {}) {
  const project = await makeProject(edited);
  const { contentOf } = await resolveProject(project, { environment, secrets: 'names', env });
  const { revision: _, ...content } = contentOf('Agent/desk') ?? {};
  return content;
}

function withEdit(path: keyof typeof files, from: string, to: string): Files {
  expect(files[path]).toContain(from);
  return { ...files, [path]: files[path].replace(from, () => to) };
}

test('The content digest is the same in every environment, whatever its variables and target are.', async () => {
  const { digest } = await contentIn('local');
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await contentIn('production')).toEqual({ digest });
  expect(await contentIn('production', files, { AGENTFORM_VAR_clinic: 'Fir' })).toEqual({ digest });
});

describe('changes of the content digest', () => {
  test.each<[string, Files]>([
    ['a setting', withEdit('agents/desk.yaml', 'title: Desk', 'title: Desl')],
    ['a variable of the manifest', withEdit('agents/desk.yaml', 'nine', 'nino')],
    ['a base', withEdit('bases/base.yaml', 'en-US', 'es-ES')],
    ['a file', withEdit('texts/desk.md', 'Answer', 'Answor')],
    ['the choice of a file', withEdit('bases/base.yaml', 'file: desk', 'file: other')],
    ['a patch', withEdit('texts/public.diff', 'Say hi', 'Say ho')],
    ['what a patch is applied to', withEdit('bases/base.yaml', 'goodbye', 'goodbyo')],
    ['the name of a variable', withEdit('texts/desk.md', 'var.clinic', 'var.hours')],
  ])('The content digest changes with %s.', async (_what, edited) => {
    const { digest } = await contentIn('production');
    const other = await contentIn('production', edited);
    expect(other.digest).toMatch(/^sha256/);
    expect(other.digest).not.toBe(digest);
  });
});

test('The content digest changes with any other byte of an included text.', async () => {
  const { digest } = await contentIn('local');
  const text = files['texts/desk.md'];
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('x', ' ', '$', '\n', '"'), async (at, byte) => {
      fc.pre(text[at] !== byte);
      const other = text.slice(0, at) + byte + text.slice(at + 1);
      expect((await contentIn('local', { ...files, 'texts/desk.md': other })).digest).not.toBe(digest);
    }),
    { numRuns: 25 },
  );
});

test('The content digest ignores comments, the order of keys and the file of a declaration.', async () => {
  const { digest } = await contentIn('local');
  const moved = {
    ...files,
    'agents/desk.yaml': `# A comment\n${files['agents/desk.yaml'].replace('settings:\n', 'settings:\n  agentLang: en-US\n')}`,
    'bases/base.yaml': files['bases/base.yaml'].replace('  agentLang: en-US\n', ''),
  };
  expect(await contentIn('local', moved)).toEqual({ digest });
});

test('The content digest includes the values and files of an overlay.', async () => {
  const { digest } = await contentIn('local');
  const overlaid = (settings: string, text = 'x') => ({
    ...withEdit('agents/desk.yaml', 'production: {', `production: { settings: ${settings},`),
    'texts/own.md': text,
  });
  const one = await contentIn('production', overlaid('{ agentLang: es-ES }'));
  expect(one).toEqual({ digest, overlay: expect.stringMatching(/^sha256/) });
  expect(await contentIn('local', overlaid('{ agentLang: es-ES }'))).toEqual({ digest });
  const file = (text: string) =>
    contentIn('production', overlaid('{ agentInstructions: { file: ../texts/own.md } }', text));
  const overlays = [one, await file('a'), await file('b')].map(({ overlay }) => overlay);
  expect(new Set(overlays).size).toBe(3);
});

test('The content digest is unknown if a file cannot be read.', async () => {
  expect(await contentIn('local', withEdit('bases/base.yaml', 'file: desk', 'file: none'))).toEqual({});
});

describe('the content digest of a fleet member', () => {
  const fleet = (members: string, csv = 'name,brand\ndesk,Acme\n') => ({
    'agents/fleet.yaml': `apiVersion: agentform/v1\nkind: Fleet\nname: f\ntemplates: [../t.yaml]\n${members}\n`,
    't.yaml':
      'apiVersion: agentform/v1\nkind: Agent\nsettings:\n  title: ${var.brand}\n  description: d\n  agentLang: en-US\n',
    'all.csv': csv,
    'own.csv': 'name,brand\ndesk,Bolt\n',
  });
  const shared = 'members: { file: ../all.csv }';
  const own = `${shared}\nenvironments: { local: { members: { file: ../own.csv } } }`;

  test('The content digest of a fleet member covers its row if every environment has the same table.', async () => {
    const { digest } = await contentIn('local', fleet(shared));
    expect(digest).toBe((await contentIn('production', fleet(shared))).digest);
    expect((await contentIn('local', fleet(shared, 'name,brand\ndesk,Acmo\n'))).digest).not.toBe(digest);
  });

  test('The content digest of a fleet member does not cover its row if an environment has a separate table.', async () => {
    const { digest } = await contentIn('local', fleet(own));
    expect(digest).toBe((await contentIn('production', fleet(own))).digest);
    const template = { ...fleet(own), 't.yaml': fleet(own)['t.yaml'].replace('en-US', 'es-ES') };
    expect((await contentIn('local', template)).digest).not.toBe(digest);
  });
});
