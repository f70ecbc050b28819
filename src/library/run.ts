import type { RunEvent } from '../apply/events.ts';
import { AgentformError } from '../errors.ts';
import { requireUninterrupted } from '../interruption.ts';
import type { ConcurrencyOptions, SelectionOptions } from '../schemas/option-types.ts';
import { joinedRedactor, redactor } from '../secrets/redact.ts';
import { defaultConcurrency } from '../service/limiter.ts';
import { allowedHostsIn, allowedHostsOf } from '../session/connections.ts';
import type { Host, RequestLine } from '../session/host.ts';

/** The options of the functions that run a command. */
export interface RunOptions {
  /** The project folder, or its `agentform.yaml`. Defaults to the current folder. */
  readonly project?: string;
  /**
   * An environment of the project. Defaults to `defaultEnvironment`. A validation checks all environments by default.
   */
  readonly environment?: string;
  /** The process variables, such as secrets and `AGENTFORM_VAR_NAME`. Defaults to `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The names of the secrets that manifests may use. If omitted, manifests may use any name. */
  readonly secretNames?: readonly string[];
  /**
   * The only hosts to which a token may be sent, each with its port unless the port is the default. If omitted,
   * `AGENTFORM_ALLOWED_HOSTS` applies. If that variable is not set, any host is allowed.
   */
  readonly allowedHosts?: readonly string[];
  readonly onEvent?: (event: RunEvent) => void;
  /** Called for each attempt of each request to the service. The line contains no secrets. */
  readonly onRequest?: (line: RequestLine) => void;
}

export interface Selecting extends Defined<SelectionOptions>, Defined<ConcurrencyOptions> {}

/** The options of a command. For callers of the library, each option is optional. */
export type Defined<Options> = { readonly [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** Drops undefined members, so that they count as omitted. */
export function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** By default, a command uses the project in the current folder and selects all resources. */
const defaults = { project: '.', names: [] as readonly string[], concurrency: defaultConcurrency };

/** Runs a command in this process. Error messages contain no secret that the run knows. */
export async function runCommand<Options extends RunOptions, Result>(
  options: Options,
  work: (host: Host, own: Options & typeof defaults) => Promise<Result>,
): Promise<Result> {
  const own = { ...defaults, ...given(options) };
  requireTypes(own);
  const { env = process.env, secretNames, allowedHosts, onEvent, onRequest } = own;
  let redact = redactor([]);
  try {
    const host: Host = {
      env,
      ...(secretNames && { allowedSecrets: { names: new Set(secretNames), from: 'secretNames' } }),
      allowedHosts: allowedHosts ? allowedHostsOf(allowedHosts.join(' '), 'allowedHosts') : allowedHostsIn(env),
      now: () => new Date(),
      emit: (event) => onEvent?.(event),
      hideSecrets: (next) => {
        redact = joinedRedactor(redact, next);
      },
      redact: (text) => redact(text),
      startEmulator: async (started) => (await import('../emulator/emulator.ts')).startEmulator(started),
      ...(onRequest && { onRequest }),
    };
    return await work(host, own);
  } catch (error) {
    throw redacted(error, redact);
  }
}

const listOptions = [
  'names',
  'exclude',
  'overwrite',
  'new',
  'fields',
  'environments',
  'secretNames',
  'allowedHosts',
  'query',
] as const;
type ListOption = (typeof listOptions)[number];

/** The smallest values of options that must be integers. */
const minimums = { concurrency: 1, fromRow: 1, batchRows: 1, page: 0, pageSize: 1, allowCreates: 0 } as const;
type Unchecked<Name extends string> = { readonly [Each in Name]?: unknown };

/**
 * Checks options whose types TypeScript cannot check, or that callers without TypeScript often get wrong. Throws `usage`
 * for a wrong option, and `interrupted` if the signal is already aborted.
 */
function requireTypes(options: object): void {
  const { signal, ...others }: Unchecked<ListOption | keyof typeof minimums | 'signal'> = options;
  for (const name of listOptions) {
    const value = others[name];
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
    if (value !== undefined && !isList) throw new AgentformError('usage', `${name} must be an array of strings`);
  }
  for (const [name, min] of Object.entries(minimums) as [keyof typeof minimums, number][]) {
    const value = others[name];
    const isUnlimited = name === 'concurrency' && value === Number.POSITIVE_INFINITY;
    if (value === undefined || isUnlimited || (Number.isSafeInteger(value) && Number(value) >= min)) continue;
    throw new AgentformError('usage', `${name} must be an integer of at least ${min}`);
  }
  if (signal instanceof AbortSignal) requireUninterrupted(signal);
}

/** Redacts the message, stack, cause and facts of an error in place, because printing an error shows all of these. */
function redacted<Failure>(error: Failure, redact: (text: string) => string): Failure {
  if (!(error instanceof Error)) return error;
  error.message = redact(error.message);
  if (error.stack !== undefined) error.stack = redact(error.stack);
  if (error.cause !== undefined) error.cause = redacted(error.cause, redact);
  if (error instanceof AgentformError) Object.assign(error, { facts: redactedValue(error.facts, redact) });
  return error;
}

function redactedValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactedValue(member, redact)]));
}
