import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { apply } from '../../src/commands/apply/apply.ts';
import { hold, unhold } from '../../src/commands/hold/hold.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import { AgentformError } from '../../src/errors.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import type { Host } from '../../src/session/host.ts';
import { UserCache } from '../../src/workspace/user-cache.ts';
import { gitEnv, gitInTurn } from '../support/git.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { type Remote, startRemote, token } from '../support/remote.ts';

export const count = 4;

/** Everything that an edit may change. Each member has few values, so earlier states recur. */
interface State {
  title: number;
  base: number;
  prompt: number;
  greeting: number;
  label: number;
  slug: number;
  instructions: string;
  isRenamed: boolean;
  unverified: 'set' | 'report';
  shrunk: 'off' | 'warn' | 'error';
  policy: boolean;
  /** Whether the agents' environment requires another one, which may lack a change. */
  requires: boolean;
  env: Record<string, string>;
  build: string;
  now: number;
}

const initial = (): State => ({
  title: 0,
  base: 0,
  prompt: 0,
  greeting: 0,
  label: 0,
  slug: 0,
  instructions: 'The code is ${secret.CODE}, ${var.greeting}.',
  isRenamed: false,
  unverified: 'set',
  shrunk: 'warn',
  policy: false,
  requires: false,
  env: { AGENT_TOKEN: token, CODE: 'a-long-code-0', OTHER: 'a-long-code-1' },
  build: 'build 0',
  now: 0,
});

const prompts = ['Be kind.\n\n## Hours\n\nOpen all day.\n', '## Hours\n\nOpen at night.\n', 'x\n'];

function filesOf(state: State, baseUrl: string): Record<string, string> {
  const { requires, unverified, shrunk } = state;
  const environmentAt = (url: string) =>
    `{ baseUrl: ${url}, token: "\${secret.AGENT_TOKEN}", unverified: ${unverified}, variables: { greeting: Hello ${state.greeting} } }`;
  const agents = Array.from({ length: count }, (_, index) => {
    const isFirst = index === 0;
    const name = isFirst && state.isRenamed ? 'renamed' : `a${index}`;
    const body = [
      `name: ${name}`,
      ...(isFirst && state.isRenamed ? ['renamedFrom: a0'] : []),
      'extends: ../shared/base.yaml',
      `labels: { ring: r${isFirst ? state.label : 0} }`,
      `target: { query: { targetAccountId: "${index}" } }`,
      `settings:`,
      `  title: T${isFirst ? state.title : 0}`,
      '  agentInstructions: { file: ../prompts/prompt.md }',
      ...(index === 1 ? [`  adminInstructions: ${JSON.stringify(state.instructions)}`] : []),
    ];
    return [`agents/a${index}.yaml`, `apiVersion: agentform/v1\nkind: Agent\n${body.join('\n')}\n`];
  });
  return {
    'agentform.yaml': [
      'apiVersion: agentform/v1',
      'kind: Project',
      'manifests: ["agents/*.yaml"]',
      'defaultEnvironment: test',
      `lint: { prompt-shrunk: ${shrunk} }`,
      `environments:\n  test: ${environmentAt(baseUrl)}\n  other: ${environmentAt('http://127.0.0.1:9')}`,
      ...(requires ? ['requires: { test: [other] }'] : []),
      '',
    ].join('\n'),
    'shared/base.yaml': `apiVersion: agentform/v1\nkind: Agent\nsettings: { description: D${state.base}, agentLang: en-US }\n`,
    'prompts/prompt.md': prompts[state.prompt] ?? '',
    'agents/url.yaml': `apiVersion: agentform/v1\nkind: AgentUrl\nname: url\ntarget: { query: { targetAccountId: "1" } }\nsettings: { targetUsername: desk, slug: s${state.slug} }\n`,
    'agents/policy.yaml': policyText(state.policy),
    ...Object.fromEntries(agents),
  };
}

/** A policy with a rule. One state's title breaks the strict rule; no title breaks the other rule. */
function policyText(isStrict: boolean): string {
  const when = isStrict ? 'desired.kind == "Agent" && desired.settings.title == "T0"' : 'false';
  return `apiVersion: agentform/v1\nkind: Policy\nname: titles\nrules:\n  - { warn: '${when}', message: no such title }\n`;
}

export let remote: Remote;
export let place: Workplace;
export let cache: string;
export let state: State;

/** Makes an applied and committed project for every test of the suite that calls this. */
export function useEditedProject(): void {
  beforeAll(async () => {
    remote = await startRemote();
  });
  afterAll(() => remote.close());
  beforeEach(open);
  afterEach(close);
}

export async function open(): Promise<void> {
  state = initial();
  place = await workplace(filesOf(state, remote.baseUrl), state.env);
  await gitInTurn(place.root, ['init', '-q'], ['add', '.'], ['commit', '-qm', 'First']);
  cache = await mkdtemp(join(tmpdir(), 'agentform-cache-'));
  await applied();
  await committed();
}

export async function close(): Promise<void> {
  await place.remove();
  await rm(cache, { recursive: true });
}

export const options = () => ({ project: place.root, names: [], concurrency: 4 });

export function host(isCached: boolean): Host {
  const env = { ...gitEnv, PATH: process.env.PATH ?? '', ...state.env };
  const own = { ...place.host, env, now: () => new Date(state.now) };
  return isCached
    ? { ...own, cache: new UserCache(cache, state.build), verdicts: { folder: cache, build: state.build } }
    : own;
}

export const written = async () => {
  for (const [path, text] of Object.entries(filesOf(state, remote.baseUrl))) await place.write(path, text);
};

const decisions = { new: ['all'], allowCreates: 10, overwrite: ['*'], allowOlder: true, skipRequires: true };
export const applyWith = (isCached: boolean) =>
  apply(host(isCached), {
    ...options(),
    decisions: decisionsOf(decisions),
    signal: new AbortController().signal,
    confirm: async () => true,
  });
export const applied = (isCached = false) => orRefused(() => applyWith(isCached));

const committed = () => gitInTurn(place.root, ['add', '-A', '.'], ['commit', '-qm', 'More', '--allow-empty']);

/** A plan as JSON, or the reason for its failure. */
export const planned = (isCached: boolean): Promise<string> =>
  plan(host(isCached), options()).then(
    ({ plan: made, warnings }) => JSON.stringify([made, warnings]),
    (error: unknown) => JSON.stringify([String(error), error]),
  );

async function onRecord(name: string, alter: (text: string) => string): Promise<void> {
  const path = `.agentform/records/test/Agent/${name}.json`;
  const text = await place.read(path).catch(() => undefined);
  if (text !== undefined) await place.write(path, alter(text));
}

async function onCache(alter: (text: string) => string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    await writeFile(path, alter(await readFile(path, 'utf8')));
  }
}

export async function inDashboard(settings: Readonly<Record<string, unknown>>, which: number): Promise<void> {
  const text = await place.read(`.agentform/records/test/Agent/a${which % count}.json`).catch(() => '{}');
  const { id } = JSON.parse(text);
  if ((await remote.agents()).some((agent) => agent.id === id)) await remote.dashboard(id, settings);
}

const named = (value: number) => ({ names: [`a${1 + (value % 3)}`] });

/** Some edits are refused in some states, such as a hold whose end has passed. */
async function orRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
  }
}

export const edits: Readonly<Record<string, (value: number) => unknown>> = {
  title: (value) => Object.assign(state, { title: value % 2 }),
  base: (value) => Object.assign(state, { base: value % 2 }),
  prompt: (value) => Object.assign(state, { prompt: value % prompts.length }),
  greeting: (value) => Object.assign(state, { greeting: value % 2 }),
  label: (value) => Object.assign(state, { label: value % 2 }),
  slug: (value) => Object.assign(state, { slug: value % 2 }),
  rename: () => Object.assign(state, { isRenamed: !state.isRenamed }),
  unverified: (value) => Object.assign(state, { unverified: value % 2 === 0 ? 'set' : 'report' }),
  shrunk: (value) => Object.assign(state, { shrunk: (['off', 'warn', 'error'] as const)[value % 3] }),
  policy: () => Object.assign(state, { policy: !state.policy }),
  requires: () => Object.assign(state, { requires: !state.requires }),
  'a secret': (value) => Object.assign(state.env, { CODE: `a-long-code-${value % 2}` }),
  'a secret that is a title': () => Object.assign(state.env, { OTHER: 'T0 is the title' }),
  'the secret of a text': (value) =>
    Object.assign(state, {
      instructions: `The code is \${secret.${value % 2 === 0 ? 'CODE' : 'OTHER'}}, \${var.greeting}.`,
    }),
  'the token': (value) => Object.assign(state.env, { AGENT_TOKEN: value % 2 === 0 ? token : `${token}-rotated` }),
  program: (value) => Object.assign(state, { build: `build ${value % 2}` }),
  clock: (value) => Object.assign(state, { now: (value % 3) * 86_400_000 }),
  'a title in the dashboard': (value) => inDashboard({ title: `T${value % 3}` }, value),
  'an unreadable setting in the dashboard': (value) => inDashboard({ description: `D${value % 2}` }, value),
  'a hold': (value) =>
    orRefused(async () => hold(host(false), { ...options(), ...named(value), reason: 'r', until: '1970-01-02' })),
  'the end of a hold': (value) => orRefused(async () => unhold(host(false), { ...options(), ...named(value) })),
  'a value in a record': () => onRecord('a2', (text) => text.replace('"T0"', '"T7"')),
  'a record without an HMAC': () => onRecord('a3', (text) => text.replace(/ *"hmac": .*\n/, '')),
  'an id in a record': () => onRecord('a3', (text) => text.replace(/"id": "[^"]+"/, '"id": "other"')),
  'a record without its commit': () => onRecord('a1', (text) => text.replace(/ *"commit": .*\n/, '')),
  'a lost record': (value) =>
    rm(join(place.root, `.agentform/records/test/Agent/a${value % count}.json`), { force: true }),
  'earlier records': () =>
    gitInTurn(place.root, ['checkout', '-q', 'HEAD', '--', '.agentform/records']).catch(() => {}),
  apply: () => applied(),
  commit: committed,
  'a damaged cache': () => onCache((text) => text.replaceAll('settings', 'sittings')),
  'a cut cache': (value) => onCache((text) => text.slice(0, text.length - (value % 500))),
  'a swapped cache': () => onCache((text) => text.replace(/"([\w-]{43})","([\w-]{43})"/, '"$2","$1"')),
};

/** The records, by file. */
export async function recordsNow(): Promise<Record<string, string>> {
  const names = await readdir(join(place.root, '.agentform/records/test/Agent'));
  const texts = names.map(async (name) => [name, await place.read(`.agentform/records/test/Agent/${name}`)] as const);
  return Object.fromEntries(await Promise.all(texts));
}
