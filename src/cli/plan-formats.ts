import type { Ledger } from '../apply/events.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { PlanResult } from '../session/plans/plan-result.ts';
import type { Console } from './console.ts';
import { inJson, type Renderers } from './formats.ts';
import { type Annotated, type AnnotationFormat, inGithub, inGitlab, placementOf } from './problem-formats.ts';

interface PlanAnswer {
  readonly result: PlanResult;
  readonly full: boolean;
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
}

export const planFormats: Renderers<PlanAnswer, 'text' | 'json' | 'markdown' | 'html' | AnnotationFormat> = {
  text: async ({ result: { shown }, full }, { answerStyle }) =>
    (await import('../report/plan.ts')).planText(shown, { ...answerStyle, full }),
  json: async ({ result: { plan } }) => (await import('../report/json.ts')).planJson(plan),
  async markdown({ result }) {
    const { renderPlanMarkdown } = await import('../report/plan.ts');
    return renderPlanMarkdown(result.shown, { remarks: await remarksOn(result) });
  },
  async html({ result }) {
    const { planHtml } = await import('../report/html/plan.ts');
    return planHtml(result.shown, { remarks: await remarksOn(result) });
  },
  github: async (answer, console) => inGithub(await planAnnotations(answer, console)),
  gitlab: async (answer, console) => inGitlab(await planAnnotations(answer, console)),
};

export async function planAnnotations({ result, project }: PlanAnswer, console: Console): Promise<Annotated> {
  const { annotationsOfPlan } = await import('../report/plan/annotations.ts');
  const placement = await placementOf(result, { project, console });
  return {
    annotations: annotationsOfPlan({ ...result, plan: result.shown }, { ...placement, placeOf: result.placeOf }),
    placement,
  };
}

/** Finds the warnings that do not belong to a line of a file. */
async function remarksOn({ warnings }: PlanResult): Promise<string[]> {
  const { problemSentence } = await import('../report/problems/sentence.ts');
  return warnings.filter(({ at }) => at === undefined).map(problemSentence);
}

export const ledgerFormats: Renderers<{ readonly plan: Plan; readonly ledger: Ledger }, 'text' | 'json'> = {
  async text({ plan, ledger }, { answerStyle, process: { stdout, stderr } }) {
    // On a terminal, the plan with its reasons is visible above the ledger. A ledger in a file must contain the reasons
    // itself.
    const planAbove = stdout.isTTY === true && stderr.isTTY === true ? plan : undefined;
    return (await import('../report/ledger.ts')).renderLedgerText(ledger, { ...answerStyle, planAbove });
  },
  json: inJson(({ ledger }) => ledger),
};
