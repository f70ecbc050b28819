import { createHash } from 'node:crypto';
import { AgentformError, reasonOf } from '../../errors.ts';
import { ledgerSignature, readLines } from '../../files/output-file.ts';
import { checkedBy } from '../../json/check.ts';
import { type DocumentResult, readDocument } from '../../json/document.ts';
import { canonicalJson, isJsonObject } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { bareNotice } from '../../notices/notice.ts';
import { checksumMember, planDigest, resourceDigest } from '../../plan/digests.ts';
import { isPlanned, plannedAction } from '../../plan/pending.ts';
import { compareAddresses, summaryOf } from '../../plan/plan.ts';
import type { Plan, ResourcePlan, Summary } from '../../schemas/plan-types.ts';
import { planFile, planResource } from '../../schemas/plan-validators.js';

/** The members of a saved resource that an apply needs, because the apply plans again and compares digests. */
export type ApprovedResource = Pick<ResourcePlan, 'kind' | 'name' | 'action' | 'digest'>;

type SavedPlan<Kept> = Omit<Plan, 'resources'> & { readonly resources: Kept[] };

export type ApprovedPlan = SavedPlan<ApprovedResource>;

/** Reads a saved plan with all its changes. Throws if the plan cannot be read or is inconsistent. */
export function readSavedPlan(path: string): Promise<Plan> {
  return readKeeping(path, (resource) => resource);
}

/** Reads a saved plan in order to apply it. Checks its changes, but does not keep them, to save memory. */
export function readApprovedPlan(path: string): Promise<ApprovedPlan> {
  return readKeeping(path, ({ kind, name, action, digest }) => ({ kind, name, action, digest }));
}

async function readKeeping<Kept>(path: string, keep: (resource: ResourcePlan) => Kept): Promise<SavedPlan<Kept>> {
  const reader = new PlanReader(keep);
  try {
    for await (const line of readLines(path, maxBytes.line)) reader.take(line);
    return reader.end();
  } catch (cause) {
    if (!(cause instanceof Altered))
      throw new AgentformError('plan-unreadable', `the plan ${path} cannot be read: ${reasonOf(cause)}`, { cause });
    throw new AgentformError('plan-altered', `the plan ${path} was altered: ${cause.message}; plan again`);
  }
}

/**
 * Limits in bytes: for a line, for the members before the resources, and for all kept data. Real plans are far smaller.
 */
const maxBytes = { line: 64 * 2 ** 20, head: 256 * 2 ** 20, kept: 2 ** 30 } as const;
const maxHeadValues = 5_000_000;
/** The estimated memory in bytes that a line needs in addition to its text. */
const bytesOfLine = 128;
/** The maximum number of empty lines after the resources. A pipe could otherwise send empty lines forever. */
const maxEmptyLines = 100;

/** Thrown for an inconsistent plan. Its message completes a sentence. */
class Altered extends Error {}

const newest = 1;
const checkHead = checkedBy<Plan>(planFile, { showTexts: true });
const checkResource = checkedBy<ResourcePlan>(planResource, { showTexts: true });

/**
 * Reads the lines of a plan in the format of `planJson`: the members before the resources, one resource per line, and
 * the checksum. People and applies read different members of a plan, so all members must be consistent. Counts must
 * match the resources, actions must match the changes, and digests must match the contents. The checksum covers the
 * other members. Even if the checksum is forged, an apply compares the digests with a new plan.
 */
export class PlanReader<Kept> {
  readonly #keep: (resource: ResourcePlan) => Kept;
  readonly #checksum = createHash('sha256');
  #part: 'head' | 'resources' | 'checksum' | 'end' | 'nothing' = 'head';
  #line = 0;
  #headLines: string[] = [];
  #head: Plan | undefined;
  readonly #resources: Kept[] = [];
  #before: ResourcePlan | undefined;
  #summary = summaryOf([]);
  readonly #planned: Pick<ResourcePlan, 'action' | 'digest'>[] = [];
  #isSealed = false;
  #emptyLines = 0;
  #size = 0;

  constructor(keep: (resource: ResourcePlan) => Kept) {
    this.#keep = keep;
  }

  /** Accepts the next line, without its line feed. The message of a thrown error completes a sentence. */
  take(given: string): void {
    // Git may have converted the line endings of the file to CRLF.
    const line = given.endsWith('\r') ? given.slice(0, -1) : given;
    this.#line += 1;
    if (this.#part === 'head' || this.#part === 'resources') {
      this.#checksum.update(`${line}\n`);
      if (this.#part === 'head') this.#takeHead(line);
      else this.#takeResource(line);
    } else if (line.trim() === '') this.#takeEmpty();
    else if (this.#part === 'checksum') {
      this.#isSealed = line === checksumMember(this.#checksum);
      this.#part = 'end';
    } else if (this.#part === 'end' && line === '}') this.#part = 'nothing';
    else this.#isSealed = false;
  }

  /** Returns the plan after the last line. Throws if the plan is incomplete or inconsistent. */
  end(): SavedPlan<Kept> {
    if (this.#head === undefined) throw new Error(problemOfOther(this.#headLines.join('\n')));
    if (this.#part === 'resources' || this.#part === 'checksum') throw new Error('it is incomplete JSON');
    const { digest, summary } = this.#head;
    if (planDigest(this.#planned) !== digest) throw new Altered('its digest does not match its resources');
    if (canonicalJson(this.#summary) !== canonicalJson(summary)) {
      throw new Altered('its summary does not match its resources');
    }
    if (!this.#isSealed || this.#part !== 'nothing') throw new Altered('its checksum does not match its contents');
    return { ...this.#head, resources: this.#resources };
  }

  #takeHead(line: string): void {
    if (line === '  "resources": [' || line === '  "resources": [],') {
      const text = [...this.#headLines, '  "resources": []', '}'].join('\n');
      this.#head = savedHead(readDocument(text, { newest, check: checkHead, maxValues: maxHeadValues }));
      this.#headLines = [];
      this.#part = line.endsWith(',') ? 'checksum' : 'resources';
      return;
    }
    this.#size += bytesOfLine + line.length;
    if (this.#size > maxBytes.head) throw tooLarge(maxBytes.head);
    this.#headLines.push(line);
  }

  #takeResource(line: string): void {
    if (line === '  ],') {
      this.#part = 'checksum';
      return;
    }
    if (!/^ {4}\{.*\},?$/.test(line))
      throw new Error(
        `line ${this.#line} is not a whole resource; agentform writes one resource per line, so plan again`,
      );
    const result = readDocument(line.replace(/,$/, ''), { newest, check: checkResource });
    if (!result.fits) throw new Error(`line ${this.#line}: ${result.problem}`);
    const resource = withoutMessages(result.value);
    this.#requireAgreement(resource);
    this.#before = resource;
    this.#summary = plus(this.#summary, summaryOf([resource]));
    const { action, digest } = resource;
    if (isPlanned(resource)) this.#planned.push({ action, digest });
    const kept = this.#keep(resource);
    this.#size += sizeOf(kept);
    if (this.#size > maxBytes.kept) throw tooLarge(maxBytes.kept);
    this.#resources.push(kept);
  }

  #requireAgreement(resource: ResourcePlan): void {
    const address = addressOf(resource);
    if (this.#before !== undefined && compareAddresses(this.#before, resource) > 0) {
      throw new Altered(`${address} is out of order`);
    }
    if (!hasActionOfChanges(resource)) throw new Altered(`the action of ${address} does not match its changes`);
    if (resourceDigest(resource) !== resource.digest) {
      throw new Altered(`the digest of ${address} does not match its contents`);
    }
  }

  #takeEmpty(): void {
    this.#emptyLines += 1;
    if (this.#emptyLines > maxEmptyLines) throw new Error(`it ends with more than ${maxEmptyLines} empty lines`);
  }
}

function savedHead(result: DocumentResult<Plan>): Plan {
  if (!result.fits) throw new Error(result.problem);
  const { checksum: _, ...head } = result.value;
  const { refusals, requires, rollout } = head;
  return {
    ...head,
    refusals: refusals.map(bareNotice),
    ...(requires && { requires: requires.map((one) => ({ ...one, notice: bareNotice(one.notice) })) }),
    ...(rollout?.notices && { rollout: { ...rollout, notices: rollout.notices.map(bareNotice) } }),
  };
}

/** Removes the messages of notices. Programs must use only the codes and facts. */
function withoutMessages(resource: ResourcePlan): ResourcePlan {
  const { reasons, warnings, changes } = resource;
  return {
    ...resource,
    reasons: reasons.map(bareNotice),
    warnings: warnings.map(bareNotice),
    changes: changes.map(({ updateRefusal, ...change }) =>
      updateRefusal === undefined ? change : { ...change, updateRefusal: bareNotice(updateRefusal) },
    ),
  };
}

function plus(one: Summary, other: Summary): Summary {
  const sums = { ...one };
  for (const outcome of Object.keys(other) as (keyof Summary)[]) sums[outcome] += other[outcome];
  return sums;
}

/** Returns the estimated memory of a parsed value, in bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce((sum, [, member]) => sum + sizeOf(member), 48);
}

function tooLarge(bytes: number): Error {
  return new Error(`it is too large: the limit is ${bytes / 2 ** 20} MiB`);
}

function problemOfOther(text: string): string {
  const result = readDocument(text, {
    newest,
    check: (json) =>
      isJsonObject(json) && ledgerSignature.isOne(json) ? { fits: false, problem: ofLedger } : checkHead(json),
  });
  return result.fits ? 'its resources must be on separate lines; plan again' : result.problem;
}

/** The problem with a ledger from `apply --report`. People may confuse this file with a plan. */
const ofLedger = 'it is the result of an apply, not a plan; name a plan saved with `agentform plan --out FILE`';

/**
 * Returns whether the action fits the changes. An update needs changes or a rename, a create may have changes, and
 * other actions must have no changes.
 */
function hasActionOfChanges({ changes, renamedFrom, ...actions }: ResourcePlan): boolean {
  if ((actions.action === 'waiting') !== (actions.willBe !== undefined)) return false;
  const action = plannedAction(actions);
  return action === 'create' || (action === 'update') === (changes.length > 0 || renamedFrom !== undefined);
}
