import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { requestBody } from '../../../src/kinds/definition.ts';
import { type Files, resolve } from '../temp-project.ts';

type Settings = Readonly<Record<string, unknown>>;

interface Member {
  readonly name: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly override:
    | { readonly settings: Settings; readonly variables?: Settings; readonly skills?: readonly Settings[] }
    | undefined;
}

const columns = ['brand', 'city', 'account'];
/** The content of a cell. Blanks around it are ignored, and an empty cell has no value. */
const cell = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `${text.replace(/[^ -#%-~]/g, '"')}x`.trim());
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('${var.brand}', '${var.city}', '${var.clinic}', '$${var.brand}', '"', ', '),
      fc.constant(' at '),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => `x${parts.join('')}`);
const settings = fc.record(
  { title: text, description: text, welcomeMessage: text, agentVoice: text, adminInstructions: text },
  { requiredKeys: [] },
);
const skills = fc.uniqueArray(fc.record({ slug: fc.constantFrom('calendar', 'billing', 'faq'), instructions: text }), {
  selector: ({ slug }) => slug,
});
const member = fc.record({
  name: fc.stringMatching(/^[a-z]([a-z0-9-]{0,6}[a-z0-9])?$/),
  cells: fc.record({ brand: cell, city: cell, account: cell }),
  override: fc.option(
    fc.record(
      { settings, variables: fc.record({ city: cell }, { requiredKeys: [] }), skills },
      { requiredKeys: ['settings'] },
    ),
    { nil: undefined },
  ),
});

const head = { apiVersion: 'agentform/v1', kind: 'Agent' };
const target = { query: { targetAccountId: '${var.account}' } };

function templateOf(own: Settings, list: readonly Settings[], overlay: Settings) {
  const required = { title: 'x${var.brand}', description: 'x${var.city}', ...own };
  return { ...head, settings: required, skills: list, target, environments: { local: { settings: overlay } } };
}

function asFleet(template: object, members: readonly Member[]): Files {
  const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
  const rows = members.map(({ name, cells }) =>
    [name, ...columns.map((column) => quoted(cells[column] ?? ''))].join(','),
  );
  const overrides = members.flatMap(({ name, override }) =>
    override === undefined ? [] : [[`clients/${name}.yaml`, stringify({ ...head, ...override })] as const],
  );
  return {
    'agents/fleet.yaml': stringify({
      ...head,
      kind: 'Fleet',
      name: 'fleet',
      templates: ['../template.yaml'],
      members: { file: '../clients.csv' },
      overrides: '../clients/${var.name}.yaml',
      labels: { shop: 'x' },
    }),
    'template.yaml': stringify(template),
    'clients.csv': `name,${columns.join(',')}\n${rows.join('\n')}\n`,
    ...Object.fromEntries(overrides),
  };
}

function asManifests(template: object, members: readonly Member[]): Files {
  const manifests = members.map(({ name, cells, override }) => {
    const variables = { ...cells, ...override?.variables };
    return [
      `agents/${name}.yaml`,
      stringify({ ...head, ...override, name, extends: '../template.yaml', variables, labels: { shop: 'x' } }),
    ] as const;
  });
  return { 'template.yaml': stringify(template), ...Object.fromEntries(manifests) };
}

async function requests(files: Files) {
  const { desired, problems } = await resolve(files);
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return [
    errors,
    desired.map(({ labels, target: at, ...one }) => [
      one.name,
      labels,
      at.query,
      one.sections,
      requestBody(one.kind, one.sections, []),
    ]),
  ];
}

test('A fleet and the same agents as single manifests give identical requests.', async () => {
  const members = fc.uniqueArray(member, { minLength: 1, maxLength: 4, selector: ({ name }) => name });
  await fc.assert(
    fc.asyncProperty(settings, skills, settings, members, async (own, list, overlay, all) => {
      const template = templateOf(own, list, overlay);
      expect(await requests(asFleet(template, all))).toEqual(await requests(asManifests(template, all)));
    }),
    { numRuns: 10 },
  );
});
