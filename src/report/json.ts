import { createHash } from 'node:crypto';
import type { Ledger, PublishLedger } from '../apply/events.ts';
import { isJsonObject } from '../json/json.ts';
import type { Notice } from '../notices/notice.ts';
import { checksumMember } from '../plan/digests.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { joined } from '../text/lines.ts';
import { visibleJson } from '../text/visible.ts';
import { noticeJson } from './notices.ts';

export function renderPlanJson(plan: Plan): string {
  return joined(planJson(plan));
}

/**
 * Yields a plan as JSON: the members of the plan, one line for each resource, and the checksum of the preceding text.
 * This form lets a reader process a saved plan line by line.
 */
export function* planJson(plan: Plan): Generator<string> {
  const checksum = createHash('sha256');
  for (const piece of piecesOfPlan(plan)) {
    checksum.update(piece);
    yield piece;
  }
  yield `${checksumMember(checksum)}\n}\n`;
}

function* piecesOfPlan({ resources, ...head }: Plan): Generator<string> {
  yield* membersOf(head);
  yield ',\n  "resources": [';
  for (const [index, resource] of resources.entries()) {
    yield `${index === 0 ? '' : ','}\n    ${visibleJson(JSON.stringify(withSentences(resource)))}`;
  }
  yield resources.length === 0 ? '],\n' : '\n  ],\n';
}

/**
 * The members that may contain notices. Other members are skipped, because a setting value in them could look like a
 * notice.
 */
const membersWithNotices = new Set(
  (
    'resources entries publishing changes conflicts prevented moves requires rollout refused ' +
    'refusals reasons warnings notice notices reason updateRefusal outdated notes left general'
  ).split(' '),
);

/** Adds a sentence to each notice, for readers of the JSON. */
function withSentences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSentences);
  if (!isJsonObject(value)) return value;
  if (isNotice(value)) return noticeJson(value);
  const members = Object.entries(value).map(([name, member]) => {
    return [name, membersWithNotices.has(name) ? withSentences(member) : member] as const;
  });
  return Object.fromEntries(members);
}

function isNotice(value: object): value is Notice {
  return 'code' in value && 'facts' in value && 'remedies' in value;
}

/**
 * Yields an object as JSON, with the sentence of each notice. A single text could double the memory use, so each piece
 * contains at most one member or list element.
 */
export function* jsonPieces(value: object): Generator<string> {
  yield* membersOf(value);
  yield '\n}\n';
}

function* membersOf(value: object): Generator<string> {
  let before = '{\n';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}  ${JSON.stringify(name)}: `;
    yield* Array.isArray(member) ? elementsOf(member) : [pretty(member, 2)];
    before = ',\n';
  }
}

function* elementsOf(list: readonly unknown[]): Generator<string> {
  let before = '[\n';
  for (const element of list) {
    yield `${before}    ${pretty(element, 4)}`;
    before = ',\n';
  }
  yield list.length === 0 ? '[]' : '\n  ]';
}

/** Indents formatted JSON. Splitting the JSON at line feeds is safe, because strings in JSON contain no line feeds. */
function pretty(value: unknown, indent: number): string {
  return visibleJson(JSON.stringify(withSentences(value), null, 2)).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Renders the results of several environments as one JSON text. */
export function renderEnvironmentsJson(documents: readonly string[]): string {
  const all = documents.map((json) => json.trimEnd()).join(',\n');
  return `{\n  "environments": [\n    ${all.replaceAll('\n', '\n    ')}\n  ]\n}\n`;
}

export function renderDriftJson(drift: Drift): string {
  return asSaidJson(drift);
}

/** Renders the result of an apply or of publishing as JSON. */
export function renderLedgerJson(ledger: Ledger | PublishLedger): string {
  return joined(jsonPieces(ledger));
}

/** Formats a result as JSON, with the sentences of its notices. */
export function asSaidJson(result: object): string {
  return asJson(withSentences(result));
}

/** Formats any value as JSON without terminal control characters. */
export function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
