import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { redactGiven } from '../../src/commands/given-secrets.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-given-'));
  await writeFile(join(folder, 'agentform.yaml'), 'token: ${secret.DESKS[desk]}\nbroken: [');
});
afterAll(() => rm(folder, { recursive: true }));

const shown = (env: Record<string, string>, ...args: string[]) => redactGiven(env, args)(`no ${args.join(', ')}`);

test.each(['API_TOKEN', 'token', 'DESK_SECRET', 'CLIENT_KEY_2'])(
  'An argument with the value of the process variable %s is masked.',
  (name) => {
    expect(shown({ [name]: 'value-1' }, 'plan', '*value-1*', '-l', 'x=value-1')).toBe(
      'no plan, *(sensitive)*, -l, x=(sensitive)',
    );
  },
);

test('An argument with a secret that AGENTFORM_SECRETS names is masked.', () => {
  expect(shown({ AGENTFORM_SECRETS: 'DESK, ROOM', ROOM: 'value-1\n' }, 'value-1')).toBe('no (sensitive)');
});

test.each(['--project', ''])('A secret that a broken agentform.yaml names is masked in arguments: %s.', (option) => {
  const env = { DESKS: '{ "desk": "value-1", "room": "value-2" }' };
  const args = option === '' ? [`--project=${folder}`] : [option, folder];
  expect(shown(env, 'plan', 'value-1', ...args)).toBe(`no plan, (sensitive), ${args.join(', ')}`);
});

test('An argument with a secret is masked if another argument is the path of agentform.yaml.', () => {
  const path = join(folder, 'agentform.yaml');
  expect(shown({ DESKS: '{ "desk": "value-1" }' }, 'plan', 'value-1', '--project', path)).toBe(
    `no plan, (sensitive), --project, ${path}`,
  );
});

test.each([{ DESK: 'production' }, { KEYBOARD: 'production' }, { API_TOKEN: 'desk' }])(
  'An argument with a short or ordinary value is shown: %j.',
  (env) => {
    expect(shown(env, 'plan', '-e', 'production', 'desk')).toBe('no plan, -e, production, desk');
  },
);

test('A part of a secret is masked if an option divides its argument.', () => {
  expect(redactGiven({ API_TOKEN: 'dmFsdWUtMQ==' }, ['--dmFsdWUtMQ=='])('no option --dmFsdWUtMQ')).toBe(
    'no option --(sensitive)',
  );
});

test('An unreadable secrets file does not hide the failure.', () => {
  const env = { AGENTFORM_SECRETS_FILE: '/none', AGENTFORM_SECRETS: 'ROOM', ROOM: 'value-1' };
  expect(shown(env, 'value-1')).toBe('no (sensitive)');
});

test.each<[string, string]>([
  ['zX81kq0LmP44vtR2', 'zX81kq0LmP44vtR2'],
  ['{ "elm": "zX81kq0LmP44vtR2" }', 'zX81kq0LmP44vtR2'],
  ['zX81kq0LmP44vtR2\n', 'zX81kq0LmP44vtR2'],
])('An argument is masked if any process variable has its random value: %j', (value, given) => {
  expect(shown({ ELM: value }, 'plan', given)).toBe('no plan, (sensitive)');
});

test.each(['/tmp/zX81kq0LmP44vtR2', '3f5c0b1d9a8e7f6c5b4a39281706f5e4d3c2b1a0', 'i18n-l10n', 'add-a-longer-greeting'])(
  'An argument with the value of an ordinary process variable is shown: %s',
  (value) => {
    expect(shown({ ELM: value }, 'plan', value)).toBe(`no plan, ${value}`);
  },
);

test('An argument that contains any value from the secrets file is masked.', async () => {
  const path = join(folder, 'secrets.env');
  await writeFile(path, 'ELM=value-1\n', { mode: 0o600 });
  expect(shown({ AGENTFORM_SECRETS_FILE: path }, 'plan', 'value-1')).toBe('no plan, (sensitive)');
});
