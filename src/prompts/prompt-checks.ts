import type { TextRole } from '../schemas/fields.ts';
import { lineEnd } from '../text/lines.ts';
import type { BaseTexts } from '../yaml/allow-comments.ts';
import { type Problem, placeKey, type Span, type TextEdit } from '../yaml/problem.ts';
import { type LintLevel, lintRules } from '../yaml/rules.ts';
import type { ScalarNode } from '../yaml/tree.ts';
import { areNearly, type Contact, contactsIn, findInvalidContacts } from './checks/contacts.ts';
import { foreignLanguage } from './checks/language.ts';
import {
  findBrokenMarkdown,
  findConflictMarks,
  findDeadFileLinks,
  findInvisible,
  findUnspeakable,
} from './checks/markdown.ts';
import { type NamedThing, namedThings, plainName } from './checks/references.ts';
import { findSecrets } from './checks/secrets.ts';
import { findSlots } from './checks/slots.ts';
import {
  type CheckedResource,
  languageOf,
  lengthOf,
  type Material,
  type PlacedText,
  type ShortSetting,
  shortSettingsIn,
  textsIn,
  thingsIn,
  valuesIn,
} from './material.ts';
import { parser } from './outline.ts';
import type { Places } from './places.ts';
import { type Finding, isPromptRule, type PromptRule, PromptText } from './prompt-text.ts';

/** The settings of `lint:`: enabled rules, and the maximum length of a text. */
export interface PromptLevels {
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly maxima: Readonly<Record<string, number>>;
  readonly wanted: WantedPromptChecks;
  /** What comments may allow with a base commit; everything they name if omitted. */
  readonly baseTexts?: BaseTexts | undefined;
}

/** All rules that are not off, or only those at the level `error`: these have the same findings either way. */
export type WantedPromptChecks = 'all' | 'errors';

/** A place by the number of its text among those of the resource. */
type Spot = readonly [text: number, start: number, end: number];

/** A finding in a text of a resource, before its place in a file is known. */
interface PlacedFinding {
  readonly rule: PromptRule;
  readonly message: string;
  readonly at: Spot;
  readonly also?: { readonly message: string; readonly at: Spot };
  readonly isSecret?: Finding['isSecret'];
  /** A comment tries to allow it, without effect. */
  readonly isIgnored?: true;
}

/** A text, and all other inputs of its own findings. */
interface AnalysedText {
  readonly sourceText: string;
  readonly role: TextRole;
  /** It is the value of a variable. */
  readonly isValue: boolean;
  /** Its lines that the base does not have. */
  readonly changed: ReadonlySet<number>;
}

/** A text alone: its findings, and its facts to compare with the rest of its agent. */
interface Analysis {
  readonly prompt: PromptText;
  readonly findings: readonly Finding[];
  readonly contacts: readonly Contact[];
  readonly things: readonly NamedThing[];
  /** By the language that is expected, the one that it is in instead. */
  readonly foreign: Map<string, string | undefined>;
}

/** A text of the resource, or the value of a variable in one. */
interface Piece extends Analysis {
  /** Its number among the texts of the resource. */
  readonly number: number;
  /** It is the value of a variable. */
  readonly isValue: boolean;
  readonly node: ScalarNode;
}

/** Where the texts and settings of a resource are in its files. The places of a text are found once. */
class Spots {
  readonly #all: readonly (PlacedText | ShortSetting)[];
  readonly #texts: readonly PlacedText[];
  readonly #settings: readonly ShortSetting[];
  readonly #places = new Map<number, Places>();
  /** The place of the resource. */
  readonly #whole: Span;

  constructor({ texts, values, settings }: Material, { tree }: CheckedResource) {
    this.#texts = [...texts, ...values];
    this.#settings = settings;
    this.#all = [...this.#texts, ...settings];
    this.#whole = tree.at;
  }

  get areAnyTold(): boolean {
    return this.#all.some(({ isTold }) => isTold);
  }

  isTold([number]: Spot): boolean {
    return this.#all[number]?.isTold === true;
  }

  textAt(number: number): PlacedText | undefined {
    return this.#texts[number];
  }

  settingAt(number: number): ShortSetting | undefined {
    return this.#settings[number - this.#texts.length];
  }

  spanOf([number, start, end]: Spot): Span {
    const text = this.textAt(number);
    if (text === undefined) return this.settingAt(number)?.at ?? this.#whole;
    const places = this.#places.get(number) ?? text.places();
    this.#places.set(number, places);
    return places(start, end);
  }
}

interface Reporting {
  readonly spots: Spots;
  /** The places of all secrets. */
  readonly secrets: readonly Spot[];
  readonly resource: CheckedResource;
}

/**
 * The number of characters of texts kept in memory: an analysis takes twenty times the memory of its text, and most
 * texts are not shared.
 */
const mostKnown = 1_000_000;

/** Found in a plan, and not in a text. */
const ofPlans: ReadonlySet<PromptRule> = new Set(['prompt-shrunk']);

const promptRules: readonly PromptRule[] = lintRules.flatMap(({ name }) => (isPromptRule(name) ? [name] : []));

/**
 * Checks texts that instruct or are spoken, as written: a text that many resources share is checked once, with one
 * finding in one place. The values of variables are separate texts.
 */
export class PromptChecks {
  readonly #known = new Map<string, Promise<Analysis>>();
  /** The contacts of all known texts. */
  #characters = 0;
  readonly #hidden = new Set<string>();
  readonly wanted: WantedPromptChecks;
  /** The rules that are checked. */
  readonly #rules: ReadonlySet<PromptRule>;
  /** The rules whose findings are reported. */
  readonly #reported: ReadonlySet<PromptRule>;
  readonly #mostCharacters: number;
  readonly #baseTexts: BaseTexts | undefined;

  constructor({ lint, maxima, wanted, baseTexts }: PromptLevels) {
    this.#baseTexts = baseTexts;
    const levels = new Map<string, LintLevel>(lintRules.map(({ name, level }) => [name, lint[name] ?? level]));
    const rules = promptRules.filter((name) => levels.get(name) !== 'off' && !ofPlans.has(name));
    const errors = rules.filter((name) => levels.get(name) === 'error');
    this.wanted = wanted;
    this.#reported = new Set(wanted === 'all' ? rules : errors);
    // Contacts that another rule reports are not compared.
    this.#rules = this.#reported.has('prompt-contact-differs') ? new Set(rules) : this.#reported;
    const usual = lintRules.find(({ name }) => name === 'prompt-length')?.max;
    this.#mostCharacters = maxima['prompt-length'] ?? usual ?? Number.POSITIVE_INFINITY;
  }

  /** All findings in the texts of a resource, each as a warning. */
  async problems(resource: CheckedResource): Promise<Problem[]> {
    if (this.#rules.size === 0) return [];
    const material = this.#materialOf(resource);
    const spots = new Spots(material, resource);
    if (!spots.areAnyTold) return [];
    const findings = (await this.#findIn(material, resource)).filter(({ rule }) => this.#reported.has(rule));
    const secrets = findings.filter(({ isSecret }) => isSecret).map(({ at }) => at);
    return findings
      .filter(({ at, also }) => spots.isTold(at) || (also !== undefined && spots.isTold(also.at)))
      .flatMap((found) => this.#problemOf(found, { spots, secrets, resource }));
  }

  /** None for a secret that is only hidden. */
  #problemOf(found: PlacedFinding, { spots, secrets, resource }: Reporting): Problem[] {
    const { rule, message, at: spot, also, isSecret, isIgnored } = found;
    const at = spots.spanOf(spot);
    if (isSecret) this.#hide(at, resource.source);
    if (isSecret === 'hidden') return [];
    const [number, start, end] = spot;
    const text = spots.textAt(number);
    const isShown = !ofWholeTexts.has(rule) && !secrets.some((secret) => overlap(secret, spot));
    const edits = text === undefined || isIgnored ? [] : allowing(rule, spot, { text, spots, resource });
    const path = (text ?? spots.settingAt(number))?.path;
    const problem: Problem = {
      ...{ severity: 'warning', rule, message, at },
      ...(also && { also: { message: also.message, at: spots.spanOf(also.at) } }),
      ...(text !== undefined && isShown && { found: text.sourceText.slice(start, end) }),
      ...(path !== undefined && { path }),
      ...(edits.length > 0 && { fixes: [{ action: 'allow', text: rule, edits }] }),
      ...(isSecret && { hideSource: true as const }),
    };
    return [problem];
  }

  async #findIn({ texts, values, settings }: Material, resource: CheckedResource): Promise<PlacedFinding[]> {
    const pieces: Piece[] = [];
    for (const text of [...texts, ...values]) pieces.push(await this.#pieceOf(text, pieces.length, resource));
    const whole = pieces.filter(({ number }) => texts[number]?.isTold);
    const found = [
      ...pieces.flatMap((piece) => this.#ownFindings(piece, resource)),
      ...settings.flatMap((setting, index) => this.#slotFindings(setting, pieces.length + index)),
      ...whole.flatMap((piece) => this.#lengthFinding(piece)),
      ...this.#contacts(pieces, settings),
      ...this.#references(whole, resource),
      ...(await this.#languages(whole, resource)),
    ];
    return found.map((one) => withIgnoredComment(one, pieces));
  }

  #changedLines(text: PlacedText, source: CheckedResource['source']): ReadonlySet<number> {
    return this.#baseTexts?.changedLines(text, source) ?? noLines;
  }

  has(rule: PromptRule): boolean {
    return this.#rules.has(rule);
  }

  #materialOf(resource: CheckedResource): Material {
    const all = textsIn(resource);
    const texts = all.some(({ isTold }) => isTold) ? all : [];
    const hasUse = this.has('prompt-contact-differs') || this.has('prompt-placeholder');
    return { texts, values: valuesIn(texts, resource), settings: hasUse ? shortSettingsIn(resource) : [] };
  }

  async #pieceOf(text: PlacedText, number: number, { source }: CheckedResource): Promise<Piece> {
    const { node, role, sourceText, name } = text;
    const isValue = name !== undefined;
    const changed = this.#changedLines(text, source);
    return { ...(await this.#analysed({ sourceText, role, isValue, changed })), node, number, isValue };
  }

  #analysed(text: AnalysedText): Promise<Analysis> {
    const key = `${text.role} ${text.isValue} ${[...text.changed].join()} ${text.sourceText}`;
    const known = this.#known.get(key);
    const analysis = known ?? this.#analyse(text);
    // In order of last use.
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

  async #analyse({ sourceText, role, isValue, changed }: AnalysedText): Promise<Analysis> {
    // A value of one line is put into a line, where it begins no heading and no list.
    const isInLine = isValue && !sourceText.includes('\n');
    const unreviewed = this.#baseTexts && { rules: this.#baseTexts.rules, lines: changed };
    const prompt = new PromptText(sourceText, role, isInLine ? () => [] : await parser(), unreviewed);
    const checks: Array<readonly [PromptRule, (text: PromptText) => Finding[] | Promise<Finding[]>]> = [
      ['prompt-placeholder', findSlots],
      ['prompt-merge-conflict', findConflictMarks],
      ['prompt-markdown', (text) => (isInLine ? [] : findBrokenMarkdown(text))],
      ['prompt-unspeakable', findUnspeakable],
      ['prompt-invisible', findInvisible],
      ['prompt-contact-invalid', findInvalidContacts],
      ['prompt-secret', findSecrets],
    ];
    const findings: Finding[] = [];
    for (const [rule, find] of checks) if (this.has(rule)) findings.push(...(await find(prompt)));
    // A reported contact is not compared.
    const isTold = (one: Contact) => findings.some(({ start, end }) => one.start < end && start < one.end);
    const contacts = this.has('prompt-contact-differs') ? contactsIn(prompt.masked).filter((one) => !isTold(one)) : [];
    const things = this.has('prompt-unknown-reference') ? namedThings(prompt) : [];
    const kept = findings.filter(({ rule, start, end }) => !prompt.allows(rule, start, end));
    return { prompt, findings: withHidden(kept, prompt), contacts, things, foreign: new Map() };
  }

  #ownFindings({ findings, number, prompt, node }: Piece, { hasFile }: CheckedResource): PlacedFinding[] {
    const from = node.from?.path ?? node.patched?.from?.path ?? node.at.file;
    const links = this.has('prompt-markdown') ? findDeadFileLinks(prompt, (reference) => hasFile(from, reference)) : [];
    const kept = links.filter(({ rule, start, end }) => !prompt.allows(rule, start, end));
    return summed([...findings, ...kept]).map(({ rule, message, start, end, isSecret }) => {
      return { rule, message, at: [number, start, end], ...(isSecret && { isSecret }) };
    });
  }

  #slotFindings({ slots }: ShortSetting, number: number): PlacedFinding[] {
    if (!this.has('prompt-placeholder')) return [];
    return slots.map(({ rule, message, start, end }) => ({ rule, message, at: [number, start, end] }));
  }

  #hide(at: Span, source: CheckedResource['source']): void {
    if (this.#hidden.has(placeKey(at))) return;
    this.#hidden.add(placeKey(at));
    source(at.file)?.hide(at);
  }

  #lengthFinding({ node, number, prompt }: Piece): PlacedFinding[] {
    if (!this.has('prompt-length') || lengthOf(node) <= this.#mostCharacters || prompt.allows('prompt-length', 0))
      return [];
    const message = `this text has more than ${this.#mostCharacters} characters; take out what the agent does not need`;
    return [{ rule: 'prompt-length', message, at: [number, 0, 1] }];
  }

  #contacts(pieces: readonly Piece[], settings: Material['settings']): PlacedFinding[] {
    if (!this.has('prompt-contact-differs')) return [];
    const prompts = pieces.flatMap((piece) => piece.contacts.map((contact) => mentionIn(piece, contact)));
    const others = settings.flatMap(({ contacts }, index) =>
      contacts.map((contact): Mention => ({ contact, at: [pieces.length + index, 0, 0], line: 0 })),
    );
    const mentions = [...others, ...prompts];
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
      const { start, end } = mention.contact;
      if (mention.piece.prompt.allows('prompt-contact-differs', start, end)) return [];
      const noun = { phone: 'phone number', email: 'email address', host: 'host' }[mention.contact.kind];
      const message = `the ${noun} '${mention.contact.shown}' is nearly the one that the agent has elsewhere; correct the one that is wrong`;
      const also = { message: 'the other one', at: right.at };
      return [{ rule: 'prompt-contact-differs', message, at: mention.at, also }];
    });
  }

  /** A list that is not declared is not managed, and who knows which actions the agent has. */
  #references(pieces: readonly Piece[], { tree }: CheckedResource): PlacedFinding[] {
    if (pieces.every(({ things }) => things.length === 0)) return [];
    const { skills, apps, actions } = thingsIn(tree);
    if (skills === undefined || apps === undefined || actions === undefined) return [];
    const known = new Set([...skills, ...apps, ...actions, 'pauseAndThink'].map(plainName));
    const told = new Set<string>();
    return pieces.flatMap(({ things, prompt, number }) => {
      const unknown = things.flatMap(({ sort, name, start, end }): PlacedFinding[] => {
        if (known.has(plainName(name)) || told.has(plainName(name))) return [];
        if (sort === 'action' && actions.length === 0) return [];
        if (prompt.allows('prompt-unknown-reference', start, end)) return [];
        told.add(plainName(name));
        const article = sort === 'skill' ? 'a' : 'an';
        const message = `the agent has no ${sort} '${name}'; declare it, or name ${article} ${sort} that the agent has`;
        return [{ rule: 'prompt-unknown-reference', message, at: [number, start, end] }];
      });
      return summed(unknown);
    });
  }

  async #languages(pieces: readonly Piece[], { tree }: CheckedResource): Promise<PlacedFinding[]> {
    const lang = languageOf(tree);
    const expected = lang.startsWith('en-') ? 'eng' : lang.startsWith('es-') ? 'spa' : undefined;
    if (expected === undefined || !this.has('prompt-language')) return [];
    const { francAll } = await import('./libraries.ts');
    return pieces.flatMap(({ prompt, foreign, number }): PlacedFinding[] => {
      if (!foreign.has(expected)) foreign.set(expected, foreignLanguage(prompt, expected, francAll));
      const language = foreign.get(expected);
      const start = Math.max(0, prompt.masked.search(/\p{L}/u));
      const end = prompt.endOf(prompt.lineOf(start));
      if (language === undefined || prompt.allows('prompt-language', start, end)) return [];
      const message = `this text is in ${language}, but agentLang is ${lang}; change one of them`;
      return [{ rule: 'prompt-language', message, at: [number, start, end] }];
    });
  }
}

const noLines: ReadonlySet<number> = new Set();

/** Explains why a comment does not silence a finding. */
function withIgnoredComment(found: PlacedFinding, pieces: readonly Piece[]): PlacedFinding {
  const { rule, message, at } = found;
  const [number, start, end] = at;
  if (!pieces[number]?.prompt.allowsAnew(rule, start, end)) return found;
  const why = `agentform-allow is ignored on lines that the base commit does not have, because ${rule} is an error there`;
  return { ...found, message: `${message} (${why})`, isIgnored: true };
}

/** Rules about a text as a whole: the place is only its beginning. */
const ofWholeTexts: ReadonlySet<PromptRule> = new Set(['prompt-length', 'prompt-language']);

function overlap([one, start, end]: Spot, [other, from, to]: Spot): boolean {
  return one === other && start < to && from < end;
}

interface Allowing extends Pick<Reporting, 'spots' | 'resource'> {
  readonly text: PlacedText;
}

/** The comment that allows a finding, at the end of its first line; none where that line cannot be found in its file. */
function allowing(rule: PromptRule, [number, start]: Spot, { text, spots, resource }: Allowing): TextEdit[] {
  const { sourceText } = text;
  const feed = lineEnd(sourceText, start);
  const end = sourceText[feed - 1] === '\r' ? feed - 1 : feed;
  if (end <= start) return [];
  const { file, end: offset } = spots.spanOf([number, end - 1, end]);
  const source = resource.source(file);
  // A place that is not exact is that of the whole text.
  if (source?.text.charAt(offset - 1) !== sourceText.charAt(end - 1)) return [];
  return [{ at: source.span(offset, offset), text: ` <!-- agentform-allow ${rule} -->` }];
}

/** Findings of one rule in one text that are reported individually; the last one counts the others. */
const mostOfRule = 5;

/**
 * A secret that a text has twice is replaced once. With many different ones, only some are reported, but all are
 * hidden.
 */
function withHidden(findings: readonly Finding[], { masked }: PromptText): Finding[] {
  const told = new Set<string>();
  return findings.map((one) => {
    if (one.isSecret === undefined) return one;
    const secret = masked.slice(one.start, one.end);
    const isKnown = told.has(secret) || told.size === mostOfRule;
    if (!isKnown) told.add(secret);
    return isKnown ? { ...one, isSecret: 'hidden' } : one;
  });
}

/** A person fixes a kind of mistake in a text, not forty places. */
function summed<One extends { readonly rule: PromptRule; readonly message: string }>(findings: readonly One[]): One[] {
  const counts = new Map<PromptRule, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const told = new Map<PromptRule, number>();
  return findings.flatMap((one) => {
    const number = (told.get(one.rule) ?? 0) + 1;
    const more = (counts.get(one.rule) ?? 0) - mostOfRule;
    told.set(one.rule, number);
    if (one.rule === 'prompt-secret' || more <= 0 || number < mostOfRule) return [one];
    if (number > mostOfRule) return [];
    return [{ ...one, message: `${one.message} (${more} more like it in this text)` }];
  });
}

/** Every pair of them is compared. */
const mostContacts = 200;

/** A place that has a contact. */
interface Mention {
  readonly contact: Contact;
  readonly at: Spot;
  /** Absent for a setting that is not a text. */
  readonly piece?: Piece;
  readonly line: number;
}

function mentionIn(piece: Piece, contact: Contact): Mention {
  const { start, end } = contact;
  return { contact, piece, line: piece.prompt.lineOf(start), at: [piece.number, start, end] };
}

/**
 * Whether the one is probably the other, misspelled. The one that is used less often counts as wrong, or else the later
 * one.
 */
function isMistaken(own: readonly Mention[], other: readonly Mention[], isLater: boolean): boolean {
  const [one, another] = [own[0], other[0]];
  if (own.length > other.length || (own.length === other.length && !isLater)) return false;
  if (one === undefined || another === undefined || !areNearly(one.contact, another.contact)) return false;
  // An author who repeatedly uses both, or writes one under the other, knows that there are two.
  if (own.length > 1 && other.length > 1) return false;
  return !own.some((mention) => other.some((there) => areListed(mention, there)));
}

function areListed(one: Mention, other: Mention): boolean {
  if (one.contact.kind !== 'phone') return one.contact.kind === other.contact.kind && isAlone(one) && isAlone(other);
  if (isFax(one) || isFax(other) || (one.piece?.isValue && other.piece?.isValue)) return true;
  return one.piece !== undefined && one.piece === other.piece && Math.abs(one.line - other.line) <= 2;
}

/** Nothing else is on its line, as in a list of sites. */
function isAlone({ piece, line }: Mention): boolean {
  if (piece === undefined) return false;
  const { masked } = piece.prompt;
  return /^\W{0,20}(?:\d{1,3}[.)] {1,4})?\S{1,300}\s{0,20}$/.test(
    masked.slice(piece.prompt.startOf(line), piece.prompt.endOf(line)),
  );
}

function isFax({ piece, contact }: Mention): boolean {
  const before = piece?.prompt.masked.slice(Math.max(0, contact.start - 24), contact.start) ?? '';
  return /\bfax\b/i.test(before);
}
