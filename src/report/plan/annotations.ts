import { addressOf } from '../../kinds/desired.ts';
import { conflictsOf, isUnclearEdit } from '../../plan/pending.ts';
import { fatesIn } from '../../plan/questions.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { listSome, present } from '../../text/wording.ts';
import type { Problem, Span } from '../../yaml/problem.ts';
import { sentenceOf, sentencesOf } from '../notices.ts';
import {
  type Annotation,
  annotationOfProblem,
  byLevel,
  type Placement,
  placeOfAnnotation,
  shownText,
} from '../problems/annotations.ts';
import { cardTitles, namesInFiles, orphanWords, renameNote, unansweredWords } from '../wording.ts';
import { editedWords } from './edits.ts';
import { type CardGroup, cardGroups } from './groups.ts';

interface PlanPlacement extends Placement {
  /** Finds the place of a setting in a manifest, or of the resource's name if there is no path. */
  readonly placeOf: (address: string, path?: string) => Span | undefined;
}

const maxPaths = 4;

/** Returns the annotations of a plan, sorted by level. They point at settings and names, and contain no values. */
export function annotationsOfPlan(
  { plan, warnings }: { readonly plan: Plan; readonly warnings: readonly Problem[] },
  placement: PlanPlacement,
): Annotation[] {
  const byGravity = plan.resources.toSorted((one, other) => gravityOf(one) - gravityOf(other));
  return byLevel([
    ...plan.refusals.map((refusal): Annotation => {
      const { code: rule } = refusal;
      const message = shownText(`Nothing will be applied: ${sentenceOf(refusal)}`, placement);
      return { rule, level: 'error', title: `agentform: ${rule}`, message };
    }),
    ...warnings.map((problem) => annotationOfProblem(problem, placement)),
    ...cardGroups(byGravity, { fateOf: fatesIn(plan) }).flatMap((group) => annotationsOf(group, placement)),
  ]).flat();
}

function annotationsOf({ first, fate, resources }: CardGroup, placement: PlanPlacement): Annotation[] {
  const renamed = first.renamedFrom === undefined ? [] : renameNote(first.renamedFrom, first, { isExact: true });
  const effects = first.action === 'create' ? ['will be created'] : effectsOf(first);
  const sentences = [sentencesOf(first.reasons), renamed, effects, sentencesOf(first.warnings)].flat();
  if (sentences.length === 0) return [];
  const orphaned = first.action === 'orphan' ? orphanWords : undefined;
  const at = placeOfResource(first, placement);
  const place = at && placeOfAnnotation(at, placement);
  const more = present(fate === 'unanswered' && unansweredWords, resources.length > 1 && namesInFiles(resources));
  return [
    {
      rule: `plan-${first.action}`,
      level: annotationLevel(first),
      // GitHub shows an annotation below its last line. Readers would miss it below a long text.
      ...(place && { ...place, endLine: place.line }),
      title: shownText(`${cardTitles(resources).address}: ${orphaned ?? first.action}`, placement),
      message: shownText([...sentences, ...more].join('; '), placement),
    },
  ];
}

function annotationLevel({ action, changes, warnings }: ResourcePlan): Annotation['level'] {
  if (action === 'failed') return 'error';
  if (action === 'blocked' || warnings.length > 0) return 'warning';
  const isPlain = ({ cause, knowledge, op }: Change) =>
    (cause === 'manifest' || cause === 'adopt') && (knowledge !== 'blind' || op === 'release');
  return action === 'create' || changes.every(isPlain) ? 'notice' : 'warning';
}

/** Actions and causes, with the most urgent first. GitHub shows only the first annotations. */
const gravest: readonly string[] = ['failed', 'blocked', 'conflict', 'drift'];

function gravityOf({ action, changes }: ResourcePlan): number {
  const found = new Set<string>([action, ...changes.map(({ cause }) => cause)]);
  const at = gravest.findIndex((word) => found.has(word));
  return at < 0 ? gravest.length : at;
}

function placeOfResource(resource: ResourcePlan, { placeOf }: PlanPlacement): Span | undefined {
  const conflicts = conflictsOf(resource);
  const [change, ...others] = conflicts.length > 0 ? conflicts : resource.changes;
  const isAlone = others.length === 0 && resource.action === 'update';
  return placeOf(addressOf(resource), isAlone ? change?.path : undefined);
}

function effectsOf(resource: ResourcePlan): string[] {
  const { changes } = resource;
  const edited = editedWords(isUnclearEdit(resource));
  const named = (text: string, isOf: (change: Change) => boolean) => {
    const paths = changes.filter(isOf).map(({ path }) => path);
    return paths.length > 0 && `${text}: ${listSome(paths, maxPaths)}`;
  };
  const because = (wanted: Change['cause'], text: string) => named(text, ({ cause }) => cause === wanted);
  const isNews = ({ cause }: Change) => cause === 'manifest' || cause === 'adopt';
  return present(
    because('conflict', `conflict, ${edited} and in the files`),
    because('drift', `drift, ${edited} and will be undone`),
    named('will change', isNews),
    named('cannot be read back', (change) => isNews(change) && change.knowledge === 'blind' && change.op !== 'release'),
    because('unverified', 'cannot be read back, may have been edited and will be sent again'),
  );
}
