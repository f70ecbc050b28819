import fc from 'fast-check';
import type { DecisionOptions, SelectionOptions } from '../../src/schemas/option-types.ts';
import { token } from '../support/remote.ts';

/**
 * The values that a random case draws and that an edit changes. Each part has few values, so that earlier states recur.
 */
const parts = {
  agents: fc.constantFrom(1, 2, 3),
  hasUrl: fc.boolean(),
  members: fc.constantFrom('', 'elm', 'oak', 'elm,oak'),
  bases: fc.constantFrom(0, 1, 2),
  overlay: fc.constantFrom('none', 'base', 'manifest', 'both'),
  override: fc.constantFrom('none', 'Elm 0', 'Elm 1'),
  title: fc.nat(1),
  base: fc.nat(1),
  overlaid: fc.nat(1),
  prompt: fc.nat(2),
  template: fc.nat(1),
  row: fc.nat(1),
  greeting: fc.nat(1),
  label: fc.nat(1),
  slug: fc.nat(1),
  account: fc.nat(1),
  isRenamed: fc.boolean(),
  instructions: fc.constantFrom('${secret.CODE}, ${var.greeting}', '${secret.OTHER}, ${var.greeting}', 'none'),
  unverified: fc.constantFrom('set', 'report'),
  unanswered: fc.constantFrom('undo', 'leave'),
  shrunk: fc.constantFrom('off', 'warn', 'error'),
  policy: fc.constantFrom('none', 'warn', 'deny'),
  /** The environment that requires the other environment, which may lack a change. */
  requires: fc.constantFrom('none', 'test', 'other'),
  token: fc.constantFrom(token, `${token}-rotated`),
  code: fc.constantFrom('a-long-code-0', 'a-long-code-1'),
  /** The value of a secret. One of the possible values is also a title. */
  other: fc.constantFrom('a-long-code-2', 'Title number 0'),
  street: fc.constantFrom('Elm Street', 'Oak Street'),
  now: fc.constantFrom(0, 86_400_000, 2 * 86_400_000),
  environment: fc.constantFrom('test', 'other'),
  selection: fc.constantFrom<SelectionOptions>(
    {},
    { names: ['a1'] },
    { names: ['elm', 'url'] },
    { selector: 'ring=r0' },
    { exclude: ['a0'] },
  ),
  decisions: fc.constantFrom<DecisionOptions>(
    {},
    { overwrite: ['*'] },
    { overwrite: ['a1'], new: ['all'] },
    { allowOlder: true, skipRequires: true, skipPolicies: true, allowCreates: 10 },
  ),
  changedSince: fc.constantFrom(undefined, 'HEAD', 'HEAD~1'),
  baseCommit: fc.constantFrom(undefined, 'HEAD~1'),
};

export type State = { [Name in keyof typeof parts]: (typeof parts)[Name] extends fc.Arbitrary<infer T> ? T : never };

/** A project with one of each kind of file, and a run without options. */
export const fullState: State = {
  ...{ agents: 3, hasUrl: true, members: 'elm,oak', bases: 2, overlay: 'both', override: 'Elm 0' },
  ...{ title: 0, base: 0, overlaid: 0, prompt: 0, template: 0, row: 0, greeting: 0, label: 0, slug: 0, account: 0 },
  ...{ isRenamed: false, instructions: '${secret.CODE}, ${var.greeting}', unverified: 'set', unanswered: 'undo' },
  ...{ shrunk: 'warn', policy: 'warn', requires: 'none', token, code: 'a-long-code-0', other: 'a-long-code-2' },
  ...{ street: 'Elm Street', now: 0, environment: 'test', selection: {}, decisions: {} },
  ...{ changedSince: undefined, baseCommit: undefined },
};

export const randomState: fc.Arbitrary<State> = fc.record(parts);

/** A new value for one part of a state. */
export const randomChange: fc.Arbitrary<Partial<State>> = fc
  .constantFrom(...Object.entries(parts))
  .chain(([name, values]: [string, fc.Arbitrary<unknown>]) => values.map((value) => ({ [name]: value })));

/** For each part, a change of this state. */
export function oneChangeEach(state: State): [string, Partial<State>][] {
  const before = new Map<string, unknown>(Object.entries(state));
  return Object.entries<fc.Arbitrary<unknown>>(parts).map(([name, values]) => {
    const value = fc.sample(values, { numRuns: 50, seed: 1 }).find((one) => !isSame(one, before.get(name)));
    return [name, { [name]: value }];
  });
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export function variablesOf({ token: value, code, other, street }: State): Record<string, string> {
  return { AGENT_TOKEN: value, CODE: code, OTHER: other, AGENTFORM_VAR_street: street };
}

const prompts = ['Be kind.\n\n## Hours\n\nOpen all day.\n', '## Hours\n\nOpen at ${var.greeting}.\n', 'x\n'];

export function filesOf(state: State, baseUrl: string): Record<string, string> {
  return { ...projectFiles(state, baseUrl), ...sharedFiles(state), ...agentFiles(state), ...fleetFiles(state) };
}

const head = 'apiVersion: agentform/v1\n';

function projectFiles({ requires, greeting, ...state }: State, baseUrl: string): Record<string, string> {
  const environment = (name: string, zone: number) => {
    const required = requires === name ? `, requires: ${name === 'test' ? 'other' : 'test'}` : '';
    const { unverified, unanswered } = state;
    return `  ${name}: { baseUrl: ${baseUrl}, token: "\${secret.AGENT_TOKEN}", unverified: ${unverified}, unanswered: ${unanswered}, variables: { greeting: Hello ${greeting}, zone: "${zone}" }${required} }\n`;
  };
  return {
    'agentform.yaml': `${head}kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: test
lint: { prompt-shrunk: ${state.shrunk} }
environments:
${environment('test', 1)}${environment('other', 2)}`,
  };
}

/**
 * Returns the files that agents share: two bases, a prompt, and a policy. In some states, the agents violate the
 * policy.
 */
function sharedFiles({ bases, base, overlay, overlaid, prompt, policy }: State): Record<string, string> {
  const chain = bases === 2 ? 'extends: root.yaml\n' : '';
  const rule = `{ ${policy}: 'desired.kind == "Agent" && desired.settings.title == "Title number 1"', message: no such title }`;
  return {
    ...(bases > 0 && {
      'shared/base.yaml': `${head}kind: Agent\n${chain}settings: { description: D${base} }\n${overlayOf(overlay !== 'manifest' && overlay !== 'none', `agentVoice: voice-${overlaid}`)}`,
    }),
    ...(bases === 2 && { 'shared/root.yaml': `${head}kind: Agent\nsettings: { timezone: America/Denver }\n` }),
    'prompts/prompt.md': prompts[prompt] ?? '',
    ...(policy !== 'none' && {
      'agents/policy.yaml': `${head}kind: Policy\nname: titles\nrules:\n  - ${rule}\n`,
    }),
  };
}

function overlayOf(isPresent: boolean, setting: string): string {
  return isPresent ? `environments: { test: { settings: { ${setting} } } }\n` : '';
}

const ownDescription = (bases: number) => (bases === 0 ? ', description: Own' : '');

function agentFiles(state: State): Record<string, string> {
  const { agents, bases, overlay, overlaid, isRenamed, label, title, instructions, account } = state;
  const extended = bases === 0 ? '' : 'extends: ../shared/base.yaml\n';
  const manifests = Array.from({ length: agents }, (_, index) => {
    const isFirst = index === 0;
    const name = isFirst && isRenamed ? 'name: renamed\nrenamedFrom: a0' : `name: a${index}`;
    const admin = index === 1 ? `, adminInstructions: ${JSON.stringify(instructions)}` : '';
    const hasOverlay = index === 1 && (overlay === 'manifest' || overlay === 'both');
    const text = `${head}kind: Agent
${name}
${extended}labels: { ring: r${isFirst ? label : 0} }
target: { query: { targetAccountId: "\${var.zone}${index}${isFirst ? account : ''}" } }
settings: { title: Title number ${isFirst ? title : 0}, agentInstructions: { file: ../prompts/prompt.md }${admin}${ownDescription(bases)} }
${overlayOf(hasOverlay, `title: Title ${overlaid} of an overlay`)}`;
    return [`agents/a${index}.yaml`, text];
  });
  const url = `${head}kind: AgentUrl\nname: url\ntarget: { query: { targetAccountId: "\${var.zone}9" } }\nsettings: { targetUsername: desk, slug: "s${state.slug}-\${var.zone}" }\n`;
  return { ...Object.fromEntries(manifests), ...(state.hasUrl && { 'agents/url.yaml': url }) };
}

function fleetFiles({ members, bases, template, row, override }: State): Record<string, string> {
  if (members === '') return {};
  const rows = members
    .split(',')
    .map((name) => `${name},Clinic ${name} ${name === 'elm' ? row : 0},${name === 'elm' ? 7 : 8}\n`);
  const extended = bases === 0 ? '' : 'extends: ../shared/base.yaml\n';
  return {
    'agents/fleet.yaml': `${head}kind: Fleet\nname: clinics\ntemplates: [../templates/agent.yaml]\nmembers: { file: ../clients.csv }\noverrides: "../overrides/\${var.name}.yaml"\n`,
    'templates/agent.yaml': `${head}kind: Agent\n${extended}labels: { ring: r0 }\ntarget: { query: { targetAccountId: "\${var.zone}\${var.place}" } }\nsettings: { title: "\${var.brand}", agentInstructions: "Answers at \${var.street}, ${template}."${ownDescription(bases)} }\n`,
    'clients.csv': `name,brand,place\n${rows.join('')}`,
    ...(override !== 'none' &&
      members.includes('elm') && {
        'overrides/elm.yaml': `${head}kind: Agent\nsettings: { title: ${override} }\n`,
      }),
  };
}
