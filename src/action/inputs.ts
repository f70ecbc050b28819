import { getInput } from '@actions/core';
import { AgentformError } from '../errors.ts';

export const commands = ['plan', 'validate', 'apply', 'drift'] as const;
const commentModes = ['update', 'new', 'off'] as const;

export type CommentMode = (typeof commentModes)[number];

/** What the workflow says under `with:`. */
export interface Inputs {
  readonly command: (typeof commands)[number];
  /** Undefined for the project's default. */
  readonly environment: string | undefined;
  readonly project: string;
  readonly names: readonly string[];
  readonly comment: CommentMode;
  readonly token: string;
  /** As written. */
  readonly allowedHosts: string;
  /** Names of process variables. */
  readonly secrets: readonly string[];
  readonly failOnChanges: boolean;
  readonly requireApprovedPlan: boolean;
  readonly approveDigest: string | undefined;
}

/** Reads and checks the inputs. */
export function readInputs(): Inputs {
  return {
    command: choice('command', commands),
    environment: optional('environment'),
    project: optional('project') ?? '.',
    names: words('names'),
    comment: choice('comment', commentModes),
    token: getInput('token'),
    allowedHosts: getInput('allowed-hosts'),
    secrets: secretNames(),
    failOnChanges: flag('fail-on-changes'),
    requireApprovedPlan: flag('require-approved-plan'),
    approveDigest: optional('approve-digest'),
  };
}

/** Names by which manifests may refer to secrets; the values are in process variables of these names. */
export function secretNames(): string[] {
  const names = words('secrets');
  const wrong = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (wrong === undefined) return names;
  // It is not repeated: somebody may have put the secret itself there.
  throw new AgentformError(
    'usage',
    'the input secrets takes names of variables such as AGENT_TOKEN, apart by spaces or commas; their values go under env',
  );
}

function optional(name: string): string | undefined {
  const text = getInput(name);
  return text === '' ? undefined : text;
}

function words(name: string): string[] {
  return getInput(name)
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}

/** The first is the default. */
function choice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  const text = getInput(name);
  const chosen = text === '' ? choices[0] : choices.find((one) => one === text);
  if (chosen !== undefined) return chosen;
  throw new AgentformError('usage', `the input ${name} is ${JSON.stringify(text)}; it takes ${choices.join(', ')}`);
}

function flag(name: string): boolean {
  const text = getInput(name).toLowerCase();
  if (text === '' || text === 'false') return false;
  if (text === 'true') return true;
  throw new AgentformError('usage', `the input ${name} is ${JSON.stringify(text)}; it takes true or false`);
}
