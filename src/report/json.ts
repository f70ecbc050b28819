import { createHash } from 'node:crypto';
import { isJsonObject } from '../json/json.ts';
import type { Notice } from '../notices/notice.ts';
import { checksumMember } from '../plan/digests.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { joined } from '../text/lines.ts';
import { visibleJson } from '../text/visible.ts';
import { noticeJson } from './notices.ts';

export function renderPlanJson(plan: Plan): string {
  return joined(planJson(plan));
}

/** Yields a plan as JSON: its members, a line for each resource, which can be read one by one, and the checksum. */
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

/** The members that may contain notices. In other members, a setting value could look like a notice. */
const membersWithNotices = new Set(
  (
    'resource resources entries publishing changes conflicts prevented moves requires rollout refused ' +
    'refusals reasons warnings notice notices reason updateRefusal outdated notes left general'
  ).split(' '),
);

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
 * Yields a result as a JSON document: its format version, then its members, with the sentence of each notice. Every JSON
 * document that agentform prints is made here, or by `planJson`.
 *
 * A single text could double the memory use, so each piece contains at most one member or list element.
 */
export function* jsonDocument(result: object): Generator<string> {
  yield* membersOf(result);
  yield '\n}\n';
}

export function renderJson(result: object): string {
  return joined(jsonDocument(result));
}

/** Returns a result as a line of JSON. Each line has the format version, because log collectors separate the lines. */
export function jsonLine(result: object): string {
  return `${visibleJson(JSON.stringify({ formatVersion, ...result }))}\n`;
}

/** The format version of all documents. It increases with each change that can break programs. */
const formatVersion = 1;

function* membersOf(result: object): Generator<string> {
  let before = '{\n';
  for (const [name, member] of Object.entries({ formatVersion, ...result })) {
    if (member === undefined) continue;
    yield `${before}  ${JSON.stringify(name)}: `;
    const shown = membersWithNotices.has(name) ? withSentences : (value: unknown) => value;
    yield* Array.isArray(member) ? elementsOf(member, shown) : [pretty(shown(member), 2)];
    before = ',\n';
  }
}

function* elementsOf(list: readonly unknown[], shown: (element: unknown) => unknown): Generator<string> {
  let before = '[\n';
  for (const element of list) {
    yield `${before}    ${pretty(shown(element), 4)}`;
    before = ',\n';
  }
  yield list.length === 0 ? '[]' : '\n  ]';
}

/** Indents formatted JSON. Splitting the JSON at line feeds is safe, because strings in JSON contain no line feeds. */
function pretty(value: unknown, indent: number): string {
  return visibleJson(JSON.stringify(value, null, 2)).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

export function renderEnvironmentsJson(documents: readonly string[]): string {
  const all = documents.map((json) => json.trimEnd()).join(',\n');
  return `{\n  "formatVersion": ${formatVersion},\n  "environments": [\n    ${all.replaceAll('\n', '\n    ')}\n  ]\n}\n`;
}

/** Formats a value as JSON without terminal control characters, for a format that others define, such as SARIF. */
export function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
