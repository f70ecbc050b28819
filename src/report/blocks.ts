// The blocks of a document, for terminal, Markdown and HTML. A block has the content, and a serializer decides its
// look.

import type { ChangeView } from './change-view.ts';
import type { MarkedLine } from './text-diff/words.ts';
import type { PlainValue } from './values.ts';

/** A sentence, as one text or in parts. Text in backticks is code. Never contains markup. */
export type Prose = string | readonly Inline[];

/** A part of a sentence: text, or a link or emphasised text. */
export type Inline = string | Span;

interface Span {
  readonly text: string;
  readonly look?: 'strong';
  /** The id of a block of the same document. */
  readonly to?: string;
  /** An https address. */
  readonly url?: string;
}

/** The subject of a card, chip or item. Serializers have an icon, a sign and a colour for each. */
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

/** A document from top to bottom. */
export interface Document {
  readonly head: Head;
  readonly sections: readonly Section[];
  /** The names of the two sides of a change: `Live now` and `Will be`. */
  readonly sides: readonly [before: string, after: string];
  /** The marks that a terminal explains. A document with marks has a heading. */
  readonly signs?: readonly { readonly mark: Mark; readonly text: string }[];
  /** Counts and coverage, for the end of a terminal's output. */
  readonly closing: readonly { readonly text: string; readonly isVerdict?: boolean; readonly mark?: Mark }[];
  /** Explains the words of the document, for people who read one for the first time. */
  readonly legend?: readonly Prose[];
}

export interface Head {
  readonly project?: string | undefined;
  /** `Plan for`, before the environment. */
  readonly about: string;
  readonly environment: string;
  /** The subject: the title of a pull request, or `Plan for production`. */
  readonly title: string;
  readonly state: { readonly text: string; readonly mark: Mark; readonly to?: string | undefined };
  readonly facts?: readonly HeadFact[];
  readonly chips?: readonly Chip[];
  /** The numbers in sentences, for media without chips: the first is the verdict. */
  readonly verdict: readonly string[];
  /** Sentences about the document as a whole. */
  readonly remarks?: readonly string[];
}

export interface HeadFact {
  readonly what: 'pull request' | 'branch' | 'commit' | 'author' | 'time';
  readonly text: string;
  readonly url?: string | undefined;
  /** A time in ISO 8601. */
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
  readonly aside?: string | undefined;
  /** In the list of contents. */
  readonly items: readonly {
    readonly mark: Mark;
    readonly text: string;
    readonly count?: number;
    readonly to: string;
  }[];
  readonly blocks: Iterable<Block>;
}

export type Block = Questions | Notes | Card | Results | Statement | Bars | Table;

/** Questions with their answers, or obstacles with advice. */
export interface Questions {
  readonly type: 'questions';
  readonly isStop: boolean;
  readonly items: readonly Question[];
  /** Further items, which are folded. */
  readonly more: readonly Question[];
  readonly reply: Prose;
}

export interface Question {
  readonly id: string;
  /** Absent for an obstacle, which has a code instead. */
  readonly number?: number;
  /** For commands: the id of the question with the codes of its answers, `Agent/after-hours=keep|undo`. */
  readonly codes?: string | undefined;
  readonly code?: string;
  readonly mark: Mark;
  readonly title: string;
  readonly text: Prose;
  /** The same without commands, for people without a terminal. */
  readonly plain?: Prose;
  readonly answers: readonly Answer[];
  /** Advice for an obstacle. */
  readonly advice?: Prose | undefined;
}

export interface Answer {
  readonly letter: string;
  /** The answer; its text follows the title. */
  readonly title: string;
  readonly text: string;
  /** `Voice back to warm-1`: its effect, where no card below shows it. */
  readonly effect?: string | undefined;
  readonly isDefault: boolean;
  readonly command?: string | undefined;
}

/** `Undo the edits: Voice back to warm-1` */
export function answerText({ title, text, effect }: Pick<Answer, 'title' | 'text' | 'effect'>): string {
  const words = `${title} ${text}`.trim();
  return effect === undefined ? words : `${words}: ${effect}`;
}

/** Notes that concern several cards, shown once. */
export interface Notes {
  readonly type: 'notes';
  readonly items: readonly NotePart[];
}

/** A sentence that fills a section, such as that there is nothing to do. */
export interface Statement {
  readonly type: 'statement';
  readonly title: string;
  readonly text: string;
}

/** The finished part of each whole, as bars of one length. */
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
  /** `60 of 90, 30 on hold`. */
  readonly text: string;
}

export interface Table {
  readonly type: 'table';
  readonly columns: readonly string[];
  /** The columns that a narrow terminal cuts first. */
  readonly flexible: readonly string[];
  readonly rows: readonly { readonly mark: Mark; readonly cells: readonly string[] }[];
}

/** Results of resources, with one line for each, such as all applied or all failed ones. */
export interface Results {
  readonly type: 'results';
  readonly mark: Mark;
  /** `Applied (3)`. */
  readonly title: string;
  readonly items: readonly Result[];
}

/** One resource, or several with the same result. */
export interface Result {
  /** `Agent/front-desk`. */
  readonly addresses: readonly string[];
  /** `not attempted`. */
  readonly status: string;
  /** `camp_1, updated`. */
  readonly about: string;
  readonly why?: string | undefined;
  readonly parts: readonly Part[];
  /** The same for people who know the dashboard alone. */
  readonly plain: {
    readonly names: string;
    readonly about: string;
    readonly why?: string;
    /** With the commands that the reason leaves out. */
    readonly exact?: string;
  };
}

/** One resource, or several with the same changes. */
export interface Card {
  readonly type: 'card';
  readonly id: string;
  readonly mark: Mark;
  /** `After hours`, `38 agents`. */
  readonly title: string;
  /** `changed: Greeting, Regular checks`. */
  readonly what: string;
  /**
   * The same with values, for a summary that is visible without opening the card. Computed on demand; by default
   * `what`.
   */
  readonly gist?: () => string;
  /** In the table of changes; undefined for a card that is not in it. */
  readonly cell?: string | undefined;
  /** For authors of manifests: `Agent/after-hours` and `camp_1 on service.example.com`. */
  readonly address: string;
  readonly status?: string | undefined;
  readonly place?: string | undefined;
  readonly tags?: readonly { readonly text: string; readonly mark: Mark }[];
  readonly isOpen?: boolean;
  readonly names?: Names | undefined;
  /** Made on demand, because those of thousands of cards would fill the memory. */
  readonly parts?: Iterable<Part>;
  readonly technical?: Iterable<Fact>;
  /** Sentences with commands, for people at a terminal. Elsewhere they belong to the technical details. */
  readonly hints?: readonly { readonly text: string; readonly mark: Mark }[];
  /** The commands of answers, which also belong to the technical details. */
  readonly commands?: readonly Fact[] | undefined;
}

export interface Fact {
  readonly name: string;
  readonly text: Prose;
}

export type Part = ChangePart | ValuesPart | ConflictPart | NotePart | FactsPart | AnswersPart;

/** A setting that changes. */
export interface ChangePart {
  readonly type: 'change';
  readonly id?: string | undefined;
  /** `Greeting`, and its name in the files: `settings.welcomeMessage`. */
  readonly name: string;
  readonly path: string;
  readonly op: 'set' | 'unset' | 'release';
  /** Set if there was no value before. */
  readonly isAdded: boolean;
  /** Whether it undoes a dashboard edit, whose direction is easy to mistake. */
  readonly isUndone?: boolean | undefined;
  /** Whether it is resent without a known change. */
  readonly isResent?: boolean | undefined;
  /** Both sides in words; undefined for a text. */
  readonly values?: { readonly from?: PlainValue | undefined; readonly to?: PlainValue | undefined } | undefined;
  /** Both sides in the form of manifests, and the lines of a text. */
  readonly view: ChangeView;
  /** The amount of change in a text, in words. */
  readonly about?: string | undefined;
  /** The new text, for the lines that a difference leaves out; empty for a text of several resources. */
  readonly whole: readonly string[];
  readonly source?: Source | undefined;
  /** After the values: `cannot be read back`. */
  readonly marker?: string | undefined;
  readonly note?: string | undefined;
  /** Findings by line of the new text, counted from 1. */
  readonly findings: ReadonlyMap<number, string>;
  /** The card that shows the text instead. */
  readonly sameAs?: { readonly text: string; readonly to: string; readonly address: string } | undefined;
}

export interface Source {
  readonly file: string;
  readonly line: number;
}

/** Settings with one value each, for a new agent and for resent settings. */
export interface ValuesPart {
  readonly type: 'values';
  readonly id?: string | undefined;
  /** Set for settings behind a sentence, which a click opens. */
  readonly intro?: { readonly text: Prose; readonly summary: string } | undefined;
  readonly rows: readonly ChangePart[];
}

/** A setting that both sides changed. */
export interface ConflictPart {
  readonly type: 'conflict';
  readonly id?: string | undefined;
  readonly name: string;
  readonly path: string;
  readonly op: 'set' | 'unset' | 'release';
  readonly about: string;
  readonly source?: Source | undefined;
  /** The value before both edits. */
  readonly before: string;
  /** The value in the form of a manifest. */
  readonly exactBefore: string;
  readonly sides: readonly Version[];
}

/** One version to choose, with its effect. */
export interface Version {
  /** The letter of its answer, if there is a question. */
  readonly letter?: string | undefined;
  readonly title: string;
  /** `on the service`, for people at a terminal. */
  readonly side: string;
  /** A short value, with that before both edits as its old one if words are marked. Undefined where a person must write it. */
  readonly value?: MarkedLine | undefined;
  /** The lines of a long text. */
  readonly lines: readonly MarkedLine[];
  /** The amount of change in a text, in words. */
  readonly gist?: string | undefined;
  readonly exact?: string | undefined;
  readonly outcome: string;
  readonly lost: readonly { readonly heading: string; readonly texts: readonly string[] }[];
  readonly isLive: boolean;
}

export interface NotePart {
  readonly type: 'note';
  readonly id?: string | undefined;
  readonly mark: Mark;
  readonly text: Prose;
  /** The same with the titles of settings. A terminal shows their names in the files. */
  readonly plain?: Prose | undefined;
  /** Whether other parts of the card show it, such as a difference at its line. Only a terminal shows this. */
  readonly isInText?: boolean;
}

export interface FactsPart {
  readonly type: 'facts';
  readonly rows: readonly Fact[];
}

/** The members of a group. */
export interface Names {
  /** `Reception Alder to Reception Willow`. */
  readonly range: string;
  readonly names: readonly string[];
  /** Their names in the files, shortened. */
  readonly listed: string;
  readonly addresses: readonly string[];
}

/** The choices, below their changes. */
export interface AnswersPart {
  readonly type: 'answers';
  readonly answers: readonly Answer[];
}

/** Whether a result needs no attention. */
export function isGood(mark: Mark): boolean {
  return mark === 'done' || mark === 'waiting' || mark === 'same';
}

/** The card with facts for the person who runs the commands. */
export function technicalCard(what: string, technical: readonly Fact[]): Card {
  const title = 'For the person who applies it';
  return { type: 'card', id: 'technical', mark: 'technical', title, what, address: '', technical };
}

/** The known facts, as texts without the backticks that mark commands in sentences. */
export function factsOf(known: readonly (readonly [name: string, text: string | undefined])[]): Fact[] {
  return known.flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [{ name, text: [text.replaceAll('`', '')] }],
  );
}

/** The parts of a sentence. */
export function spansOf(text: Prose): readonly Inline[] {
  return typeof text === 'string' ? [text] : text;
}

/** The sentences with commands that plain ones leave out, about what stops or fails. */
export function exactSentences(parts: Iterable<Part>): Prose[] {
  return Array.from(parts).flatMap((part) => {
    if (part.type !== 'note' || (part.mark !== 'stopped' && part.mark !== 'failed')) return [];
    return part.plain === undefined || plainText(part.plain) === plainText(part.text) ? [] : [part.text];
  });
}

/** The text of a sentence without its looks. */
export function plainText(text: Prose): string {
  return spansOf(text)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('');
}

/** The text with a capital, and with a full stop unless it ends in a sign. A file name keeps its first letter. */
export function asSentence(text: string): string {
  const end = text === '' || /[.!?:”]$/.test(text) ? '' : '.';
  const start = /^[a-z][a-z'’-]*[ ,;:]/.test(text) ? text.charAt(0).toUpperCase() : text.charAt(0);
  return `${start}${text.slice(1)}${end}`;
}

/** The same for a sentence in parts. */
export function asSentences(text: Prose): Prose {
  const parts = spansOf(text);
  return parts.map((part, index) => {
    if (typeof part !== 'string') return part;
    const whole = asSentence(part);
    const start = index === 0 ? whole.slice(0, part.length) : part;
    return index === parts.length - 1 ? `${start}${/[.!?:”]\s*$/.test(part) ? '' : whole.slice(part.length)}` : start;
  });
}
