import type { Ledger, PublishLedger } from '../apply/events.ts';
import { compactPlan, type WrittenPlan, writtenPlan } from '../plan/compact.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { joined } from '../text/pieces.ts';
import { visibleJson } from '../text/visible.ts';

/** The plan as data, with shared changes written once, unless it is expanded. */
export function renderPlanJson(plan: Plan, options: { readonly expand?: boolean } = {}): string {
  return joined(planJson(plan, options));
}

/** The same in pieces. A group may have thousands, so each is on one line: white space would be a third of the file. */
export function planJson(plan: Plan, { expand = false }: { readonly expand?: boolean } = {}): Iterable<string> {
  const shown: WrittenPlan = expand ? plan : compactPlan(plan);
  const members = new Set<unknown>(shown.resources.filter(({ group }) => group !== undefined));
  return piecesOf(writtenPlan(shown), (one) => members.has(one));
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
  return asJson(drift);
}

/** The end of an apply or a publish as data. */
export function renderLedgerJson(ledger: Ledger | PublishLedger): string {
  return joined(ledgerJson(ledger));
}

/** The same in pieces. */
export function ledgerJson(ledger: Ledger | PublishLedger): Iterable<string> {
  return piecesOf(ledger);
}

/** Any value as JSON that is safe on a terminal. */
export function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
