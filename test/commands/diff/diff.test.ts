import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { diff } from '../../../src/commands/diff/diff.ts';
import { renderDiffMarkdown, renderDiffText } from '../../../src/commands/diff/document.ts';
import { hold } from '../../../src/commands/hold/hold.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { fitting } from '../../support/published-schemas.ts';

const agent = (name: string, more = '') =>
  `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\ntarget: { query: { targetAccountId: ${name} } }\n${more}settings:\n  title: Desk\n  description: At \${var.clinic}\n`;
const overlays =
  'environments:\n  staging: { settings: { agentLang: es-ES } }\n  production:\n    settings: { title: Front desk }\n' +
  '    skills: [{ slug: calendar, instructions: "Book ${secret.CODE}." }]\n';

let place: Workplace;

beforeEach(async () => {
  place = await workplace({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n' +
      '  staging: { baseUrl: emulator, variables: { clinic: Oak } }\n' +
      '  production: { baseUrl: emulator, variables: { clinic: Elm } }\n',
    'agents/desk.yaml': agent('desk') + overlays,
    'agents/east.yaml': agent('east', 'labels: { ring: canary }\n'),
    'agents/west.yaml': agent('west'),
    'agents/new.yaml': agent('new', 'onlyIn: [staging]\n'),
  });
});
afterEach(() => place.remove());

const compared = (names: string[] = [], selector?: string) =>
  diff(place.host, { project: place.root, environment: 'staging', with: 'production', names, selector });

const applied = async (environment: string) => {
  const { ledger } = await apply(
    { ...place.host, env: { CODE: 'c0de-of-today' } },
    {
      project: place.root,
      environment,
      names: [],
      decisions: decisionsOf({ new: ['all'] }),
      concurrency: 4,
      signal: new AbortController().signal,
      confirm: async () => true,
    },
  );
  expect(ledger.entries.filter(({ outcome }) => outcome !== 'applied')).toEqual([]);
};

test('The diff lists differences field by field, and names the variables that differ.', async () => {
  const found = await compared();
  fitting('diff', found);
  expect(found.summary).toEqual({ same: 0, variables: 2, differing: 1, onlyFrom: 1, onlyTo: 0 });
  expect(found.resources.find(({ name }) => name === 'desk')).toEqual({
    kind: 'Agent',
    name: 'desk',
    status: 'differing',
    differences: [
      { path: 'settings.title', from: 'Desk', to: 'Front desk', source: { file: 'agents/desk.yaml', line: 11 } },
      { path: 'settings.agentLang', from: 'es-ES', source: { file: 'agents/desk.yaml', line: 9 } },
      {
        path: 'skills[calendar]',
        to: { instructions: { sensitive: true, fingerprint: expect.any(String) } },
        source: { file: 'agents/desk.yaml', line: 12 },
      },
    ],
    variables: [{ name: 'clinic', from: 'Oak', to: 'Elm', paths: ['settings.description'] }],
    applied: {},
  });
});

test('Names and labels select resources, also those that only one environment has.', async () => {
  const names = async (...choice: Parameters<typeof compared>) =>
    (await compared(...choice)).resources.map(({ name }) => name);
  expect(await names(['new'])).toEqual(['new']);
  expect(await names([], 'ring=canary')).toEqual(['east']);
  await expect(compared(['nothing'])).rejects.toMatchObject({ code: 'selection-empty' });
  const itself = { project: place.root, environment: 'staging', with: 'staging', names: [] };
  await expect(diff(place.host, itself)).rejects.toMatchObject({
    code: 'usage',
    message: 'both environments are staging; name two different ones',
  });
});

describe('the last apply in a diff', () => {
  test('The diff reports when each environment was last applied, and whether it is current.', async () => {
    await applied('staging');
    const [desk] = (await compared(['desk'])).resources;
    expect(desk?.applied).toEqual({ from: { at: '1970-01-01T00:00:00.000Z', isCurrent: true } });
    await place.write('agents/desk.yaml', agent('desk').replace('Desk', 'Reception') + overlays);
    const edited = await compared(['desk']);
    expect(edited.resources[0]?.applied.from).toMatchObject({ isCurrent: false });
    expect(renderDiffText(edited, { color: false, width: 200 })).toContain(
      'staging: last applied 1 Jan 1970, 00:00 UTC, but the manifests now declare other values; run `agentform plan Agent/desk -e staging`',
    );
  });

  test('The diff notes on equal resources which environment has not applied or holds them.', async () => {
    await place.write('agents/west.yaml', agent('west').replace('${var.clinic}', 'the door'));
    const text = async () => renderDiffText(await compared(['west']), { color: false, width: 200 });
    expect(await text()).toContain('staging: never applied; run `agentform plan Agent/west -e staging`');
    await applied('staging');
    await applied('production');
    expect(await text()).toBe('1 resource: 1 identical.\n');
    const holding = { project: place.root, environment: 'production', names: ['west'], reason: 'demo' };
    await hold(place.host, holding);
    expect(await text()).toMatch(/production: last applied 1 Jan 1970, 00:00 UTC; on hold by .*: demo/);
  });
});

test('The text of a diff groups resources with the same differences.', async () => {
  const text = renderDiffText(await compared(), { color: false, width: 200 });
  expect(text).toBe(`Difference of staging → production   - staging   + production

~ Agent/desk
    ~ settings.title: "Desk" → "Front desk"  (agents/desk.yaml:11)
    - settings.agentLang: "es-ES"  (agents/desk.yaml:9)
    + skills[calendar].instructions: (sensitive)  (agents/desk.yaml:12)
    \${var.clinic} is "Oak" in staging, "Elm" in production (settings.description)
    staging: never applied; run \`agentform plan Agent/desk -e staging\`
    production: never applied; run \`agentform plan Agent/desk -e production\`

· 2 agents
    east and west
    \${var.clinic} is "Oak" in staging, "Elm" in production (settings.description)
    staging: never applied; run \`agentform plan east west -e staging\`
    production: never applied; run \`agentform plan east west -e production\`

- Agent/new
    staging: never applied; run \`agentform plan Agent/new -e staging\`
    production: not declared

4 resources: 1 differs, 2 differ only in variables, 1 only in staging.
`);
});

test('The Markdown of a diff has a section for each resource, within the size limit.', async () => {
  const found = await compared();
  const markdown = renderDiffMarkdown(found);
  expect(markdown).toContain('### Difference of `staging → production`: not the same\n\n**4 resources: 1 differs');
  expect(markdown).toContain('| **Title** | Desk | Front desk |');
  expect(markdown).toContain('<b>East and West</b>: differs only in variables</summary>');
  expect(renderDiffMarkdown(found, { limit: 600 }).length).toBeLessThanOrEqual(600);
});
