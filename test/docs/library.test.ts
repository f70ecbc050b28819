import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type * as library from '../../src/index.ts';

type OptionsOf<Name extends keyof typeof library> = (typeof library)[Name] extends (options: infer Options) => unknown
  ? NonNullable<Options>
  : never;

// The functions on the page that accept an object. The compiler requires that `members` lists every member of these
// objects.
type Plans = 'plan' | 'planOffline' | 'apply' | 'rollback' | 'publish' | 'hold' | 'unhold' | 'drift' | 'diff';
type Manifests =
  | 'explain'
  | 'validate'
  | 'test'
  | 'render'
  | 'init'
  | 'importAgents'
  | 'update'
  | 'show'
  | 'listRecords';
type Records = 'history' | 'blame' | 'showRecord' | 'adoptRecord' | 'forgetRecords' | 'renameRecord' | 'moveRecords';
type Rest = 'renameEnvironment' | 'forgetEnvironment' | 'createTask' | 'uploadTasks' | 'readInbox' | 'startEmulator';
type Member<Name extends keyof typeof library> = Name extends unknown ? keyof OptionsOf<Name> & string : never;
type AnyMember = Member<Plans | Manifests | Records | Rest>;
type ImportMember<What = OptionsOf<'importAgents'>['what']> = What extends unknown ? keyof What & string : never;

const members = {
  accounts: 1,
  address: 1,
  all: 1,
  answers: 1,
  allowCreates: 1,
  allowOlder: 1,
  allowPending: 1,
  allowedHosts: 1,
  approvedBy: 1,
  approvedEach: 1,
  base: 1,
  baseUrl: 1,
  batchRows: 1,
  changedSince: 1,
  concurrency: 1,
  confirm: 1,
  coverage: 1,
  dataFile: 1,
  describe: 1,
  dryRun: 1,
  env: 1,
  environment: 1,
  environments: 1,
  exclude: 1,
  filter: 1,
  faults: 1,
  favoured: 1,
  fields: 1,
  file: 1,
  flags: 1,
  folder: 1,
  force: 1,
  from: 1,
  branch: 1,
  fromRow: 1,
  host: 1,
  id: 1,
  installedSkills: 1,
  isWhole: 1,
  name: 1,
  names: 1,
  new: 1,
  onEvent: 1,
  onProgress: 1,
  onWarnings: 1,
  onRequest: 1,
  out: 1,
  overwrite: 1,
  own: 1,
  page: 1,
  pageSize: 1,
  path: 1,
  plan: 1,
  port: 1,
  project: 1,
  publish: 1,
  planFrom: 1,
  pullRequest: 1,
  query: 1,
  reason: 1,
  record: 1,
  remote: 1,
  report: 1,
  rooms: 1,
  sample: 1,
  savedPlan: 1,
  schema: 1,
  secretNames: 1,
  selector: 1,
  since: 1,
  signal: 1,
  skipPolicies: 1,
  skipRequires: 1,
  skipRollout: 1,
  skipTests: 1,
  title: 1,
  to: 1,
  unread: 1,
  until: 1,
  unclear: 1,
  url: 1,
  what: 1,
  with: 1,
  workflows: 1,
} satisfies Record<AnyMember, 1>;

const imported = {
  description: 1,
  fleet: 1,
  id: 1,
  list: 1,
  name: 1,
  offer: 1,
  requireAnswer: 1,
  query: 1,
  tokenSecret: 1,
} satisfies Record<ImportMember, 1>;

test('The page about the library names every member of the objects that its functions accept.', () => {
  const page = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
  const words = new Set([...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/\W+/)));
  expect(Object.keys({ ...members, ...imported }).filter((name) => !words.has(name))).toEqual([]);
});

test('Every type on the page about the library can be imported.', () => {
  const page = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
  const entry = readFileSync(new URL('../../src/index.ts', import.meta.url), 'utf8');
  const exported = new Set(
    [...entry.matchAll(/^export (?:type )?\{([^}]*)\}|^export (?:interface|class) (\w+)/gm)].flatMap(
      ([, names, name = '']) =>
        names === undefined ? [name] : names.split(',').map((one) => one.trim().replace(/^type /, '')),
    ),
  );
  const [, results = ''] = page.split(/^## Results$|^## A nightly report$/m);
  const types = [...results.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)*)`/g)].map(([, name = '']) => name);
  expect(types.length).toBeGreaterThan(40);
  expect([...new Set(types)].filter((name) => !exported.has(name))).toEqual([]);
});
