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

/**
 * Runs a command in this process. Error messages contain no secret that the run knows. Throws `interrupted` if the
 * signal is already aborted.
 */
export async function runCommand<Options extends RunOptions & Checked<Options>, Result>(
  options: Options,
  work: (host: Host, own: Options & typeof defaults) => Promise<Result>,
  required: readonly (keyof Options & string)[] = [],
): Promise<Result> {
  requireForms(options, required);
  const own = { ...defaults, ...given(options) };
  if ('signal' in own && own.signal instanceof AbortSignal) requireUninterrupted(own.signal);
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

/** The forms of options, in the words of error messages. */
const forms = {
  'a string': (value: unknown) => typeof value === 'string',
  'true or false': (value: unknown) => typeof value === 'boolean',
  'an integer': (value: unknown) => Number.isSafeInteger(value),
  'an array': (value: unknown) => Array.isArray(value),
  'an array of strings': (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  'an object': isObject,
  'an object of strings': (value: unknown) =>
    isObject(value) && Object.values(value).every((each) => ['string', 'undefined'].includes(typeof each)),
  'a function': (value: unknown) => typeof value === 'function',
  'an AbortSignal': (value: unknown) => value instanceof AbortSignal,
} as const;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The form of each option, or the minimum of an integer. Members of options that are objects have the same forms. An
 * option has the same form in every function.
 */
const formsOfOptions = {
  accountId: 'an integer',
  accounts: 'an array',
  address: 'a string',
  all: 'true or false',
  allowCreates: 0,
  allowOlder: 'true or false',
  allowPending: 'true or false',
  allowedHosts: 'an array of strings',
  answers: 'an array',
  approvedBy: 'an object',
  approvedEach: 'an object',
  at: 'a string',
  attach: 'an array of strings',
  base: 'a string',
  baseUrl: 'a string',
  batchRows: 1,
  branch: 'a string',
  bridgeMonitor: 'true or false',
  bridgeTo: 'a string',
  changedSince: 'a string',
  concurrency: 1,
  confirm: 'a function',
  context: 'a string',
  contextFile: 'a string',
  coverage: 'true or false',
  dataFile: 'a string',
  describe: 'a function',
  description: 'a string',
  dryRun: 'true or false',
  env: 'an object of strings',
  environment: 'a string',
  environments: 'an array of strings',
  exclude: 'an array of strings',
  faults: 'an array',
  favoured: 'a string',
  fields: 'an array of strings',
  file: 'a string',
  filter: 'a string',
  flags: 'an object',
  fleet: 'a string',
  folder: 'a string',
  force: 'true or false',
  from: 'a string',
  fromRow: 1,
  greeting: 'a string',
  host: 'a string',
  id: 'a string',
  installedSkills: 'an array of strings',
  isWhole: 'true or false',
  list: 'a string',
  live: 'true or false',
  message: 'a string',
  messageFile: 'a string',
  name: 'a string',
  names: 'an array of strings',
  new: 'an array of strings',
  offer: 'a function',
  onEvent: 'a function',
  onProgress: 'a function',
  onRequest: 'a function',
  onWarnings: 'a function',
  out: 'a string',
  overwrite: 'an array of strings',
  own: 'true or false',
  page: 0,
  pageSize: 1,
  path: 'a string',
  plan: 'a string',
  planFrom: 'an object',
  port: 0,
  project: 'a string',
  publish: 'true or false',
  pullRequest: 1,
  query: 'an array of strings',
  reason: 'a string',
  record: 'a string',
  remote: 'a string',
  report: 'a string',
  requireAnswer: 'a function',
  rooms: 'an array',
  sample: 'true or false',
  savedPlan: 'a string',
  schema: 'a string',
  secretNames: 'an array of strings',
  selector: 'a string',
  signal: 'an AbortSignal',
  since: 'a string',
  skipPolicies: 'true or false',
  skipRequires: 'true or false',
  skipRollout: 'true or false',
  skipTests: 'true or false',
  subject: 'a string',
  target: 'a string',
  title: 'a string',
  to: 'a string',
  tokenSecret: 'a string',
  type: 'a string',
  unclear: 'true or false',
  unread: 'true or false',
  until: 'a string',
  url: 'a string',
  waitToGreet: 'true or false',
  what: 'an object',
  with: 'a string',
  workflows: 'true or false',
} as const satisfies Readonly<Record<string, keyof typeof forms | number>>;

/** Options whose forms are known. An option without an entry in the table does not compile. */
type Checked<Options> = {
  readonly [Name in keyof Options]: Name extends keyof typeof formsOfOptions ? unknown : never;
};

const formOf = new Map<string, keyof typeof forms | number>(Object.entries(formsOfOptions));

/**
 * Checks the forms of options, because callers without TypeScript can pass any value. Throws `usage` for a wrong or
 * missing option. `within` is the option that contains these options.
 */
export function requireForms(options: unknown, required: readonly string[] = [], within?: string): void {
  if (!isObject(options)) throw new AgentformError('usage', `${within ?? 'the argument'} must be an object`);
  const values = new Map<string, unknown>(Object.entries(options));
  for (const name of new Set([...values.keys(), ...required])) {
    const value = values.get(name);
    if (value === undefined && !required.includes(name)) continue;
    const form = violatedForm(name, value);
    const path = within === undefined ? name : `${within}.${name}`;
    if (form !== undefined) throw new AgentformError('usage', `${path} must be ${form}`);
  }
}

function violatedForm(name: string, value: unknown): string | undefined {
  const form = formOf.get(name);
  if (form === undefined) return undefined;
  if (typeof form !== 'number') return forms[form](value) ? undefined : form;
  const isUnlimited = name === 'concurrency' && value === Number.POSITIVE_INFINITY;
  const fits = isUnlimited || (Number.isSafeInteger(value) && Number(value) >= form);
  return fits ? undefined : `an integer of at least ${form}`;
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
