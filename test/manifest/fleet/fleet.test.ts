import { describe, expect, test } from '@jest/globals';
import type { Desired, Target } from '../../../src/kinds/desired.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { problemSentence } from '../../../src/report/problems/sentence.ts';
import { agent, type Files, makeFolder, projectFile, resolve, show } from '../temp-project.ts';

const head = 'apiVersion: agentform/v1\n';
const fleet = `${head}kind: Fleet
name: dental
templates: [../templates/agent.yaml, ../templates/number.yaml]
members: { file: ../clients.csv }
overrides: ../clients/\${var.name}.yaml
labels: { ring: "\${var.ring}", tier: fleet }
`;
const template = `${head}kind: Agent
labels: { tier: template, shop: "yes" }
settings: { title: "\${var.brand}", description: "For \${var.brand}" }
target: { query: { account: "\${var.account}" } }
`;
const number = `${head}kind: PhoneNumber\nagent: \${var.name}\nsettings: { number: "\${var.phone}" }\n`;
const table = `name,account,brand,phone,ring
elm,17,Elm Dental,+14155550101,canary
oak,18,"Oak ""&"" Sons, Ltd",+14155550102,late
`;
const files: Files = {
  'agents/fleet.yaml': fleet,
  'templates/agent.yaml': template,
  'templates/number.yaml': number,
  'clients.csv': table,
};

/** Returns the problems of the project with these changed files, without the files in `without`. */
async function problemsOf(changed: Files, without: readonly string[] = []): Promise<string[]> {
  const kept = Object.fromEntries(Object.entries(files).filter(([path]) => !without.includes(path)));
  const project = await loadProject(makeFolder({ ...kept, ...changed }));
  return (await validateProject(project, { env: {} })).problems.map(show);
}

const settingsOf = (desired: readonly Desired<Target>[], name: string) =>
  desired.find((one) => one.kind === 'Agent' && one.name === name)?.sections.settings;

describe('declarations of a fleet', () => {
  test('A fleet declares one resource for each member and template, as separate manifests would.', async () => {
    const { desired, problems } = await resolve(files);
    expect(problems).toEqual([]);
    expect(desired.map(({ kind, name, agent: owner, target }) => [kind, name, owner, target.query])).toEqual([
      ['Agent', 'elm', undefined, { account: '17' }],
      ['Agent', 'oak', undefined, { account: '18' }],
      ['PhoneNumber', 'elm', 'elm', { account: '17' }],
      ['PhoneNumber', 'oak', 'oak', { account: '18' }],
    ]);
    expect(settingsOf(desired, 'oak')).toEqual({ title: 'Oak "&" Sons, Ltd', description: 'For Oak "&" Sons, Ltd' });
  });

  test.each([[['\r\n', '\n', '\n']], [['\n', '\r\n', '\n']], [['\r\n', '\r', '\r\n']]])(
    'A table may mix line endings, because several programs may have edited it: %j',
    async (ends) => {
      const mixed = table
        .trim()
        .split('\n')
        .map((line, index) => `${line}${ends[index]}`)
        .join('');
      const { desired, problems } = await resolve({ ...files, 'clients.csv': mixed });
      expect(problems).toEqual([]);
      expect(desired.map(({ name, labels }) => [name, labels?.ring])).toEqual([
        ['elm', 'canary'],
        ['oak', 'late'],
        ['elm', 'canary'],
        ['oak', 'late'],
      ]);
    },
  );

  test('A fleet merges its labels between those of its templates and of a member.', async () => {
    const own = `${head}kind: Agent\nlabels: { ring: mine }\n`;
    const { desired } = await resolve({ ...files, 'clients/oak.yaml': own });
    expect(desired.map(({ name, labels }) => [name, labels])).toEqual([
      ['elm', { tier: 'fleet', shop: 'yes', ring: 'canary' }],
      ['oak', { tier: 'fleet', shop: 'yes', ring: 'mine' }],
      ['elm', { ring: 'canary', tier: 'fleet' }],
      ['oak', { ring: 'late', tier: 'fleet' }],
    ]);
  });

  test('A fleet applies an override over the template of one member, for the kind that it names.', async () => {
    const own = `${head}kind: Agent\nvariables: { brand: Oak }\nsettings: { timezone: UTC }\n`;
    const { desired, provenanceOf } = await resolve({ ...files, 'clients/oak.yaml': own });
    expect(settingsOf(desired, 'oak')).toEqual({ title: 'Oak', description: 'For Oak', timezone: 'UTC' });
    expect(settingsOf(desired, 'elm')).toEqual({ title: 'Elm Dental', description: 'For Elm Dental' });
    const places = (name: string, path: readonly string[]) =>
      provenanceOf(`Agent/${name}`, path)?.declarations.map(({ at }) => `${at.file}:${at.line}`);
    expect(places('oak', ['settings', 'timezone'])).toEqual(['clients/oak.yaml:4']);
    expect(places('oak', ['settings', 'title'])).toEqual(['templates/agent.yaml:4']);
    const variables = provenanceOf('Agent/elm', ['settings', 'title'])?.variables;
    expect(variables).toMatchObject([{ name: 'brand', at: { file: 'clients.csv', line: 2, column: 8 } }]);
  });

  test('A misspelt variable of a template is reported with the column that is meant.', async () => {
    const misspelt = template.replace('${var.brand}', '${var.brnd}');
    const { problems } = await resolve({ ...files, 'templates/agent.yaml': misspelt });
    expect(problems.map(problemSentence).join()).toContain("'brnd' has no value; did you mean 'brand'?");
  });

  test('A fleet merges several overrides of a member, the later over the earlier ones.', async () => {
    const two = fleet.replace(/overrides: .*/, 'overrides: ["../a/${var.ring}.yaml", "../b/${var.name}.yaml"]');
    const of = (settings: string) => `${head}kind: Agent\nsettings: { ${settings} }\n`;
    const { desired } = await resolve({
      ...files,
      'agents/fleet.yaml': two,
      'a/late.yaml': of('timezone: UTC, welcomeMessage: late'),
      'b/oak.yaml': of('welcomeMessage: oak'),
    });
    expect(settingsOf(desired, 'oak')).toMatchObject({ timezone: 'UTC', welcomeMessage: 'oak' });
    expect(settingsOf(desired, 'elm')).not.toHaveProperty('timezone');
  });

  test('A fleet may list its members, with values of their types.', async () => {
    const list = fleet.replace(
      '{ file: ../clients.csv }',
      '[{ name: elm, brand: Elm, account: 007, phone: "+14155550101", ring: a, wait: 30 }]',
    );
    const waiting = template.replace('title:', 'waitOnAnswer: "${var.wait}", title:');
    const { desired, problems } = await resolve({
      ...files,
      'agents/fleet.yaml': list,
      'templates/agent.yaml': waiting,
    });
    expect(problems).toEqual([]);
    expect(desired[0]?.target.query).toEqual({ account: '007' });
    expect(settingsOf(desired, 'elm')).toMatchObject({ waitOnAnswer: 30 });
  });
});

describe('the variables of a fleet member', () => {
  test('A variable of a member comes from its row, whatever the process sets.', async () => {
    const { desired } = await resolve(files, { env: { AGENTFORM_VAR_account: '1', AGENTFORM_VAR_brand: 'x' } });
    expect(desired.map(({ target }) => target.query.account)).toEqual(['17', '18', '17', '18']);
    expect(settingsOf(desired, 'elm')).toMatchObject({ title: 'Elm Dental' });
  });

  test('A variable of a member comes from the environment before the template, also for an empty cell.', async () => {
    const defaults = template
      .replace('settings:', 'variables: { clinic: template, hours: nine, brand: Nobody }\nsettings:')
      .replace('For ${var.brand}', '${var.clinic} ${var.hours}');
    const empty = table.replace('Elm Dental', '');
    const { desired, problems } = await resolve(
      { ...files, 'templates/agent.yaml': defaults, 'clients.csv': empty },
      { env: { AGENTFORM_VAR_hours: 'ten', AGENTFORM_VAR_brand: 'x' } },
    );
    expect(problems).toMatchObject([{ rule: 'process-variable-unused', severity: 'warning' }]);
    expect(settingsOf(desired, 'elm')).toEqual({ title: 'Nobody', description: 'Elm Street ten' });
  });
});

describe('the environments of a fleet', () => {
  const own = `${fleet}environments: { production: { members: [{ name: elm, account: 1, brand: P, phone: "+14155550109", ring: a }] } }\n`;

  test('A fleet may have separate members for an environment.', async () => {
    const project = { ...files, 'agents/fleet.yaml': own };
    const local = await resolve(project);
    expect(local.all.map(({ kind, name }) => `${kind}/${name}`)).toHaveLength(4);
    const production = await resolve(project, { environment: 'production', env: { AGENT_TOKEN: 'token-0' } });
    expect(production.desired.map(({ name, target }) => [name, target.query.account])).toEqual([
      ['elm', '1'],
      ['elm', '1'],
    ]);
    expect(production.elsewhere).toContainEqual({ kind: 'Agent', name: 'oak', onlyIn: ['local'], renamedFrom: [] });
  });

  test('A fleet may be limited to an environment.', async () => {
    const { all, elsewhere } = await resolve({ ...files, 'agents/fleet.yaml': `${fleet}onlyIn: [production]\n` });
    expect([all, elsewhere.length]).toEqual([[], 4]);
  });

  test('A column counts as used if only a fleet of another environment uses it.', async () => {
    const agents = fleet.replace(', ../templates/number.yaml', '');
    const numbers = fleet.replace('dental', 'numbers').replace('../templates/agent.yaml, ', '');
    const limited = numbers.replace(/^overrides.*\n/m, 'onlyIn: [production]\n');
    const noted = table.replace('ring\n', 'ring,note\n').replaceAll(/(canary|late)\n/g, '$1,x\n');
    const changed = { 'agents/fleet.yaml': agents, 'agents/numbers.yaml': limited, 'clients.csv': noted };
    expect(await problemsOf(changed)).toEqual([expect.stringContaining("nothing uses the column 'note'")]);
  });
});

test('By default, the trees of all files except fleets, policies and Tests are freed.', async () => {
  const override = `${head}kind: Agent\nlabels: { ring: mine }\n`;
  const { parsed } = await loadProject(makeFolder({ ...files, 'clients/oak.yaml': override }));
  const paths = ['agents/fleet.yaml', 'templates/agent.yaml', 'clients/oak.yaml'];
  const before = paths.map((path) => parsed.parse(path));
  parsed.forget();
  expect(paths.map((path, index) => parsed.parse(path) === before[index])).toEqual([true, false, false]);
});

describe('problems of a table', () => {
  test.each([
    ['an empty name', table.replace('oak,', ','), /^clients.csv:3:1 the name is empty: expected lowercase/],
    ['a bad name', table.replace('oak,', 'Oak,'), /^clients.csv:3:1 the name is 'Oak': expected lowercase/],
    [
      'a device name',
      table.replace('oak,', 'aux,'),
      /^clients.csv:3:1 the name is 'aux': expected .* no Windows device/,
    ],
    [
      'a name twice',
      `${table}elm,1,E,+14155550103,a\n`,
      /^clients.csv:4:1 two rows have the name 'elm' \[first here clients.csv:2:1\]/,
    ],
    ['a missing name', table.replace('name,', 'client,'), /^clients.csv:1:1 the column 'name' is missing/],
    [
      'a capitalised name',
      table.replace('name,', 'Name,'),
      /^clients.csv:1:1 the column 'name' is missing: every member needs a name, but the table has the column 'Name'; did you mean 'name'\?/,
    ],
    [
      'a column twice',
      table.replace('brand', 'phone'),
      /^clients.csv:1:20 the column 'phone' appears twice \[first here clients.csv:1:14\]/,
    ],
    [
      'too many columns',
      `name,${Array.from({ length: 200 }, (_, index) => `c${index}`).join(',')}\n`,
      /^clients.csv:1:1 the table has 201 columns; at most 200 are allowed/,
    ],
    [
      'a column that is no variable',
      table.replace('brand', 'the brand'),
      /^clients.csv:1:14 the column 'the brand' has no valid name/,
    ],
    [
      'the column of another table for tokens',
      table.replace('brand', 'token-secret'),
      /^clients.csv:1:14 remove the column 'token-secret': .*With `import --fleet`, use --token-secret "TOKENS\[var\.name\]"/,
    ],
    [
      'semicolons',
      table.replaceAll(',', ';'),
      /^clients.csv:1:1 the columns are separated by semicolons; save the table with commas\n/,
    ],
    [
      'a separator for spreadsheets',
      `sep=,\n${table}`,
      /^clients.csv:1:1 the first line, 'sep=,', is only understood by/,
    ],
    [
      'a row that is too short',
      `${table}ash,1\n`,
      /^clients.csv:4:1 this row has 2 fields, but the first row has 5 columns/,
    ],
    [
      'a quote that is not closed',
      `${table}ash,"1\n`,
      /^clients.csv:4:1 a quote is opened in this row and never closed/,
    ],
    [
      'too many rows',
      `name\n${'a\n'.repeat(100_001)}`,
      /^clients.csv:1:1 the table has more than 100,000 rows; split it into several tables, and declare a fleet for each$/,
    ],
    [
      'a formula that failed',
      table.replace('Elm Dental', '#N/A'),
      /^clients.csv:2:8 the cell is '#N\/A': a spreadsheet could not calculate this cell; correct its formula/,
    ],
    [
      'a rounded number',
      table.replace('17', '1.23457E+11'),
      /^clients.csv:2:5 the cell is '1.23457E\+11': a spreadsheet rounded this number; give the column the format Text/,
    ],
    ['no rows', 'name,account\n', /^clients.csv:1:1 the table has no rows/],
    ['nothing', '', /^clients.csv:1:1 the table is empty/],
    [
      'an empty cell',
      table.replace('+14155550101', ''),
      /^clients.csv:2:19 the column 'phone' is empty in the row 'elm': fill it in, or declare a default under `variables` in the template \[needed here templates\/number.yaml:4:22\]$/,
    ],
    [
      'empty cells, which are one problem',
      table.replaceAll(/\+1415555010./g, ''),
      /^clients.csv:2:19 the column 'phone' is empty in 2 rows: [^\n]*$/,
    ],
    [
      'a capitalised column',
      table.replace(',brand,', ',Brand,'),
      /^clients.csv:1:14 no column matches \$\{var.brand\}, and nothing uses the column 'Brand'; did you mean 'brand'\? [^\n]*$/,
    ],
    [
      'a value that does not fit',
      table.replace('+14155550102', '5550102'),
      /^clients.csv:3:30 settings.number is '5550102' \(from '\$\{var.phone\}'\): .*\[used here templates\/number.yaml:4:21\]/,
    ],
    [
      'a secret in a cell',
      table.replace('+14155550101', '${secret.PHONE}'),
      /^clients.csv:2:19 a cell cannot refer to a variable or a secret; write the reference in the template/,
    ],
    ['a label that does not fit', table.replace('canary', 'ca na'), /^clients.csv:2:32 labels.ring is 'ca na'/],
    [
      'a column that nothing uses',
      table
        .replace(/$/gm, (end: string) => end)
        .replace('ring\n', 'ring,note\n')
        .replaceAll(/(canary|late)\n/g, '$1,x\n'),
      /^clients.csv:1:31 nothing uses the column 'note': no template, override or label/,
    ],
    [
      'columns that nothing uses, which are one problem',
      table.replace('ring\n', 'ring,a,b,c,d,e,f,g\n').replaceAll(/(canary|late)\n/g, '$1,,,,,,,\n'),
      /^clients.csv:1:31 nothing uses these 7 columns: a, b, c, d, e and 2 more$/,
    ],
    [
      'a former name that is none',
      table.replace('ring\n', 'renamedFrom\n').replace('canary', 'Old'),
      /clients.csv:2:32 renamedFrom is 'Old'/,
    ],
  ])('A table with %s is reported at the cell.', async (_case, csv, sentence) => {
    expect((await problemsOf({ 'clients.csv': csv })).join('\n')).toMatch(sentence);
  });

  test('A table in another encoding is reported at its first wrong byte.', async () => {
    const csv = Buffer.from(table.replace('Oak', 'Caf\u00e9'), 'latin1');
    expect(await problemsOf({ 'clients.csv': csv })).toEqual([
      expect.stringMatching(
        /^clients.csv:3:12 the table '..\/clients.csv' is not UTF-8 text: line 3, column 12 has the byte 0xE9/,
      ),
    ]);
  });

  test('A table with Windows line ends, blank lines and multi-byte letters has correct places.', async () => {
    const csv = table
      .replace('Elm', 'Élm ✓')
      .replaceAll('\n', '\r\n')
      .replace('oak', '\r\n\r\noak')
      .replace('+14155550102', '1');
    expect((await problemsOf({ 'clients.csv': csv })).join('\n')).toMatch(/^clients.csv:5:30 settings.number is '1'/);
  });

  test('A bad row of a table does not affect the other rows.', async () => {
    const csv = `${table.replace('+14155550101', '')}Bad,1,B,+14155550104,a\n`;
    expect(await problemsOf({ 'clients.csv': csv })).toHaveLength(2);
  });

  test('A mistake in a template is reported once for all members.', async () => {
    const wrong = template.replace('settings: {', 'settings: { timezone: Mars,');
    expect(await problemsOf({ 'templates/agent.yaml': wrong })).toEqual([
      expect.stringMatching(/^templates\/agent.yaml:4:23 settings.timezone is 'Mars'/),
    ]);
  });
});

describe('files of a fleet', () => {
  const withTemplates = (list: string) => ({
    'agents/fleet.yaml': fleet.replace(/templates: .*/, `templates: [${list}]`),
  });
  test.each([
    [
      'a template that is missing',
      withTemplates('../no.yaml'),
      /agents\/fleet.yaml:4:13 the template '..\/no.yaml' does not exist/,
    ],
    [
      'a template that is a manifest',
      { ...withTemplates('other.yaml'), 'agents/other.yaml': agent('') },
      /the template 'other.yaml' is itself a manifest: exclude it/,
    ],
    ['a template outside', withTemplates('../../x.yaml'), /leads outside the project folder/],
    [
      'two templates of a kind',
      { ...withTemplates('../templates/agent.yaml, ../b.yaml'), 'b.yaml': template },
      /agents\/fleet.yaml:4:38 two templates have the kind 'Agent'.*first here agents\/fleet.yaml:4:13/,
    ],
    [
      'a template with a name',
      { 'templates/agent.yaml': template.replace('labels', 'name: x\nlabels') },
      /a template must not set name, because each member of the fleet has its own/,
    ],
    [
      'a template with environments that have it',
      { 'templates/agent.yaml': template.replace('labels', 'onlyIn: [staging]\nlabels') },
      /a template must not set onlyIn, because the fleet sets onlyIn for all its members/,
    ],
    [
      'a fleet as a template',
      { ...withTemplates('../f.yaml'), 'f.yaml': fleet },
      /the template '..\/f.yaml' is a Fleet, which does not declare a resource/,
    ],
    [
      'a fleet as a base',
      { 'f.yaml': fleet, 'agents/a.yaml': agent('', 'extends: ../f.yaml') },
      /the base '..\/f.yaml' is a Fleet, which cannot be extended/,
    ],
    [
      'a table that is missing',
      { 'agents/fleet.yaml': fleet.replace('clients.csv', 'c.csv') },
      /agents\/fleet.yaml:5:18 the table '..\/c.csv' does not exist/,
    ],
    [
      'an override of another kind',
      { 'clients/elm.yaml': `${head}kind: Context\n` },
      /clients\/elm.yaml:2:1 the fleet has no template for the kind 'Context'/,
    ],
    [
      'an override that extends',
      { 'clients/elm.yaml': `${head}kind: Agent\nextends: x.yaml\n` },
      /clients\/elm.yaml:3:1 an override must not set extends, because it is merged over its template/,
    ],
    [
      'an override with a name',
      { 'clients/elm.yaml': `${head}kind: Agent\nname: elm\n` },
      /an override must not set name, because each member/,
    ],
    [
      'overrides of no column',
      { 'agents/fleet.yaml': fleet.replace('/${var.name}', '/${var.nme}') },
      /overrides contains '\$\{var.nme\}': a placeholder must name a column of every table/,
    ],
    [
      'an unknown environment',
      { 'agents/fleet.yaml': `${fleet}onlyIn: [prod]\n` },
      /agentform.yaml has no environment 'prod'/,
    ],
    ['a key that a fleet has not', { 'agents/fleet.yaml': `${fleet}settings: {}\n` }, /unknown key 'settings'/],
    [
      'a member without a name',
      { 'agents/fleet.yaml': fleet.replace('{ file: ../clients.csv }', '[{ brand: x }]') },
      /members\[0\].name is missing/,
    ],
    [
      'a manifest of the same name',
      { 'agents/a.yaml': agent('', '', 'elm') },
      /two manifests declare Agent\/elm: rename or delete one of them \[first here agents\/a.yaml:3:7\]/,
    ],
    [
      'a manifest of the same name as a row of another environment',
      {
        'agents/a.yaml': agent('', '', 'spruce'),
        'agents/fleet.yaml': `${fleet}environments: { production: { members: [{ name: spruce, account: 1, brand: P, phone: "+14155550109", ring: a }] } }\n`,
      },
      /two manifests declare Agent\/spruce: rename or delete one of them \[first here agents\/a.yaml:3:7\]/,
    ],
    [
      'the members of another fleet',
      { 'agents/z.yaml': fleet },
      /^agents\/z.yaml:3:7 two manifests declare Agent\/elm: rename or delete one of them \[first here agents\/fleet.yaml:3:7\]$/m,
    ],
    [
      'the name of another fleet',
      {
        'agents/z.yaml': fleet.replace('{ file: ../clients.csv }', '[{ name: fir, account: 1, phone: "+1", ring: a }]'),
      },
      /^agents\/z.yaml:3:7 two manifests declare Fleet\/dental: rename or delete one of them \[first here agents\/fleet.yaml:3:7\]$/m,
    ],
  ])('A fleet with %s is refused.', async (_case, changed, sentence) => {
    expect((await problemsOf(changed)).join('\n')).toMatch(sentence);
  });

  test('An override without a kind lists only the kinds that it can have.', async () => {
    const changed = { 'clients/elm.yaml': 'apiVersion: agentform/v1\nsettings: { title: t }\n' };
    expect(await problemsOf(changed)).toEqual([
      "clients/elm.yaml:1:1 kind is missing: expected 'Agent', 'Organization', 'Member', 'AgentUrl', 'PhoneNumber' or 'Context'",
    ]);
  });

  test('An override does not count as a manifest.', async () => {
    const project = projectFile.replace('agents/**/*.yaml"', 'agents/**/*.yaml", "clients/*.yaml"');
    const changed = {
      'agentform.yaml': project,
      'clients/elm.yaml': `${head}kind: Agent\nname: x\nsettings: { title: t, description: d }\n`,
    };
    expect((await problemsOf(changed)).join('\n')).toMatch(/the override '..\/clients\/elm.yaml' is itself a manifest/);
  });

  test('A table is among the files that may be read.', async () => {
    const root = makeFolder(files);
    const paths = new Set(
      Object.keys(files)
        .filter((path) => path !== 'clients.csv')
        .concat('agentform.yaml'),
    );
    const project = await loadProject(root, { readable: { paths, otherwise: 'is not tracked' } });
    const { problems } = await validateProject(project, { env: {} });
    expect(problems.map(show)).toEqual(["agents/fleet.yaml:5:18 the table '../clients.csv' is not tracked"]);
  });
});
