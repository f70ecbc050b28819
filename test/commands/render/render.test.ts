import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { type RenderOptions, render, renderRenderedText } from '../../../src/commands/render/render.ts';
import { renderManifestsYaml } from '../../../src/report/manifest-yaml.ts';
import { escapeText } from '../../../src/yaml/interpolate.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

const head = 'apiVersion: agentform/v1\n';
const files = {
  'agentform.yaml': `${head}kind: Project
manifests: ["agents/*.yaml"]
environments:
  production: { baseUrl: https://service.example.com, token: "\${secret.TOKEN}", variables: { clinic: Elm Street } }
`,
  'prompt.md': 'You answer for ${var.clinic}.\nThe PIN is ${secret.PIN}.\n',
  'agents/desk.yaml': `${head}kind: Agent
name: desk
settings:
  title: Desk
  description: At \${var.clinic}
  agentInstructions: { file: ../prompt.md }
  heartbeatEvery: 30m
  waitOnAnswer: 200
skills: [{ slug: "Cal/endar", instructions: Book. }, { slug: cal_endar, instructions: Do not book. }]
transferRules: { confirmTransfers: true }
extraSettings: { note: "pin \${secret.PIN}" }
`,
  'agents/night.yaml': `${head}kind: Agent
name: night
target: { query: { account: 2 } }
settings: { title: Night, description: Answers at night. }
`,
};

let place: Workplace;
beforeEach(async () => {
  place = await workplace(files);
});
afterEach(() => place.remove());

const out = () => join(place.root, 'rendered');
const rendered = (options: Partial<RenderOptions> = {}) =>
  render(place.host, { project: place.root, names: [], out: out(), ...options });
const text = (path: string) => readFile(join(out(), path), 'utf8');

test('A rendered body is the body that would be sent, with references in place of secrets.', async () => {
  const { resources } = await rendered();
  expect(JSON.parse(await text('Agent/desk/body.json'))).toEqual({
    type: 'chatAgent',
    title: 'Desk',
    description: 'At Elm Street',
    agentInstructions: 'You answer for Elm Street.\nThe PIN is ${secret.PIN}.',
    heartbeatEvery: '30m',
    waitOnAnswer: 200,
    skills: [
      { slug: 'Cal/endar', instructions: 'Book.' },
      { slug: 'cal_endar', instructions: 'Do not book.' },
    ],
    confirmTransfers: true,
    note: 'pin ${secret.PIN}',
  });
  expect(resources.map(({ name, digest }) => [name, digest])).toEqual([
    ['desk', expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
    ['night', expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
  ]);
});

test('A render writes every text to a separate file, with a portable name.', async () => {
  const { resources } = await rendered({ names: ['desk'] });
  expect(resources[0]?.texts).toEqual({
    'settings.title': 'Agent/desk/settings.title.txt',
    'settings.description': 'Agent/desk/settings.description.txt',
    'settings.agentInstructions': 'Agent/desk/settings.agentInstructions.txt',
    'settings.heartbeatEvery': 'Agent/desk/settings.heartbeatEvery.txt',
    'skills[Cal/endar].instructions': 'Agent/desk/skills.Cal_endar.instructions.txt',
    'skills[cal_endar].instructions': 'Agent/desk/skills.cal_endar.instructions-2.txt',
    'extraSettings.note': 'Agent/desk/extraSettings.note.txt',
  });
  expect(await text('Agent/desk/skills.cal_endar.instructions-2.txt')).toBe('Do not book.');
});

test('A render needs no secrets and writes none to a file.', async () => {
  Object.assign(place.host.env, { PIN: 'pin-8291-x', TOKEN: 'tok-8291-x' });
  await rendered();
  for (const [path, content] of Object.entries(await place.files()))
    expect([path, content.includes('8291')]).toEqual([path, false]);
});

test('A repeated render changes nothing, and deletes no files.', async () => {
  const first = await rendered();
  const before = await place.files();
  const again = await rendered();
  expect(again).toMatchObject({ changed: [], resources: first.resources });
  expect(renderRenderedText({ ...again, out: 'rendered' })).toContain('Everything in rendered was up to date.\n');
  expect(await place.files()).toEqual(before);
  const { changed } = await rendered({ names: ['desk'] });
  expect(changed).toEqual(['render.json']);
  expect(Object.keys(await place.files())).toEqual(Object.keys(before));
});

test('A changed manifest replaces its rendered files and its digest.', async () => {
  const first = await rendered();
  await place.write('agents/night.yaml', files['agents/night.yaml'].replace('Night', 'Nights'));
  const { changed, resources } = await rendered();
  expect(changed).toEqual(['Agent/night/body.json', 'Agent/night/settings.title.txt', 'render.json']);
  expect(resources.map(({ digest }, index) => digest === first.resources[index]?.digest)).toEqual([true, false]);
});

test('A render replaces existing files.', async () => {
  await place.write('rendered/Agent/desk/settings.title.txt', 'Mine');
  await rendered();
  expect(await text('Agent/desk/settings.title.txt')).toBe('Desk');
});

test('A render reports a file in the place of a folder.', async () => {
  await place.write('rendered/Agent', '');
  await expect(rendered()).rejects.toMatchObject({ code: 'file-unwritable' });
});

test('A render does not follow a link in the output folder.', async () => {
  await mkdir(join(place.root, 'elsewhere'));
  await mkdir(out());
  await symlink('../elsewhere', join(out(), 'Agent'));
  await expect(rendered()).rejects.toThrow('which is not followed');
});

test('A render follows no link into or out of the project, even if the target folder is missing.', async () => {
  const outside = await workplace({});
  try {
    await symlink(outside.root, join(place.root, 'leaving'));
    await symlink(place.root, join(outside.root, 'entering'));
    await symlink(join(outside.root, 'nowhere'), join(place.root, 'dangling'));
    for (const folder of ['leaving', 'leaving/new/folder', 'dangling', 'dangling/new']) {
      await expect(rendered({ out: join(place.root, folder) })).rejects.toThrow(/cannot be written/);
    }
    await expect(rendered({ out: join(place.root, 'dangling') })).rejects.toThrow(
      'dangling points to a file that does not exist',
    );
    for (const folder of ['entering', 'entering/new/folder']) {
      await expect(rendered({ out: join(outside.root, folder) })).rejects.toThrow(
        'leads into the project folder, and is not followed; use a path without this link',
      );
    }
    await expect(rendered({ out: join(outside.root, 'new') })).resolves.toBeDefined();
    expect(await outside.files()).not.toHaveProperty('render.json');
  } finally {
    await outside.remove();
  }
});

test('A render shows entries of secrets as references, also where a reference is not a valid value.', async () => {
  const member = `${head}kind: Member\nname: jane\nsettings: { email: "\${secret.MAIL}", role: "\${secret.ROLES[jane]}" }\n`;
  await place.write('agents/jane.yaml', member);
  await rendered({ names: ['jane'] });
  expect(JSON.parse(await text('Member/jane/body.json'))).toEqual({
    email: '${secret.MAIL}',
    role: '${secret.ROLES[jane]}',
  });
});

test('A render of a name that matches nothing is an error.', async () => {
  await expect(rendered({ names: ['dusk'] })).rejects.toMatchObject({ code: 'selection-empty' });
});

describe('a printed manifest', () => {
  const yamlOf = async () => renderManifestsYaml(await render(place.host, { project: place.root, names: ['pin'] }));
  const manifestWith = (description: string) =>
    `${head}kind: Agent\nname: pin\nsettings:\n  title: T\n  description: ${JSON.stringify(description)}\n  agentVoice: "\${secret.PIN}"\n  agentInstructions: "\${secret.PINS[var.clinic]}"\nvariables: { clinic: elm }\n`;

  test('Each text that only looks like a reference is escaped, even beside a reference to the same secret.', async () => {
    await place.write('agents/pin.yaml', manifestWith('Say ${secret.PIN}, not $${secret.PIN}, $${var.x}, ${y} or $5.'));
    const { settings } = parse(await yamlOf());
    expect(settings).toMatchObject({
      description: 'Say ${secret.PIN}, not $${secret.PIN}, $${var.x}, ${y} or $5.',
      agentVoice: '${secret.PIN}',
      agentInstructions: '${secret.PINS[elm]}',
    });
  });

  test('It has the same values when it is read again.', async () => {
    const piece = fc.constantFrom(
      '$',
      '${',
      '}',
      'var.',
      'secret.',
      'PIN',
      'x',
      '[a]',
      ' ',
      '\n',
      '#',
      ': ',
      '“',
      '\u00a0',
    );
    const literal = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const reference = fc.constantFrom('${secret.PIN}', '${secret.PINS[a]}', '${var.clinic}');
    // A reference directly after a dollar sign would be an escape.
    const text = fc.array(
      fc.tuple(literal.map(escapeText), reference).map(([before, after]) => `${before} ${after}`),
      { minLength: 1, maxLength: 3 },
    );
    const law = fc.asyncProperty(text, async (parts) => {
      await place.write('agents/pin.yaml', manifestWith(parts.join('')));
      const before = await render(place.host, { project: place.root, names: ['pin'] });
      await place.write('agents/pin.yaml', renderManifestsYaml(before));
      const after = await render(place.host, { project: place.root, names: ['pin'] });
      expect(after.manifests).toEqual(before.manifests);
      expect(after.written).toEqual(before.written);
    });
    await fc.assert(law, { numRuns: 40 });
  });
});
