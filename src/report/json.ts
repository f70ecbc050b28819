import type { Ledger, PublishLedger } from '../apply/events.ts';
import { compactPlan, type WrittenPlan, writtenPlan } from '../plan/compact.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { visibleJson } from '../text/visible.ts';

/** The plan as data; what resources share is written once, unless it is to be expanded. */
export function renderPlanJson(plan: Plan, { expand = false }: { readonly expand?: boolean } = {}): string {
  const shown: WrittenPlan = expand ? plan : compactPlan(plan);
  const written = writtenPlan(shown);
  if (written.groups === undefined) return asJson(written);
  const members = Object.entries({ ...written, resources: [] }).map(([name, value]) => {
    const json = name === 'resources' ? resourcesJson(written.resources) : memberJson(value);
    return `  ${JSON.stringify(name)}: ${json}`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}

/**
 * Of a group there may be thousands, so that each is on a line: white space would be a third of the file. Each is made ready by itself,
 * because all together may be as large as everything else in memory.
 */
function resourcesJson(resources: WrittenPlan['resources']): string {
  const each = resources.map(
    (resource) => `    ${indented(memberJson(resource, resource.group === undefined ? 2 : 0))}`,
  );
  return `[\n${each.join(',\n')}\n  ]`;
}

function memberJson(value: unknown, space = 2): string {
  return indented(visibleJson(JSON.stringify(value, null, space)));
}

/** JSON has no line feed within a text. */
function indented(json: string): string {
  return json.replaceAll('\n', '\n  ');
}

/** What came of several environments, each with JSON of its own. */
export function renderEnvironmentsJson(documents: readonly string[]): string {
  const all = documents.map((json) => json.trimEnd()).join(',\n');
  return `{\n  "environments": [\n    ${indented(indented(all))}\n  ]\n}\n`;
}

/** What drifted as data. */
export function renderDriftJson(drift: Drift): string {
  return asJson(drift);
}

/** The end of an apply or a publish as data. */
export function renderLedgerJson(ledger: Ledger | PublishLedger): string {
  return asJson(ledger);
}

/** Any value as JSON that is safe on a terminal. */
export function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
