import type { Card, Document, Mark, Part } from '../../report/blocks.ts';
import { prose } from '../../report/blocks.ts';
import { changePart, gistOfAll } from '../../report/changes.ts';
import { commentPages, defaultLimit } from '../../report/markdown/comment.ts';
import { documentText, type TextOptions } from '../../report/terminal/text.ts';
import { settingTitle } from '../../report/values.ts';
import { cardTitles, memberNames } from '../../report/wording.ts';
import type { EnvironmentDiff, ResourceDiff } from '../../schemas/diff-types.ts';
import { joined } from '../../text/pieces.ts';
import { listSome } from '../../text/wording.ts';
import { type DiffSection, sectionsOfDiff, verdictOfDiff } from './wording.ts';

/** The difference of two environments, for a person at a terminal. */
export function renderDiffText(diff: EnvironmentDiff, options: TextOptions): string {
  return joined(documentText(diffDocument(diff), options));
}

export interface DiffMarkdownOptions {
  /** The maximum UTF-16 units of the text. */
  readonly limit?: number;
}

/** The same for a pull request. Never longer than the limit: sections are left out whole, and named. */
export function renderDiffMarkdown(diff: EnvironmentDiff, { limit = defaultLimit }: DiffMarkdownOptions = {}): string {
  return commentPages(diffDocument(diff), { limit, most: 1 }).pages[0]?.text ?? '';
}

function diffDocument(diff: EnvironmentDiff): Document {
  const { environment, with: other } = diff;
  const cards = sectionsOfDiff(diff).map((section, index) => cardOf(section, `diff-${index + 1}`, diff));
  const verdict = verdictOfDiff(diff);
  const title = `${environment} → ${other}`;
  return {
    head: {
      about: 'Difference of',
      environment: title,
      title,
      state: { text: cards.length === 0 ? 'the same' : 'not the same', mark: cards.length === 0 ? 'done' : 'changed' },
      facts: [],
      chips: [],
      verdict: [verdict],
      remarks: [],
    },
    sections: cards.length === 0 ? [] : [{ id: 'changes', title: 'Differences', items: [], blocks: cards }],
    sides: [environment, other],
    signs:
      cards.length === 0
        ? []
        : [
            { mark: 'unset', text: environment },
            { mark: 'new', text: other },
          ],
    closing: [{ text: verdict, isVerdict: true }],
    legend: [],
  };
}

const marks: Readonly<Record<ResourceDiff['status'], Mark>> = {
  same: 'same',
  variables: 'same',
  differing: 'changed',
  onlyFrom: 'unset',
  onlyTo: 'new',
};

function cardOf(section: DiffSection, id: string, diff: EnvironmentDiff): Card {
  const { resources, changes } = section;
  const [first, ...others] = resources;
  const words: Readonly<Record<ResourceDiff['status'], string>> = {
    same: 'the same',
    variables: 'differs by variables alone',
    differing: 'differs',
    onlyFrom: `only in ${diff.environment}`,
    onlyTo: `only in ${diff.with}`,
  };
  const names = changes.map(({ path }) => settingTitle(first.kind, path));
  return {
    type: 'card',
    id,
    mark: marks[first.status],
    ...cardTitles(resources),
    what: words[first.status],
    gist: () => (changes.length === 0 ? words[first.status] : gistOfAll(changePartsOf(section))),
    cell: names.length === 0 ? words[first.status] : listSome([...new Set(names)], 4),
    tags: [],
    names: others.length > 0 ? memberNames(resources, '') : undefined,
    isOpen: true,
    parts: { [Symbol.iterator]: () => partsOf(section) },
    technical: [],
    hints: [],
  };
}

function* partsOf(section: DiffSection): Generator<Part> {
  yield* changePartsOf(section);
  for (const sentence of section.sentences) yield { type: 'note', mark: 'same', text: prose(sentence) };
}

function* changePartsOf({ resources, changes }: DiffSection) {
  const [{ kind }, ...others] = resources;
  for (const change of changes) yield changePart(change, { kind, isShared: others.length > 0 });
}
