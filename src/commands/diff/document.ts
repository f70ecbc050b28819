import { type Group, withoutUndefined } from '../../json/json.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import { alike, selectorOf } from '../../report/alike.ts';
import type { Card, Document, Mark, Part } from '../../report/blocks.ts';
import { changeParts, summaryOfAll } from '../../report/changes.ts';
import { type SingleCommentOptions, singleComment } from '../../report/markdown/comment.ts';
import { documentText, type TerminalOptions } from '../../report/terminal/text.ts';
import { settingTitles } from '../../report/values.ts';
import { cardHead } from '../../report/wording.ts';
import type { Difference, EnvironmentDiff, LastApplied, ResourceDiff } from '../../schemas/diff-types.ts';
import type { Change } from '../../schemas/plan-types.ts';
import { joined } from '../../text/lines.ts';
import { momentOf } from '../../text/time.ts';
import { counted, listCounts, listSome, shorten } from '../../text/wording.ts';

export function renderDiffText(diff: EnvironmentDiff, options: TerminalOptions): string {
  return joined(documentText(diffDocument(diff, { isExact: true }), options));
}

/** Renders a difference for a pull request. */
export function renderDiffMarkdown(diff: EnvironmentDiff, options?: SingleCommentOptions): string {
  return singleComment(diffDocument(diff, { isExact: false }), options);
}

interface DiffStyle {
  /** Whether to show names as in the files, for a terminal. */
  readonly isExact: boolean;
}

function diffDocument(diff: EnvironmentDiff, style: DiffStyle): Document {
  const { environment, with: other } = diff;
  const cards = sectionsOfDiff(diff).map((section, index) =>
    cardOf(section, { ...style, id: `diff-${index + 1}`, diff }),
  );
  const verdict = verdictOfDiff(diff);
  const title = `${environment} → ${other}`;
  const isSame = cards.length === 0;
  const signs = [{ mark: 'unset', text: environment } as const, { mark: 'new', text: other } as const];
  return {
    head: {
      about: 'Difference of',
      environment: title,
      title,
      state: isSame ? { text: 'the same', mark: 'done' } : { text: 'not the same', mark: 'changed' },
      verdict: [verdict],
      command: commandIn(undefined, `diff ${environment} ${other} --full`),
    },
    sections: isSame
      ? []
      : [{ id: 'changes', title: 'Differences', columns: ['Resource', 'Difference'], blocks: cards }],
    sides: [environment, other],
    signs: isSame ? [] : signs,
    closing: [verdict],
  };
}

const marks: Readonly<Record<ResourceDiff['status'], Mark>> = {
  same: 'same',
  variables: 'same',
  differing: 'changed',
  onlyFrom: 'unset',
  onlyTo: 'new',
};

function cardOf(
  section: DiffSection,
  { id, diff, isExact }: DiffStyle & { readonly id: string; readonly diff: EnvironmentDiff },
): Card {
  const { resources, changes } = section;
  const [first] = resources;
  const words: Readonly<Record<ResourceDiff['status'], string>> = {
    same: 'the same',
    variables: 'differs only in variables',
    differing: 'differs',
    onlyFrom: `only in ${diff.environment}`,
    onlyTo: `only in ${diff.with}`,
  };
  const names = settingTitles(
    first.kind,
    changes.map(({ path }) => path),
  );
  const { foot, ...head } = cardHead(resources, { isExact });
  return {
    type: 'card',
    id,
    mark: marks[first.status],
    ...head,
    what: names || words[first.status],
    summary: () => summaryOfAll(changePartsOf(section)),
    isOpen: true,
    parts: () => partsOf(section),
    foot: () => foot,
  };
}

function* partsOf(section: DiffSection): Generator<Part> {
  yield* changePartsOf(section);
  for (const sentence of section.sentences) yield { type: 'note', mark: 'same', text: sentence };
}

function* changePartsOf({ resources, changes }: DiffSection) {
  const [{ kind }, ...others] = resources;
  for (const change of changes) yield* changeParts(change, { kind, isShared: others.length > 0 });
}

/** A section about one resource, or about several with the same differences. */
interface DiffSection {
  readonly resources: Group<ResourceDiff>;
  readonly changes: readonly Change[];
  /** Sentences about variables and applied values. */
  readonly sentences: readonly string[];
}

/**
 * Returns a section for each resource that differs between the environments. Resources that are held or not fully
 * applied in either environment have sections too.
 */
function sectionsOfDiff(diff: EnvironmentDiff): DiffSection[] {
  const isApplied = (applied: LastApplied | undefined) => applied?.isCurrent === true && applied.held === undefined;
  const eventful = diff.resources.filter(
    ({ status, applied: { from, to } }) => status !== 'same' || ![from, to].every(isApplied),
  );
  const key = ({ kind, status, differences, variables, applied }: ResourceDiff) => {
    const { from, to } = applied;
    return JSON.stringify([kind, status, differences, variables, from?.isCurrent, to?.isCurrent, from?.held, to?.held]);
  };
  return alike(eventful, key).map((resources): DiffSection => {
    const [first] = resources;
    const said = [...variableSentences(first, diff), ...appliedSentences(resources, diff)];
    return { resources, changes: first.differences.map(asChange), sentences: said };
  });
}

function asChange({ path, from, to, source }: Difference): Change {
  return {
    op: to === undefined ? 'unset' : 'set',
    path,
    ...withoutUndefined({ from, to }),
    cause: 'manifest',
    knowledge: 'compared',
    ...(source !== undefined && { source }),
  };
}

/** The maximum length of a variable's value, in characters. */
const maxShown = 60;

function variableSentences({ variables }: ResourceDiff, diff: EnvironmentDiff): string[] {
  const shown = (text: string) => JSON.stringify(shorten(text, maxShown));
  return variables.map(({ name, from, to, paths }) => {
    const values = `${shown(from)} in ${diff.environment}, ${shown(to)} in ${diff.with}`;
    return `\${var.${name}} is ${values} (${listSome(paths, 3)})`;
  });
}

function appliedSentences(resources: DiffSection['resources'], diff: EnvironmentDiff): string[] {
  const [first, ...others] = resources;
  const names = others.length === 0 ? addressOf(first) : selectorOf(resources, diff.resources);
  return (['from', 'to'] as const).flatMap((member) => {
    const environment = member === 'from' ? diff.environment : diff.with;
    const isThere = first.status !== (member === 'from' ? 'onlyTo' : 'onlyFrom');
    const applied = first.applied[member];
    if (!isThere && applied === undefined) return [`${environment}: not declared`];
    if (applied === undefined) return [`${environment}: never applied; run ${commandIn(environment, `plan ${names}`)}`];
    const times = resources.flatMap((one) => one.applied[member]?.at ?? []).sort();
    return [`${environment}: ${whenOf(times, resources, member)}${stateOf(applied, environment, names)}`];
  });
}

function whenOf(times: readonly string[], resources: DiffSection['resources'], member: 'from' | 'to'): string {
  const commits = [...new Set(resources.flatMap((one) => one.applied[member]?.commit?.slice(0, 12) ?? []))];
  const moments = times.flatMap((time) => momentOf(time) ?? []);
  const [since, until] = [moments[0], moments.at(-1)];
  if (since === undefined) return 'adopted, not applied yet';
  const when = since === until ? since : `${since} to ${until}`;
  return `last applied ${when}${commits.length === 0 ? '' : ` from ${listSome(commits, 3)}`}`;
}

function stateOf({ isCurrent, held }: LastApplied, environment: string, names: string): string {
  if (held !== undefined) return `; ${held}`;
  if (isCurrent) return ', as the manifests declare';
  const plan = commandIn(environment, `plan ${names}`);
  return isCurrent === undefined
    ? `; the record does not show whether the whole manifest was applied, so run ${plan}`
    : `, but the manifests now declare other values; run ${plan}`;
}

/** Returns the result in one line: `17 resources: 2 differ, 3 differ only in variables, 12 identical.` */
function verdictOfDiff({ summary, environment, with: other }: EnvironmentDiff): string {
  const { same, variables, differing, onlyFrom, onlyTo } = summary;
  const total = same + variables + differing + onlyFrom + onlyTo;
  const counts = listCounts(
    [
      [differing, differing === 1 ? 'differs' : 'differ'],
      [variables, variables === 1 ? 'differs only in variables' : 'differ only in variables'],
      [onlyFrom, `only in ${environment}`],
      [onlyTo, `only in ${other}`],
      [same, 'identical'],
    ],
    0,
  );
  return total === 0 ? 'There is nothing to compare.' : `${counted(total, 'resource')}: ${counts}.`;
}
