import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import type { TextStyle } from './change-text.ts';
import { counted } from './counts.ts';
import { createPaint } from './paint.ts';
import { wrapProse } from './prose.ts';
import { resourceHeader, resourceLines, sentenceLines } from './resource-text.ts';
import { type PlanSymbol, symbolOfAction, symbolOfChange } from './symbols.ts';
import { noChangesSentence } from './verdict.ts';
import { visibleLine } from './visible-text.ts';
import { causesSentence, countsSentence, coverageSentences, isEmptyPlan, isUneventful, nounOf } from './wording.ts';

export interface PlanTextOptions {
  readonly color: boolean;
  /** Columns of the terminal; sentences are broken there, texts of values never. */
  readonly width: number;
  /** Whole texts, and every unchanged resource by name. */
  readonly full?: boolean;
}

/** A plan for a person at a terminal, who is to approve it. */
export function renderPlanText(plan: Plan, { color, width, full = false }: PlanTextOptions): string {
  const style: TextStyle = { paint: createPaint(color), width: Math.max(40, width), full };
  const eventful = plan.resources.filter((resource) => !isUneventful(resource));
  const blocks = [
    legendLines(plan, style),
    ...eventful.map((resource) => resourceLines(resource, style)),
    unchangedLines(plan, style),
    refusalLines(plan, style),
    closingLines(plan, style),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

/** What the signs mean, if any is used. */
function legendLines({ resources, environment, offline }: Plan, { paint }: TextStyle): string[] {
  const used = resources
    .filter((resource) => !isUneventful(resource))
    .flatMap(({ action, changes }): PlanSymbol[] => [
      symbolOfAction(action),
      ...changes.map((change) => symbolOfChange(change, action)),
    ]);
  const bySign = new Map(used.filter(({ sign }) => sign !== '·').map((symbol) => [symbol.meaning, symbol]));
  if (bySign.size === 0) return [];
  const meanings = [...bySign.values()].map(({ sign, meaning, brush }) => `${paint[brush](sign)} ${meaning}`);
  return [
    `${paint.strong(`${offline === undefined ? 'Plan' : 'Offline plan'} for ${visibleLine(environment)}`)}   ${meanings.join('   ')}`,
  ];
}

function unchangedLines(plan: Plan, style: TextStyle): string[] {
  const unchanged = plan.resources.filter(isUneventful);
  if (unchanged.length === 0 || (isEmptyPlan(plan) && !style.full)) return [];
  if (style.full) return unchanged.map((resource: ResourcePlan) => resourceHeader(resource, style));
  return [style.paint.faint(`· ${counted(unchanged.length, nounOf(plan))} unchanged`)];
}

function refusalLines({ refusals }: Plan, style: TextStyle): string[] {
  if (refusals.length === 0) return [];
  return [
    style.paint.failed('Refused: nothing will be applied'),
    ...refusals.flatMap(({ rule, message }) => sentenceLines(`${rule}: ${message}`, style.paint.failed, style)),
  ];
}

function closingLines(plan: Plan, { paint, width }: TextStyle): string[] {
  const layout = { width, indent: 0 };
  const verdict = isEmptyPlan(plan) ? noChangesSentence(plan, visibleLine(plan.environment)) : countsSentence(plan);
  const causes = causesSentence(plan);
  return [
    ...wrapProse(verdict, layout).map(paint.strong),
    ...(causes === undefined ? [] : wrapProse(causes, layout).map(paint.drift)),
    ...wrapProse(coverageSentences(plan), layout),
  ];
}
