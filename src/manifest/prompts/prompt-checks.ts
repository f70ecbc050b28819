import { textRoleAt } from '../../kinds/text-role.ts';
import type { KindName, TextRole } from '../../schemas/fields.ts';
import { splitText } from '../syntax/interpolate.ts';
import { type Problem, placeKey, type Span } from '../syntax/problem.ts';
import { type LintLevel, lintRules } from '../syntax/rules.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { type MapNode, memberOf, type ScalarNode, scalarsOf, textOf } from '../syntax/tree.ts';
import { findInvisible } from './characters.ts';
import { areNearly, type Contact, contactsIn, findInvalidContacts } from './contacts.ts';
import { foreignLanguage } from './language.ts';
import { findBrokenMarkdown, findConflictMarks, findDeadFileLinks } from './markdown.ts';
import { type Places, placesInYaml, placesOf, writtenText } from './places.ts';
import { type Finding, type PromptRule, PromptText } from './prompt-text.ts';
import { type NamedThing, namedThings, plainName } from './references.ts';
import { type ComparedText, findRepetitions, type PlaceInText } from './repetition.ts';
import { findSecrets } from './secrets.ts';
import { tokensIn } from './sentences.ts';
import { findSlots } from './slots.ts';
import { findUnspeakable } from './spoken.ts';

/** A variable, with where a file declares it. */
interface PutIn {
  readonly text: string;
  readonly at?: Span;
}

/** A resource whose texts are to be checked. */
export interface CheckedResource {
  readonly kind: KindName;
  /** Its sections, with everything put in. */
  readonly tree: MapNode;
  readonly variable: (name: string) => PutIn | undefined;
  /** The file of a path, if it was read. */
  readonly source: (file: string) => SourceFile | undefined;
  /** Whether there is a file that one of the project names. */
  readonly hasFile: (from: string, reference: string) => boolean;
}

/** What `lint:` says: which rules are wanted, and how long a text may be. */
export interface PromptLevels {
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly maxima: Readonly<Record<string, number>>;
  /** All rules that are not off, or only those whose findings are errors. */
  readonly wanted: 'all' | 'errors';
}

/** A text by itself: what is wrong with it, and what has to be compared with the rest of its agent. */
interface Analysis {
  readonly prompt: PromptText;
  readonly findings: readonly Finding[];
  readonly contacts: readonly Contact[];
  readonly things: readonly NamedThing[];
  /** By the language that is expected, the one that it is in instead. */
  readonly foreign: Map<string, string | undefined>;
}

/** A text of the resource, or the value of a variable in one. */
interface Piece extends ComparedText, Analysis {
  readonly places: Places;
  /** It is the value of a variable. */
  readonly isValue: boolean;
  readonly node: ScalarNode;
}

/** So many characters of texts are kept: an analysis takes twenty times the memory of its text, and most texts are not shared. */
const mostKnown = 1_000_000;

/** Found in a plan, and not in a text. */
const ofPlans: ReadonlySet<PromptRule> = new Set(['prompt-shrunk']);

const promptRules: readonly PromptRule[] = lintRules.flatMap(({ name }) => (isPromptRule(name) ? [name] : []));

function isPromptRule(name: string): name is PromptRule {
  return name.startsWith('prompt-');
}

/**
 * Looks into the texts that instruct or are spoken, as they are written: a text that many resources share is looked into
 * once, and what is wrong with it is wrong in one place. The values of variables are texts of their own.
 */
export class PromptChecks {
  readonly #known = new Map<string, Promise<Analysis>>();
  /** Of all texts that are known. */
  #characters = 0;
  readonly #hidden = new Set<string>();
  readonly #rules: ReadonlySet<PromptRule>;
  readonly #mostCharacters: number;

  constructor({ lint, maxima, wanted }: PromptLevels) {
    const levels = new Map<string, LintLevel>(lintRules.map(({ name, level }) => [name, lint[name] ?? level]));
    const isWanted = (level: LintLevel | undefined) => (wanted === 'all' ? level !== 'off' : level === 'error');
    this.#rules = new Set(promptRules.filter((name) => isWanted(levels.get(name)) && !ofPlans.has(name)));
    const usual = lintRules.find(({ name }) => name === 'prompt-length')?.max;
    this.#mostCharacters = maxima['prompt-length'] ?? usual ?? Number.POSITIVE_INFINITY;
  }

  /** All that is wrong with the texts of a resource, each as a warning. */
  async problems(resource: CheckedResource): Promise<Problem[]> {
    if (this.#rules.size === 0) return [];
    const texts = textsIn(resource);
    if (texts.length === 0) return [];
    const pieces: Piece[] = [];
    for (const { node, role } of texts) pieces.push(await this.#pieceOf(node, role, resource));
    const values = await this.#valuesIn(texts, resource);
    return [
      ...[...pieces, ...values].flatMap((piece) => this.#ownProblems(piece, resource)),
      ...pieces.flatMap((piece) => this.#lengthProblem(piece)),
      ...this.#repetitions(pieces),
      ...this.#contacts([...pieces, ...values], resource),
      ...this.#references(pieces, resource),
      ...(await this.#languages(pieces, resource)),
    ];
  }

  has(rule: PromptRule): boolean {
    return this.#rules.has(rule);
  }

  async #pieceOf(node: ScalarNode, role: TextRole, { source, variable }: CheckedResource): Promise<Piece> {
    const analysis = await this.#analysed(writtenText(node), role);
    const wordsOf = (reference: string): readonly string[] | undefined => {
      const [piece] = splitText(reference);
      const text = piece?.type === 'var' ? variable(piece.name)?.text : undefined;
      return text === undefined || text.length > 200 ? undefined : tokensIn(text, () => '');
    };
    return { ...analysis, node, wordsOf, isValue: false, places: placesOf(node, source) };
  }

  /** Each variable once, where a file declares it, or the text that it was put into. */
  async #valuesIn(texts: readonly PlacedText[], resource: CheckedResource): Promise<Piece[]> {
    const found = new Map<string, Piece>();
    for (const { node, role } of texts) {
      if (node.raw === undefined && node.from === undefined && node.patched === undefined) continue;
      for (const piece of splitText(writtenText(node))) {
        if (piece.type !== 'var' || found.has(`${role} ${piece.name}`)) continue;
        const variable = resource.variable(piece.name);
        if (variable === undefined || variable.text.trim().length < 3) continue;
        const { text, at } = variable;
        const places = at === undefined ? () => node.at : placesInYaml(at, text, resource.source);
        const analysis = await this.#analysed(text, role);
        found.set(`${role} ${piece.name}`, { ...analysis, node, wordsOf: () => undefined, isValue: true, places });
      }
    }
    return [...found.values()];
  }

  #analysed(written: string, role: TextRole): Promise<Analysis> {
    const key = `${role} ${written}`;
    const known = this.#known.get(key);
    const analysis = known ?? this.#analyse(written, role);
    // What was used last comes last.
    this.#known.delete(key);
    this.#known.set(key, analysis);
    if (known === undefined) this.#forgetOldest(key.length);
    return analysis;
  }

  #forgetOldest(added: number): void {
    this.#characters += added;
    for (const key of this.#known.keys()) {
      if (this.#characters <= mostKnown || this.#known.size === 1) return;
      this.#known.delete(key);
      this.#characters -= key.length;
    }
  }

  async #analyse(written: string, role: TextRole): Promise<Analysis> {
    const prompt = new PromptText(written, role, await parser());
    const checks: Array<readonly [PromptRule, (text: PromptText) => Finding[] | Promise<Finding[]>]> = [
      ['prompt-placeholder', findSlots],
      ['prompt-merge-conflict', findConflictMarks],
      ['prompt-markdown', findBrokenMarkdown],
      ['prompt-unspeakable', findUnspeakable],
      ['prompt-invisible', findInvisible],
      ['prompt-contact-invalid', findInvalidContacts],
      ['prompt-secret', (text) => findSecrets(text, () => import('./libraries.ts'))],
    ];
    const findings: Finding[] = [];
    for (const [rule, find] of checks) if (this.has(rule)) findings.push(...(await find(prompt)));
    // What is told of a contact already is not compared.
    const isTold = (one: Contact) => findings.some(({ start, end }) => one.start < end && start < one.end);
    const contacts = this.has('prompt-contact-differs') ? contactsIn(prompt.masked).filter((one) => !isTold(one)) : [];
    const things = this.has('prompt-unknown-reference') ? namedThings(prompt) : [];
    const kept = findings.filter(({ rule, start }) => !prompt.allows(rule, start));
    return { prompt, findings: kept, contacts, things, foreign: new Map() };
  }

  #ownProblems({ findings, places, prompt, node }: Piece, { source, hasFile }: CheckedResource): Problem[] {
    const from = node.from?.path ?? node.patched?.from?.path ?? node.at.file;
    const links = this.has('prompt-markdown') ? findDeadFileLinks(prompt, (reference) => hasFile(from, reference)) : [];
    const kept = links.filter(({ rule, start }) => !prompt.allows(rule, start));
    return [...findings, ...kept].map(({ rule, message, start, end, isSecret }) => {
      const at = places(start, end);
      if (isSecret) this.#hide(at, source);
      return { severity: 'warning', rule, message, at, ...(isSecret && { hideSource: true as const }) };
    });
  }

  #hide(at: Span, source: CheckedResource['source']): void {
    if (this.#hidden.has(placeKey(at))) return;
    this.#hidden.add(placeKey(at));
    source(at.file)?.hide(at);
  }

  #lengthProblem({ node, places, prompt }: Piece): Problem[] {
    const length = typeof node.value === 'string' ? node.value.length : 0;
    if (!this.has('prompt-length') || length <= this.#mostCharacters || prompt.allows('prompt-length', 0)) return [];
    const message = `this text has more than ${this.#mostCharacters} characters; take out what the agent does not need`;
    return [{ severity: 'warning', rule: 'prompt-length', message, at: places(0, 1) }];
  }

  /** The same text in two settings is one text. */
  #repetitions(pieces: readonly Piece[]): Problem[] {
    if (!this.has('prompt-duplicate') && !this.has('prompt-contradiction')) return [];
    const distinct = [...new Map(pieces.map((piece) => [piece.prompt, piece])).values()];
    return findRepetitions(distinct).flatMap(({ rule, message, at, also }) => {
      const isAllowed = [at, also].some(({ text, start }) => text.prompt.allows(rule, start));
      if (!this.has(rule) || isAllowed) return [];
      const second = { message: also.message, at: spanOf(also) };
      return [{ severity: 'warning', rule, message, at: spanOf(at), also: second }];
    });
  }

  #contacts(pieces: readonly Piece[], resource: CheckedResource): Problem[] {
    if (!this.has('prompt-contact-differs')) return [];
    const prompts = pieces.flatMap((piece) => piece.contacts.map((contact) => mentionIn(piece, contact)));
    const mentions = [...contactsOfSettings(resource), ...prompts];
    const byValue = new Map<string, Mention[]>();
    for (const mention of mentions) {
      const known = byValue.get(mention.contact.value);
      if (known === undefined) byValue.set(mention.contact.value, [mention]);
      else known.push(mention);
    }
    const distinct = [...byValue.values()].slice(0, mostContacts);
    return distinct.flatMap((own, index) => {
      const mention = own.find(({ piece }) => piece !== undefined);
      if (mention?.piece === undefined) return [];
      const other = distinct.find((one, at) => at !== index && isMistaken(own, one, at < index));
      const [right] = other ?? [];
      if (right === undefined) return [];
      if (mention.piece.prompt.allows('prompt-contact-differs', mention.contact.start)) return [];
      const noun = { phone: 'phone number', email: 'e-mail address', host: 'host' }[mention.contact.kind];
      const message = `the ${noun} '${mention.contact.shown}' is nearly the one that the agent has elsewhere; correct the one that is wrong`;
      const also = { message: 'the other one', at: right.at() };
      return [{ severity: 'warning', rule: 'prompt-contact-differs', message, at: mention.at(), also }];
    });
  }

  /** A list that is not declared is not managed, and who knows which actions the agent has. */
  #references(pieces: readonly Piece[], { tree }: CheckedResource): Problem[] {
    if (pieces.every(({ things }) => things.length === 0)) return [];
    const skills = namesIn(memberOf(tree, 'skills'), 'slug');
    const apps = namesIn(memberOf(tree, 'apps'), 'appId');
    const actions = namesIn(memberOf(memberOf(tree, 'settings'), 'actions'), undefined);
    if (skills === undefined || apps === undefined || actions === undefined) return [];
    const known = new Set([...skills, ...apps, ...actions, 'pauseAndThink'].map(plainName));
    const told = new Set<string>();
    return pieces.flatMap(({ things, prompt, places }) =>
      things.flatMap(({ sort, name, start, end }): Problem[] => {
        if (known.has(plainName(name)) || told.has(plainName(name))) return [];
        if ((sort === 'action' && actions.length === 0) || prompt.allows('prompt-unknown-reference', start)) return [];
        told.add(plainName(name));
        const article = sort === 'skill' ? 'a' : 'an';
        const message = `the agent has no ${sort} '${name}'; declare it, or name ${article} ${sort} that the agent has`;
        return [{ severity: 'warning', rule: 'prompt-unknown-reference', message, at: places(start, end) }];
      }),
    );
  }

  async #languages(pieces: readonly Piece[], { tree }: CheckedResource): Promise<Problem[]> {
    const lang = textOf(memberOf(tree, 'settings'), 'agentLang') ?? '';
    const expected = lang.startsWith('en-') ? 'eng' : lang.startsWith('es-') ? 'spa' : undefined;
    if (expected === undefined || !this.has('prompt-language')) return [];
    const { francAll } = await import('./libraries.ts');
    return pieces.flatMap(({ prompt, foreign, places }): Problem[] => {
      if (!foreign.has(expected)) foreign.set(expected, foreignLanguage(prompt, expected, francAll));
      const language = foreign.get(expected);
      const start = Math.max(0, prompt.masked.search(/\p{L}/u));
      if (language === undefined || prompt.allows('prompt-language', start)) return [];
      const message = `this text is in ${language}, but agentLang is ${lang}; change one of them`;
      const end = prompt.endOf(prompt.lineOf(start));
      return [{ severity: 'warning', rule: 'prompt-language', message, at: places(start, end) }];
    });
  }
}

/** Every pair of them is compared. */
const mostContacts = 200;

let loaded:
  | Promise<(text: string) => ReturnType<InstanceType<typeof import('./libraries.ts').MarkdownIt>['parse']>>
  | undefined;

/** Blocks only: what is inside a line is looked for with less work. */
function parser(): NonNullable<typeof loaded> {
  loaded ??= import('./libraries.ts').then(({ MarkdownIt }) => {
    const markdown = new MarkdownIt({ html: false, maxNesting: 20 });
    markdown.core.ruler.enableOnly(['normalize', 'block']);
    markdown.block.State = withLightTokens(markdown.block.State);
    return (text) => markdown.parse(text, {});
  });
  return loaded;
}

type BlockState = InstanceType<typeof import('./libraries.ts').MarkdownIt>['block']['State'];

/** The parser's tokens define each of their fields by a call, which takes a quarter of its time. */
function withLightTokens(State: BlockState): BlockState {
  return class extends State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): InstanceType<typeof this.Token> {
      if (nesting < 0) this.level -= 1;
      const token = Object.create(this.Token.prototype);
      token.type = type;
      token.tag = tag;
      token.nesting = nesting;
      token.level = this.level;
      token.attrs = token.children = token.map = token.meta = null;
      token.content = token.info = token.markup = '';
      token.block = true;
      token.hidden = false;
      if (nesting > 0) this.level += 1;
      this.tokens.push(token);
      return token;
    }
  };
}

interface PlacedText {
  readonly node: ScalarNode;
  readonly role: TextRole;
}

/** Of a text that could not be read there is nothing to check; of one with a secret, what is written. */
function textsIn({ kind, tree }: CheckedResource): PlacedText[] {
  const texts: PlacedText[] = [];
  for (const [steps, node] of scalarsOf(tree)) {
    const role = typeof node.value === 'string' ? textRoleAt(kind, steps) : undefined;
    if (role !== undefined && writtenText(node).trim() !== '') texts.push({ node, role });
  }
  return texts;
}

function spanOf({ text, start, end }: PlaceInText<Piece>): Span {
  return text.places(start, end);
}

/** A place that has a contact. */
interface Mention {
  readonly contact: Contact;
  readonly at: () => Span;
  /** Absent for a setting that is no text. */
  readonly piece?: Piece;
  readonly line: number;
}

function mentionIn(piece: Piece, contact: Contact): Mention {
  return {
    contact,
    piece,
    line: piece.prompt.lineOf(contact.start),
    at: () => piece.places(contact.start, contact.end),
  };
}

function contactsOfSettings({ kind, tree }: CheckedResource): Mention[] {
  const mentions: Mention[] = [];
  for (const [steps, node] of scalarsOf(tree)) {
    const { value, sensitive, opaque } = node;
    if (typeof value !== 'string' || sensitive || opaque || value.length > 2_000) continue;
    if (steps[0] === 'extraSettings' || textRoleAt(kind, steps) !== undefined) continue;
    for (const contact of contactsIn(value)) mentions.push({ contact, at: () => node.at, line: 0 });
  }
  return mentions;
}

/** Whether the one is probably the other, misspelled. What is used less often is wrong; then what comes later. */
function isMistaken(own: readonly Mention[], other: readonly Mention[], isLater: boolean): boolean {
  const [one, another] = [own[0], other[0]];
  if (own.length > other.length || (own.length === other.length && !isLater)) return false;
  if (one === undefined || another === undefined || !areNearly(one.contact, another.contact)) return false;
  // Who uses both again and again, or writes one under the other, knows that there are two.
  if (own.length > 1 && other.length > 1) return false;
  return !own.some((mention) => other.some((there) => areListed(mention, there)));
}

function areListed(one: Mention, other: Mention): boolean {
  if (one.contact.kind !== 'phone') return false;
  if (isFax(one) || isFax(other) || (one.piece?.isValue && other.piece?.isValue)) return true;
  return one.piece !== undefined && one.piece === other.piece && Math.abs(one.line - other.line) <= 2;
}

function isFax({ piece, contact }: Mention): boolean {
  const before = piece?.prompt.masked.slice(Math.max(0, contact.start - 24), contact.start) ?? '';
  return /\bfax\b/i.test(before);
}

/** The names in a list; undefined if one of them is not known. */
function namesIn(list: ReturnType<typeof memberOf>, key: string | undefined): string[] | undefined {
  if (list?.type !== 'list') return [];
  const nodes = list.items.map((item) => (key === undefined ? item : memberOf(item, key)));
  const names = nodes.map((node) => (node?.type === 'scalar' && !node.opaque ? String(node.value) : undefined));
  return names.includes(undefined) ? undefined : names.filter((name) => name !== undefined);
}
