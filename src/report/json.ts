import { createHash } from 'node:crypto';
import type { ImportLedger, Ledger, LedgerEntry, PublishLedger } from '../apply/events.ts';
import type { Notice } from '../notices/notice.ts';
import { checksumMember } from '../plan/pending.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { joined } from '../text/lines.ts';
import { visibleJson } from '../text/visible.ts';
import { noticeJson } from './notices.ts';

export function renderPlanJson(plan: Plan): string {
  return joined(planJson(plan));
}

/**
 * Yields a plan as JSON: first the members of the plan, then one resource in each line, then the checksum of the text
 * before it. A saved plan can thus be read line by line.
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
  const { refusals, requires, rollout } = head;
  yield* membersOf({
    ...head,
    refusals: refusals.map(noticeJson),
    ...(requires && { requires: requires.map((one) => ({ ...one, notice: noticeJson(one.notice) })) }),
    ...(rollout?.notices && { rollout: { ...rollout, notices: rollout.notices.map(noticeJson) } }),
  });
  yield ',\n  "resources": [';
  for (const [index, resource] of resources.entries()) {
    const shown = resourceJson(resource);
    yield `${index === 0 ? '' : ','}\n    ${visibleJson(JSON.stringify(shown))}`;
  }
  yield resources.length === 0 ? '],\n' : '\n  ],\n';
}

function resourceJson(resource: ResourcePlan): ResourcePlan {
  const { reasons, warnings, changes, prevented } = resource;
  return {
    ...resource,
    reasons: reasons.map(noticeJson),
    warnings: warnings.map(noticeJson),
    changes: changes.map(withRefusalSaid),
    ...(prevented && { prevented: { ...prevented, changes: prevented.changes.map(withRefusalSaid) } }),
  };
}

/**
 * Yields an object as JSON, each piece with at most one element of a list or object. The whole text could double the
 * memory in use.
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

/** Formats with indentation. Splitting at line feeds is safe, because JSON texts contain none. */
function pretty(value: unknown, indent: number): string {
  return visibleJson(JSON.stringify(value, null, 2)).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Renders the results of several environments as one JSON text. */
export function renderEnvironmentsJson(documents: readonly string[]): string {
  const all = documents.map((json) => json.trimEnd()).join(',\n');
  return `{\n  "environments": [\n    ${all.replaceAll('\n', '\n    ')}\n  ]\n}\n`;
}

export function renderDriftJson(drift: Drift): string {
  const { warnings, resources } = drift;
  const said = resources.map((one) => ({
    ...one,
    reasons: one.reasons.map(noticeJson),
    moves: one.moves.map(withRefusalSaid),
  }));
  return asJson({ ...drift, warnings: warnings.map(noticeJson), resources: said });
}

/** Renders the result of an import as JSON. */
export function importJson(ledger: ImportLedger): string {
  const entries = ledger.entries.map(({ reasons, notes, left, ...entry }) => ({
    ...entry,
    ...(reasons && { reasons: reasons.map(noticeJson) }),
    ...(notes && { notes: notes.map(noticeJson) }),
    ...(left && { left: left.map(noticeJson) }),
  }));
  return asJson({ ...ledger, entries, general: ledger.general.map(noticeJson) });
}

function withRefusalSaid<One extends { readonly updateRefusal?: Notice }>(one: One): One {
  return one.updateRefusal === undefined ? one : { ...one, updateRefusal: noticeJson(one.updateRefusal) };
}

/** Renders the result of an apply or publish as JSON. */
export function renderLedgerJson(ledger: Ledger | PublishLedger): string {
  return joined(ledgerJson(ledger));
}

/** Yields the result of an apply or publish as JSON. */
export function ledgerJson(ledger: Ledger | PublishLedger): Iterable<string> {
  return jsonPieces({
    ...ledger,
    ...('entries' in ledger && { entries: ledger.entries.map(withNoticesSaid) }),
    ...('outdated' in ledger && { outdated: ledger.outdated?.map(noticeJson) }),
    ...(ledger.publishing && { publishing: ledger.publishing.map(withNoticesSaid) }),
  });
}

function withNoticesSaid<Entry extends Partial<Pick<LedgerEntry, 'reasons' | 'warnings'>>>(entry: Entry): Entry {
  const { reasons, warnings } = entry;
  return {
    ...entry,
    ...(reasons && { reasons: reasons.map(noticeJson) }),
    ...(warnings && { warnings: warnings.map(noticeJson) }),
  };
}

/** Formats any value as JSON without terminal control characters. */
export function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
