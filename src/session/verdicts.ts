import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { areTexts, isJsonObject } from '../json/json.ts';
import type { Unmoved } from '../plan/drift.ts';
import type { PlanContext } from '../plan/observation.ts';
import type { SettledPlan } from '../plan/resource-plan.ts';
import type { FingerprintKey } from '../secrets/fingerprint.ts';
import type { Secret } from '../secrets/secret.ts';
import { hashOf, isInRepository, readPack, writePack } from '../workspace/user-cache.ts';
import type { SelectedResource } from './fingerprint-keys.ts';
import type { CacheFolder } from './host.ts';
import type { Session } from './session.ts';

interface Opening extends Omit<SharedArgument, 'program'> {
  readonly folder: CacheFolder;
  readonly use: VerdictUse;
}

/** The maximum number of verdicts to keep, so that pipelines can cache the file. */
const maxVerdicts = 150_000;

/**
 * The command that uses a verdict. For a plan, it is enough that nothing changes. An apply also needs to know that
 * nothing must be recorded. A drift check also needs to know that nothing moved.
 */
export type VerdictUse = 'plan' | 'apply' | 'drift';

/**
 * Opens an environment's verdicts from earlier runs. Returns undefined if the cache folder is in the repository. Keeps
 * up to twice as many verdicts as resources, because each branch has its own verdicts.
 */
export function openVerdicts(
  { project: { root }, environment, resolution }: Pick<Session, 'project' | 'environment' | 'resolution'>,
  { folder: { folder, build }, use, ...shared }: Opening,
): Verdicts | undefined {
  if (isInRepository(root, folder)) return undefined;
  const program = [build, JSON.stringify(process.versions)];
  const name = `${hashOf([...program, realpathSync(root), environment]).slice(0, 32)}-verdicts`;
  const store: VerdictStore = {
    text: readPack(folder, name).get('verdicts'),
    // If the save fails, the next run is slower.
    write: (text) => writePack(folder, name, [['verdicts', text]]).catch(() => undefined),
  };
  return new Verdicts(store, { ...shared, program }, { max: Math.min(2 * resolution.all.length, maxVerdicts), use });
}

/** The inputs of a plan that are specific to one resource. No other resource may affect the plan. */
export interface PlanArgument {
  /** The resource. The digest of its declaration represents the desired values. */
  readonly resource: SelectedResource;
  /** The version of the record, a digest of its content. */
  readonly record: string;
  /** The response to the read. Undefined if the resource was not read. */
  readonly answer?: { readonly status: number; readonly bytes: Uint8Array } | undefined;
}

/** The inputs that all resources of a run share. */
export interface SharedArgument {
  readonly options: Pick<PlanContext, 'unverified' | 'unanswered' | 'shrunkPrompts' | 'ignores'>;
  readonly secrets: readonly Secret[];
  /** The program's build and the version of Node.js. */
  readonly program: readonly string[];
}

/** The key of a resource's plan, and the verdict with that key, if the verdict is enough for the run. */
export interface FoundVerdict {
  readonly key: string;
  readonly settled: Settled | undefined;
}

/** A plan without changes or notices, in the form that a verdict stores. */
export interface Settled extends SettledPlan {
  /** Whether an apply would also leave the record unchanged. */
  readonly isRecorded: boolean;
  /** The facts that a drift check needs about a resource that did not move. Only `drift` computes them. */
  readonly unmoved?: Unmoved | undefined;
}

/** A verdict in the file. `mac` authenticates it together with its key. */
interface KeptVerdict extends Settled {
  readonly mac: string;
}

/** Stores verdicts between runs as text. The text may be lost or replaced at any time. */
interface VerdictStore {
  readonly text: string | undefined;
  write(text: string): Promise<void>;
}

/**
 * Remembers which resources had no changes and no notices when they were planned. The key of a verdict is an HMAC over
 * all inputs of `planWithState`, made with the target's fingerprint key. Equal inputs result in an equal plan, so a run
 * with a verdict needs neither the desired values nor the decoded response. Without the fingerprint key, verdicts
 * cannot be found or forged.
 */
export class Verdicts {
  readonly #store: VerdictStore;
  /** A digest of the inputs that all resources of the run share. */
  readonly #shared: string;
  readonly #kept: ReadonlyMap<string, KeptVerdict>;
  readonly #used = new Map<string, KeptVerdict>();
  readonly #max: number;
  readonly #use: VerdictUse;
  #hasNew = false;

  constructor(
    store: VerdictStore,
    { options, secrets, program }: SharedArgument,
    { max, use }: { readonly max: number; readonly use: VerdictUse },
  ) {
    this.#store = store;
    const { unverified, unanswered = null, shrunkPrompts = null, ignores = null } = options;
    const planning = { unverified, unanswered, shrunkPrompts, ignores };
    const texts = secrets.map((secret) => secret.reveal()).sort();
    this.#shared = createHash('sha256')
      .update(JSON.stringify([planning, texts, program]))
      .digest('base64url');
    this.#kept = verdictsIn(store.text ?? '');
    this.#max = max;
    this.#use = use;
  }

  lookUp(argument: PlanArgument): FoundVerdict {
    const key = this.keyOf(argument);
    return { key, settled: this.find(key, argument.resource) };
  }

  /**
   * Computes the key of a verdict from all inputs of the plan. If a type gets a new member, this code does not compile
   * until the member is listed. List it here, or among the members that no plan depends on.
   */
  keyOf({ resource, record, answer }: PlanArgument): string {
    const { kind, name, environment, target, organization, agent, memberId, resellerId, declared, ...others } =
      resource;
    const { baseUrl, host, token, tokenName, query, sensitiveQuery, agentId, campaignId, key, ...hints } = target;
    requireNoOthers<
      Exclude<keyof typeof others, 'labels' | 'file' | 'secrets' | 'title'> | Exclude<keyof typeof hints, 'tokenAt'>
    >();
    const inputs = [
      this.#shared,
      { kind, name, environment, organization, agent, memberId, resellerId, declared },
      { baseUrl, host, token: token.reveal(), tokenName, query, agentId, campaignId },
      [...sensitiveQuery],
      key.id,
      record,
      answer?.status ?? null,
    ];
    const hmac = createHmac('sha256', key.secret).update('verdict\n').update(JSON.stringify(inputs));
    if (answer !== undefined) hmac.update('\n').update(answer.bytes);
    return hmac.digest('base64url');
  }

  /**
   * Finds the verdict with a key. Returns undefined if the verdict is missing, not authentic, or not enough for this
   * run.
   */
  find(key: string, { target }: SelectedResource): Settled | undefined {
    const found = this.#kept.get(key);
    if (found === undefined || !isEqual(found.mac, macOf(target.key, key, found))) return undefined;
    this.#used.set(key, found);
    return isEnough(found, this.#use) ? found : undefined;
  }

  keep(key: string, { target }: SelectedResource, settled: Settled): void {
    this.#used.set(key, { ...settled, mac: macOf(target.key, key, settled) });
    this.#hasNew = true;
  }

  /**
   * Saves the verdicts of this run, if there are new verdicts. Keeps other verdicts up to the maximum, because they may
   * belong to other branches and selections.
   */
  async save(): Promise<void> {
    if (!this.#hasNew) return;
    this.#hasNew = false;
    const others = [...this.#kept].filter(([key]) => !this.#used.has(key));
    const remaining = Math.max(0, this.#max - this.#used.size);
    await this.#store.write(verdictsText(new Map([...this.#used, ...others.slice(0, remaining)])));
  }
}

/** Returns whether a verdict contains all that a run needs. */
export function isEnough({ isRecorded, unmoved }: Settled, use: VerdictUse): boolean {
  if (use === 'apply') return isRecorded;
  return use === 'plan' || unmoved !== undefined;
}

/** Does not compile unless the type argument is `never`. */
function requireNoOthers<Name extends never>(..._names: Name[]): void {}

function macOf(key: FingerprintKey, name: string, settled: Settled): string {
  const { digest, coverage, assumed, isEdited, isRecorded, unmoved = null } = settled;
  const { compared, blind, assumed: count } = coverage;
  const text = JSON.stringify([name, digest, compared, blind, count, isEdited, isRecorded, assumed, unmoved]);
  return createHmac('sha256', key.secret).update('kept verdict\n').update(text).digest('base64url');
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

const format = 'agentform-verdicts-1';

/** Writes verdicts as text. Writes equal lists of assumed settings once, because most resources share a list. */
function verdictsText(verdicts: ReadonlyMap<string, KeptVerdict>): string {
  const lists = new Map<string, number>();
  const rows = [...verdicts].map(([key, { mac, digest, coverage, assumed, isEdited, isRecorded, unmoved }]) => {
    const list = JSON.stringify(assumed);
    if (!lists.has(list)) lists.set(list, lists.size);
    const counts = [coverage.compared, coverage.blind, coverage.assumed];
    return [key, mac, digest, ...counts, isEdited, isRecorded, lists.get(list), ...(unmoved ? [unmoved] : [])];
  });
  return JSON.stringify([format, [...lists.keys()].map((list): unknown => JSON.parse(list)), rows]);
}

/** Parses stored verdicts. Drops malformed verdicts. */
function verdictsIn(text: string): ReadonlyMap<string, KeptVerdict> {
  try {
    const [version, lists, rows]: unknown[] = JSON.parse(text);
    if (version !== format || !Array.isArray(lists) || !Array.isArray(rows)) return new Map();
    return new Map(rows.flatMap((row) => verdictIn(row, lists) ?? []));
  } catch {
    return new Map();
  }
}

function verdictIn(row: unknown, lists: readonly unknown[]): [[string, KeptVerdict]] | undefined {
  const parts: unknown[] = Array.isArray(row) ? row : [];
  const [key, mac, digest, compared, blind, count, isEdited, isRecorded, list, unmoved] = parts;
  const assumed = typeof list === 'number' ? lists[list] : undefined;
  if (typeof key !== 'string' || typeof mac !== 'string' || typeof digest !== 'string') return undefined;
  if (
    typeof isEdited !== 'boolean' ||
    typeof isRecorded !== 'boolean' ||
    typeof compared !== 'number' ||
    typeof blind !== 'number' ||
    typeof count !== 'number'
  )
    return undefined;
  if (!areTexts(assumed) || (unmoved !== undefined && !isUnmoved(unmoved))) return undefined;
  const coverage = { compared, blind, assumed: count };
  return [[key, { mac, digest, coverage, assumed, isEdited, isRecorded, unmoved }]];
}

/** Checks only the shape that reading requires, because the MAC covers the content. */
function isUnmoved(value: unknown): value is Unmoved {
  return isJsonObject(value) && isJsonObject(value.lastUpdate) && areTexts(value.unmanaged);
}
