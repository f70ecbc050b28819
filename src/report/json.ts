import type { Ledger, LedgerEntry, PublishLedger } from '../apply/events.ts';
import type { Notice } from '../notices/notice.ts';
import { compactPlan, type WrittenPlan, writtenPlan } from '../plan/compact.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { joined } from '../text/pieces.ts';
import { visibleJson } from '../text/visible.ts';
import { writtenNotice } from './notices.ts';

/** The plan as data, with shared changes written once, unless it is expanded. */
export function renderPlanJson(plan: Plan, options: { readonly expand?: boolean } = {}): string {
  return joined(planJson(plan, options));
}

/** The same in pieces. A group may have thousands, so each is on one line: white space would be a third of the file. */
export function planJson(plan: Plan, { expand = false }: { readonly expand?: boolean } = {}): Iterable<string> {
  const shown = withMessages(expand ? plan : compactPlan(plan));
  const members = new Set<unknown>(shown.resources.filter(({ group }) => group !== undefined));
  return piecesOf(writtenPlan(shown), (one) => members.has(one));
}

/** The plan with a sentence in each notice, for people who read the JSON. */
function withMessages(plan: WrittenPlan): WrittenPlan {
  const { refusals, requires, groups, resources } = plan;
  return {
    ...plan,
    refusals: refusals.map(writtenNotice),
    ...(requires && { requires: requires.map((one) => ({ ...one, notice: writtenNotice(one.notice) })) }),
    ...(groups && { groups: groups.map(withSaid) }),
    resources: resources.map(withSaid),
  };
}

/** Most of thousands of resources have no notices. */
function withSaid<Saying extends { reasons?: Notice[]; warnings?: Notice[] }>(
  one: Saying,
): Saying | (Omit<Saying, 'reasons' | 'warnings'> & { reasons?: Notice[]; warnings?: Notice[] }) {
  const { reasons = [], warnings = [] } = one;
  if (reasons.length + warnings.length === 0) return one;
  return {
    ...one,
    ...(one.reasons !== undefined && { reasons: reasons.map(writtenNotice) }),
    ...(one.warnings !== undefined && { warnings: warnings.map(writtenNotice) }),
  };
}

/**
 * The JSON of an object in pieces, none of which has more than one element of a list or an object in it: all together may be as large as
 * everything else in memory.
 */
function* piecesOf(value: object, isOnOneLine: (element: unknown) => boolean = () => false): Generator<string> {
  let before = '{\n';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}  ${JSON.stringify(name)}: `;
    yield* Array.isArray(member) ? elementsOf(member, isOnOneLine) : [pretty(member, 2)];
    before = ',\n';
  }
  yield '\n}\n';
}

function* elementsOf(list: readonly unknown[], isOnOneLine: (element: unknown) => boolean): Generator<string> {
  let before = '[\n';
  for (const element of list) {
    yield `${before}    ${isOnOneLine(element) ? visibleJson(JSON.stringify(element)) : pretty(element, 4)}`;
    before = ',\n';
  }
  yield list.length === 0 ? '[]' : '\n  ]';
}

/** JSON has no line feed within a text. */
function pretty(value: unknown, indent: number): string {
  return visibleJson(JSON.stringify(value, null, 2)).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** The results of several environments, each with its JSON. */
export function renderEnvironmentsJson(documents: readonly string[]): string {
  const all = documents.map((json) => json.trimEnd()).join(',\n');
  return `{\n  "environments": [\n    ${all.replaceAll('\n', '\n    ')}\n  ]\n}\n`;
}

/** The drift as data. */
export function renderDriftJson(drift: Drift): string {
  const { warnings, resources } = drift;
  const said = resources.map((one) => ({ ...one, reasons: one.reasons.map(writtenNotice) }));
  return asJson({ ...drift, warnings: warnings.map(writtenNotice), resources: said });
}

/** The end of an apply or a publish as data. */
export function renderLedgerJson(ledger: Ledger | PublishLedger): string {
  return joined(ledgerJson(ledger));
}

/** The same in pieces. */
export function ledgerJson(ledger: Ledger | PublishLedger): Iterable<string> {
  return piecesOf({
    ...ledger,
    ...('entries' in ledger && { entries: ledger.entries.map(withReasonsSaid).map(withWarningsSaid) }),
    ...(ledger.publishing && { publishing: ledger.publishing.map(withReasonsSaid) }),
  });
}

function withReasonsSaid<Entry extends Pick<LedgerEntry, 'reasons'>>(entry: Entry): Entry {
  return entry.reasons === undefined ? entry : { ...entry, reasons: entry.reasons.map(writtenNotice) };
}

function withWarningsSaid(entry: LedgerEntry): LedgerEntry {
  return { ...entry, warnings: entry.warnings.map(writtenNotice) };
}

/** Any value as JSON that is safe on a terminal. */
export function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
