import { isJsonObject } from '../json/json.ts';
import { emulatorError } from './errors.ts';
import { type OperationId, operationIds } from './operations/operation.ts';

/** The kinds of faults, with their effects. */
export const faultKinds = {
  latency: 'the response arrives `ms` milliseconds later; can be combined with any other fault',
  'rate-limit': 'status 429, with Retry-After if `retryAfter` is given; the call is not carried out',
  'server-error': 'status 500, with Retry-After if `retryAfter` is given; the call is not carried out',
  'reset-before-write': 'the connection is reset; the call is not carried out',
  'reset-after-write': 'the call is carried out, then the connection is reset without a response',
  'truncated-body': 'the call is carried out, then the connection closes in the middle of the response',
  'truncated-json': 'the call is carried out; the HTTP response is complete, but its JSON is cut off',
  'html-error': 'status 502 with an HTML page; the call is not carried out',
  'read-lag': 'an agent read returns the state before the last write, or 404 if that write created the agent',
  'success-false': 'status 200 with `success: false`; the call is not carried out',
} as const;

type FaultKind = keyof typeof faultKinds;

/**
 * An injected fault. It matches the requests of `operation`, or all requests if `operation` is absent. It skips the
 * first `skip` matches, and then strikes every `every`-th match, up to `times` times.
 */
export interface Fault {
  readonly kind: FaultKind;
  readonly operation?: OperationId;
  readonly every?: number;
  readonly times?: number;
  readonly skip?: number;
  /** The delay of `latency`, in milliseconds. */
  readonly ms?: number;
  /** The value of the header Retry-After, in seconds. */
  readonly retryAfter?: number;
}

const minimums = { every: 1, times: 1, skip: 0, ms: 0, retryAfter: 0 } as const;
const optionNames = ['operation', ...Object.keys(minimums)];

/** Parses a fault from the command line, such as `reset-after-write:operation=updateAgent,times=1`. */
export function parseFault(text: string): Fault {
  const colon = text.indexOf(':');
  const kind = (colon < 0 ? text : text.slice(0, colon)).trim();
  const options = colon < 0 ? [] : text.slice(colon + 1).split(',');
  return checkFault({ ...Object.fromEntries(options.map(parseOption)), kind });
}

function parseOption(text: string): [string, string | number] {
  const [name = '', value, ...rest] = text.split('=').map((part) => part.trim());
  if (!value || rest.length > 0) throw emulatorError(`the fault option "${text}" must have the form name=value`);
  return [name, /^\d+$/.test(value) ? Number(value) : value];
}

/** Checks that a value is a fault. Throws `emulator-unusable` with the allowed values. */
export function checkFault(value: unknown): Fault {
  if (typeof value === 'string') return parseFault(value);
  if (!isJsonObject(value))
    throw emulatorError('a fault must be an object with a kind, or a text such as latency:ms=50');
  const { kind, ...options } = value;
  if (!isFaultKind(kind)) {
    throw emulatorError(
      `${JSON.stringify(kind)} is not a kind of fault; use one of ${Object.keys(faultKinds).join(', ')}`,
    );
  }
  for (const [name, option] of Object.entries(options)) {
    if (name === 'operation') checkOperation(option);
    else checkNumber(name, option);
  }
  checkCombination({ kind, ...options });
  return { kind, ...options };
}

function isFaultKind(kind: unknown): kind is FaultKind {
  return typeof kind === 'string' && Object.hasOwn(faultKinds, kind);
}

function checkNumber(name: string, value: unknown): void {
  if (!Object.hasOwn(minimums, name)) {
    throw emulatorError(`a fault has no option ${JSON.stringify(name)}; use ${optionNames.join(', ')}`);
  }
  const minimum = minimums[name as keyof typeof minimums];
  if (Number.isSafeInteger(value) && Number(value) >= minimum) return;
  throw emulatorError(`the fault option ${name} is ${JSON.stringify(value)}; use an integer of at least ${minimum}`);
}

function checkOperation(value: unknown): void {
  if (operationIds.some((id) => id === value)) return;
  throw emulatorError(`${JSON.stringify(value)} is not an operation; use one of ${operationIds.join(', ')}`);
}

function checkCombination({ kind, operation, ms, retryAfter }: Fault): void {
  if (kind === 'read-lag' && (operation ?? 'getAgent') !== 'getAgent') {
    throw emulatorError(`the fault read-lag works only with the operation getAgent, not with ${operation}`);
  }
  if (kind === 'latency' && ms === undefined) throw emulatorError('the fault latency needs ms, as in latency:ms=50');
  if (kind !== 'latency' && ms !== undefined)
    throw emulatorError(`the fault ${kind} does not accept ms; add a latency fault`);
  if (retryAfter !== undefined && kind !== 'rate-limit' && kind !== 'server-error') {
    throw emulatorError(`the fault ${kind} does not accept retryAfter; only rate-limit and server-error do`);
  }
}

interface FaultDecision {
  /** The sum of the delays of all due latency faults, in milliseconds. */
  readonly delay: number;
  /** The other fault to apply, if any. */
  readonly fault: Fault | undefined;
}

interface ScheduledFault {
  readonly fault: Fault;
  matched: number;
  struck: number;
}

/**
 * Counts requests to decide which ones get a fault, so that the same requests always get the same faults. The delays of
 * latency faults add up. If several other faults are due, only the first one strikes, and only its remaining `times`
 * decreases.
 */
export class FaultSchedule {
  #entries: readonly ScheduledFault[] = [];

  constructor(faults: readonly Fault[] = []) {
    this.replace(faults);
  }

  replace(faults: readonly Fault[]): void {
    this.#entries = faults.map((fault) => ({ fault, matched: 0, struck: 0 }));
  }

  /** Returns the faults, with the number of requests that each fault matched and struck. */
  list(): readonly (Fault & { readonly matched: number; readonly struck: number })[] {
    return this.#entries.map(({ fault, matched, struck }) => ({ ...fault, matched, struck }));
  }

  /** Counts a request and decides which faults apply to the request. */
  next(operation: OperationId): FaultDecision {
    const due = this.#entries.filter((entry) => isDue(entry, operation));
    const latencies = due.filter(({ fault }) => fault.kind === 'latency');
    const striking = due.find(({ fault }) => fault.kind !== 'latency');
    for (const entry of [...latencies, ...(striking ? [striking] : [])]) entry.struck += 1;
    const delay = latencies.reduce((sum, { fault }) => sum + (fault.ms ?? 0), 0);
    return { delay, fault: striking?.fault };
  }
}

function isDue(entry: ScheduledFault, operation: OperationId): boolean {
  const { kind, skip = 0, every = 1, times = Infinity } = entry.fault;
  const { operation: only = kind === 'read-lag' ? 'getAgent' : operation } = entry.fault;
  if (only !== operation) return false;
  entry.matched += 1;
  const turn = entry.matched - skip;
  return turn > 0 && turn % every === 0 && entry.struck < times;
}
