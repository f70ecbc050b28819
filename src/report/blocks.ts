// Blocks hold the content of a document. The serializers for terminal, Markdown and HTML determine the appearance.

import type { Change, ChangeSource } from '../schemas/plan-types.ts';
import type { ChangeView } from './change-view.ts';
import type { MarkedLine } from './text-diff/words.ts';
import type { PlainValue } from './values.ts';

/** One or more sentences. In strings, text in backticks is code. Strings contain no other markup. */
export type Prose = string | readonly Inline[];

/** A part of a sentence: plain text, a link or emphasised text. */
export type Inline =
  | string
  /** `to` is the id of a block in the same document. */
  | { readonly text: string; readonly style?: 'strong'; readonly to?: string; readonly url?: string };

/** The state or kind of a card, chip or item. Each serializer shows it in its own way, for example as an icon. */
export type Mark =
  | 'changed'
  | 'new'
  | 'undone'
  | 'again'
  | 'held'
  | 'waiting'
  | 'same'
  | 'stopped'
  | 'failed'
  | 'gone'
  | 'unset'
  | 'released'
  | 'orphan'
  | 'done'
  | 'unknown'
  | 'warning'
  | 'question'
  | 'technical';

export interface Document {
  readonly head: Head;
  readonly isHeadless?: boolean;
  readonly sections: readonly Section[];
  /** The names of the two sides of a change, such as `Live now` and `Will be`. */
  readonly sides: readonly [before: string, after: string];
  /** Explanations for first-time readers of a page or comment. */
  readonly legend?: readonly LegendEntry[];
  /** The marks that a terminal explains beside the title. Without marks, the terminal shows no title. */
  readonly signs?: readonly { readonly mark: Mark; readonly text: string }[];
  /** The last lines on a terminal, which are the verdict and facts such as coverage. */
  readonly closing?: readonly string[];
}

/** The parts of a document that a terminal shows. */
export interface TerminalDocument extends Pick<Document, 'sections' | 'signs' | 'closing'> {
  readonly head: Pick<Head, 'project' | 'about' | 'environment' | 'state' | 'facts'>;
}

interface LegendEntry {
  readonly side?: string;
  readonly text: string;
}

export function legendProse(legend: readonly LegendEntry[], shown: ReadonlySet<string>): Inline[] {
  return legend.flatMap(({ side, text }): Inline[] => {
    if (side === undefined) return [`${text} `];
    return shown.has(side) ? [{ text: side, style: 'strong' }, ` ${text} `] : [];
  });
}

export interface Head {
  readonly project?: string | undefined;
  /** The words before the environment's name, such as `Plan for`. */
  readonly about: string;
  readonly environment: string;
  /** The heading, such as the title of a pull request or `Plan for production`. */
  readonly title: string;
  readonly state: { readonly text: string; readonly mark: Mark; readonly to?: string | undefined };
  readonly facts?: readonly HeadFact[];
  readonly chips?: readonly Chip[];
  /** The counts in sentences, for formats without chips. The first sentence is the verdict. */
  readonly verdict: readonly string[];
  readonly remarks?: readonly string[];
  /** The command that shows the complete document on a terminal. */
  readonly command?: string;
}

export interface HeadFact {
  readonly what: 'pull request' | 'branch' | 'commit' | 'author' | 'time';
  readonly text: string;
  readonly url?: string | undefined;
  /** The time, in ISO 8601 format. */
  readonly time?: string | undefined;
}

export interface Chip {
  readonly mark: Mark;
  readonly count: number;
  readonly text: string;
  readonly to: string;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  /** A count or sentences beside the title, for pages and comments. */
  readonly aside?: string | undefined;
  /** The column titles of a table that lists the section's cards, with the `what` of each card beside its title. */
  readonly columns?: readonly [card: string, what: string];
  readonly blocks: readonly Block[];
}

export type Block = Questions | Notes | Card | Results | Statement | Bars | Table;

export interface Questions {
  readonly type: 'questions';
  readonly isStop: boolean;
  readonly items: readonly Question[];
  /** Further questions, which are folded. */
  readonly more: readonly Question[];
  readonly reply: Prose;
}

export interface Question {
  readonly id: string;
  readonly number?: number;
  /** The question's id and the codes of its answers, such as `Agent/after-hours=keep|undo`. */
  readonly codes?: string | undefined;
  readonly title: string;
  readonly text: Prose;
  readonly answers: readonly Answer[];
  readonly answer?: string | undefined;
  /** The details of an obstacle, such as failed tests. */
  readonly items?: readonly string[];
  readonly advice?: Prose | undefined;
}

export interface Answer {
  readonly letter: string;
  readonly title: string;
  readonly text: string;
  /** The effect of the answer, such as `Voice back to warm-1`. */
  readonly effect?: string | undefined;
  /** A sentence that says which changes the answer loses, or how long it lasts. Only the card shows this sentence. */
  readonly loss?: string | undefined;
  /** For the default answer, words that say when the default applies. */
  readonly defaultWhen?: string | undefined;
  readonly command?: string | undefined;
}

/** Formats an answer in one line, such as `Undo the edits: Voice back to warm-1`. */
export function answerText({ title, text, effect }: Pick<Answer, 'title' | 'text' | 'effect'>): string {
  const words = `${title} ${text}`.trim();
  return effect === undefined ? words : `${words}: ${effect}`;
}

interface Notes {
  readonly type: 'notes';
  readonly items: readonly NotePart[];
}

/** A statement in place of a section's content, for example that nothing changes. */
interface Statement {
  readonly type: 'statement';
  readonly title: string;
  readonly text: string;
}

export interface Bars {
  readonly type: 'bars';
  readonly title: string;
  readonly rows: readonly Bar[];
}

export interface Bar {
  readonly mark: Mark;
  readonly label: string;
  readonly count: number;
  readonly total: number;
  /** The text beside the bar, such as `60 of 90, 30 on hold`. */
  readonly text: string;
}

export interface Table {
  readonly type: 'table';
  readonly columns: readonly string[];
  /** The columns that are shortened first on a narrow terminal. */
  readonly flexible: readonly string[];
  readonly rows: readonly { readonly mark: Mark; readonly cells: readonly string[] }[];
}

export interface Results {
  readonly type: 'results';
  readonly mark: Mark;
  readonly title: string;
  readonly items: readonly Result[];
}

export interface Result {
  readonly names: string;
  readonly status: string;
  /** Details to show in parentheses, such as `camp_1, updated`. */
  readonly about: string;
  readonly why?: string | undefined;
  /** The reasons with exact names and commands, if these differ from `why`. */
  readonly exact?: string | undefined;
  readonly parts: readonly Part[];
}

/** A foldable block, such as the changes of one resource, or of several resources with equal changes. */
export interface Card {
  readonly type: 'card';
  readonly id: string;
  readonly mark: Mark;
  readonly title: string;
  /** Whether the title names all resources. */
  readonly namesAll?: boolean | undefined;
  /** A summary of the changes, such as `Greeting, Regular checks`, and the words before it, such as `changed: `. */
  readonly what: string;
  readonly lead?: string | undefined;
  /** A summary with values, for a closed card. The summary is empty if `what` has the same words. */
  readonly summary?: () => string;
  /** What a terminal shows beside the title, such as `blocked`, and `camp_1 on service.example.com`. */
  readonly status?: string | undefined;
  readonly location?: string | undefined;
  /** The names of the two sides, if they differ from the names in the document. */
  readonly sides?: Document['sides'] | undefined;
  readonly tags?: readonly { readonly text: string; readonly mark: Mark }[];
  readonly isOpen?: boolean;
  readonly names?: Names | undefined;
  /** The content. The content is built when it is shown, because thousands of cards would use too much memory. */
  readonly parts?: () => Iterable<Part>;
  readonly technical?: () => Iterable<Fact>;
  /** The most important technical details, for formats with little space. */
  readonly foot?: () => Iterable<Prose>;
}

export interface Fact {
  readonly name: string;
  readonly text: Prose;
}

export type Part = ChangePart | ValuesPart | ConflictPart | ChoicesPart | NotePart | FactsPart;

export interface ChangePart {
  readonly type: 'change';
  /** The name of the setting, such as `Greeting`. */
  readonly name: string;
  readonly path: string;
  readonly op: Change['op'];
  readonly isAdded: boolean;
  /** The name of the new side, such as `If undone`, if the change depends on an answer. */
  readonly after?: string | undefined;
  readonly cause: Change['cause'];
  /** The values in words, if they fit in a sentence. */
  readonly values?: { readonly from?: PlainValue | undefined; readonly to?: PlainValue | undefined } | undefined;
  /** The values in manifest form, or the changed lines of a text. */
  readonly view: ChangeView;
  /** How much of a text changes, in words. */
  readonly about?: string | undefined;
  /** All lines of the new text, or none if they may differ between the resources that share the change. */
  readonly whole: readonly string[];
  readonly source?: ChangeSource | undefined;
  /** A remark after the values, such as `cannot be read back`. */
  readonly marker?: string | undefined;
  readonly note?: string | undefined;
  /** Findings of prompt checks, by line of the new text. */
  readonly findings: ReadonlyMap<number, string>;
  /** Words in place of the values, such as a reference to the card that shows the same text or change. */
  readonly sameAs?: Prose | undefined;
}

/** Settings that have only a new value. These are the settings of a new agent, and resent settings. */
export interface ValuesPart {
  readonly type: 'values';
  readonly id?: string | undefined;
  /** A sentence above the folded settings, and the summary to click. */
  readonly intro?: { readonly text: Prose; readonly summary: string } | undefined;
  readonly rows: readonly ChangePart[];
}

export interface ConflictPart {
  readonly type: 'conflict';
  readonly id?: string | undefined;
  readonly name: string;
  readonly path: string;
  readonly op: Change['op'];
  readonly about: string;
  readonly source?: ChangeSource | undefined;
  /** The value before both edits, and its label. Omitted for a long text, because both versions show their edits. */
  readonly before?: { readonly title: string; readonly value: PlainValue } | undefined;
  readonly sides: readonly ConflictSide[];
}

/** One version of a conflicting value, with the consequences of choosing it. */
export interface ConflictSide {
  /** The letter of the answer that selects this version, if there is a question. */
  readonly letter?: string | undefined;
  readonly title: string;
  /** A short value or a summary, with changed words marked. */
  readonly value?: MarkedLine | undefined;
  readonly lines: readonly MarkedLine[];
  readonly outcome: string;
  readonly isLive: boolean;
}

/** The answers to the question about the changes above, each with its effect. */
interface ChoicesPart {
  readonly type: 'choices';
  readonly answers: readonly Answer[];
}

export interface NotePart {
  readonly type: 'note';
  readonly id?: string | undefined;
  readonly mark: Mark;
  readonly text: Prose;
}

interface FactsPart {
  readonly type: 'facts';
  readonly rows: readonly Fact[];
}

export interface Names {
  /** A short form of all names, such as `Reception Alder to Reception Willow`. */
  readonly range: string;
  readonly names: readonly string[];
}

export function unnamedMembers({ namesAll, names }: Card): Names | undefined {
  return namesAll ? undefined : names;
}

export function summaryOf({ lead = '', what, summary }: Card, isOpen = false): string {
  return (isOpen ? '' : summary?.()) || `${lead}${what}`;
}

export function sidesOfChange({ after }: ChangePart, [live, planned]: Document['sides']): Document['sides'] {
  return [live, after ?? planned];
}

export function isGood(mark: Mark): boolean {
  return mark === 'done' || mark === 'waiting' || mark === 'held' || mark === 'same';
}

export const noticeSection = { id: 'notices', title: 'Good to know' };

export function notesSection(mark: Mark, texts: readonly Prose[], { id, title } = noticeSection): Section[] {
  if (texts.length === 0) return [];
  return [{ id, title, blocks: [{ type: 'notes', items: texts.map((text) => ({ type: 'note', mark, text })) }] }];
}

export function technicalCard(what: string, technical: () => readonly Fact[]): Card {
  return { type: 'card', id: 'technical', mark: 'technical', title: peopleWhoRunCommands, what, technical };
}

export const peopleWhoRunCommands = 'For people who run commands';

/** Returns the facts that have a value, without the backticks that mark commands in sentences. */
export function factsOf(known: readonly (readonly [name: string, text: string | undefined])[]): Fact[] {
  return known.flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [{ name, text: [text.replaceAll('`', '')] }],
  );
}

/** Splits a text at code in single backticks. Parts with odd indexes are code. */
export function codeParts(text: string): string[] {
  return text.split(/(?<!`)`([^`]+)`(?!`)/);
}

/**
 * Adds left-to-right marks to the arrows in escaped text, as entities. Without the marks, a browser would swap two values
 * in a right-to-left script, and show the new value before the old one.
 */
export function withOrderedSides(markup: string): string {
  const isRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(markup);
  return isRightToLeft ? markup.replaceAll(' → ', ' &lrm;→&lrm; ') : markup;
}

export function spansOf(text: Prose): readonly Inline[] {
  return typeof text === 'string' ? [text] : text;
}

/** Returns whether a text is a safe web address. Texts in a plan can be hostile. */
export function isAddress(url: string | undefined): url is string {
  return url !== undefined && /^https?:\/\/[^\s"'<>\\]+$/.test(url);
}

export function plainText(text: Prose): string {
  return spansOf(text)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('');
}

/** Makes a sentence of a text. A first word that is not purely letters, such as a file name, keeps its case. */
export function asSentence(text: string): string {
  const end = text === '' || /[.!?:”]$/.test(text) ? '' : '.';
  const start = /^[a-z][a-z'’-]*[ ,;:]/.test(text) ? text.charAt(0).toUpperCase() : text.charAt(0);
  return `${start}${text.slice(1)}${end}`;
}

/** Capitalises a sentence made of parts and ends it with a full stop. Links and emphasised parts stay unchanged. */
export function asSentences(text: Prose): Prose {
  const parts = spansOf(text);
  return parts.map((part, index) => {
    if (typeof part !== 'string') return part;
    const whole = asSentence(part);
    const start = index === 0 ? whole.slice(0, part.length) : part;
    return index === parts.length - 1 ? `${start}${/[.!?:”]\s*$/.test(part) ? '' : whole.slice(part.length)}` : start;
  });
}
