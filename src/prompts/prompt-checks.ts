import { hash } from 'node:crypto';
import { cached, grouped } from '../json/json.ts';
import { fieldAt, settingPath } from '../kinds/field-path.ts';
import type { TextRole } from '../schemas/fields.ts';
import { contentEnd } from '../text/lines.ts';
import type { BaseTexts } from '../yaml/allow-comments.ts';
import { renaming } from '../yaml/fix.ts';
import { type Fix, type Problem, placeKey, type Span, type TextEdit } from '../yaml/problem.ts';
import { type LintLevel, lintRules } from '../yaml/rules.ts';
import { describePath, type ScalarNode } from '../yaml/tree.ts';
import { findInvalidAllowComments } from './checks/allow-comments.ts';
import { areNearly, type Contact, contactsIn, findInvalidContacts } from './checks/contacts.ts';
import { foreignLanguage } from './checks/language.ts';
import {
  type FileLink,
  fileLinksIn,
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
  type MaterialText,
  materialOf,
  type Place,
  type ShortSetting,
  thingsIn,
} from './material.ts';
import { type Parse, parserOf } from './outline.ts';
import { type Finding, isPromptRule, type PromptRule, PromptText } from './prompt-text.ts';
import { sourceTextOf, spanFinderOf } from './span-finder.ts';

/** The levels and limits of prompt rules in `lint:`. */
interface PromptLevels {
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly maxima: Readonly<Record<string, number>>;
  readonly wanted: WantedPromptChecks;
  /**
   * The texts in the base commit. They limit the findings that comments may allow. If absent, comments may allow any
   * finding.
   */
  readonly baseTexts?: BaseTexts | undefined;
}

/**
 * Whether to run all enabled rules, or only the rules at the level `error`. Both choices give the same findings for the
 * rules at the level `error`.
 */
export type WantedPromptChecks = 'all' | 'errors';

/** A range in one of the resource's texts. */
type Spot = readonly [place: MaterialText | ShortSetting, start: number, end: number];

/** A finding whose location in a file is not known yet. */
interface TextFinding extends Omit<Finding, 'start' | 'end'> {
  readonly at: Spot;
  readonly also?: { readonly message: string; readonly at: Spot };
  /** Whether a comment tries to allow the finding but has no effect. */
  readonly isIgnored?: true;
}

function textFinding({ start, end, ...finding }: Finding, place: Spot[0]): TextFinding {
  return { ...finding, at: [place, start, end] };
}

/** A text, together with the facts that determine its findings. */
interface AnalysedText {
  readonly sourceText: string;
  readonly role: TextRole;
  /** Whether the text is the value of a variable. */
  readonly isValue: boolean;
  /** The lines that the base commit does not contain. */
  readonly changed: ReadonlySet<number>;
}

/** The analysis of one text: its findings, and facts for comparisons with other texts of the agent. */
interface Analysis {
  readonly findings: readonly Finding[];
  readonly contacts: readonly ContactOnLine[];
  readonly things: readonly NamedThing[];
  readonly links: readonly FileLink[];
  /** Maps an expected language to the text's language if the two languages definitely differ, or to undefined. */
  readonly foreign: Map<string, string | undefined>;
}

type Language = Parameters<typeof foreignLanguage>[1];

interface ContactOnLine extends Contact {
  readonly line: number;
}

/** A text of the resource, or the value of a variable in such a text. */
interface CheckedPiece {
  readonly analysis: Analysis;
  /** Returns the text with its lines and comments, which are computed on first use. */
  readonly prompt: () => PromptText;
  readonly place: MaterialText;
}

interface Reporting {
  /** The ranges of all secrets. */
  readonly secrets: readonly Spot[];
  readonly resource: CheckedResource;
}

/** Analyses that are shared between environments, resources and checks. They do not contain the analysed texts. */
export class KnownTexts {
  /** The analyses, by digest and role of the text. */
  readonly #analyses = new Map<string, Analysis>();
  #facts = 0;

  get(key: string): Analysis | undefined {
    return this.#analyses.get(key);
  }

  add(key: string, analysis: Analysis): void {
    this.#analyses.set(key, analysis);
    this.#facts += factCount(analysis);
    for (const [oldest, found] of this.#analyses) {
      if (this.#facts <= maxFacts || this.#analyses.size === 1) return;
      this.#analyses.delete(oldest);
      this.#facts -= factCount(found);
    }
  }
}

/** The maximum number of facts to keep, which take about 20 MB. */
const maxFacts = 100_000;

function factCount({ findings, contacts, things, links }: Analysis): number {
  return 1 + findings.length + contacts.length + things.length + links.length;
}

/** The rules that check plans instead of texts. */
const ofPlans: ReadonlySet<PromptRule> = new Set(['prompt-shrunk']);

/** The rules that also check short settings. */
const rulesOfSettings = ['prompt-contact-differs', 'prompt-invisible', 'prompt-placeholder', 'prompt-secret'] as const;

const promptRules: readonly PromptRule[] = lintRules.flatMap(({ name }) => (isPromptRule(name) ? [name] : []));

/**
 * Checks the texts that instruct the agent or that the agent speaks. Variables have not been inserted in these texts.
 * Caches the analysis of a text, because many resources may share the text. The values of variables are checked as
 * separate texts.
 */
export class PromptChecks {
  readonly #known: KnownTexts;
  readonly #hidden = new Set<string>();
  readonly wanted: WantedPromptChecks;
  readonly #rules: ReadonlySet<PromptRule>;
  /** The rules whose findings are reported. */
  readonly #reported: ReadonlySet<PromptRule>;
  readonly #maxCharacters: number;
  readonly #baseTexts: BaseTexts | undefined;

  /** `known` contains the analyses of other checks with the same levels. */
  constructor({ lint, maxima, wanted, baseTexts }: PromptLevels, known = new KnownTexts()) {
    this.#known = known;
    this.#baseTexts = baseTexts;
    const levels = new Map<string, LintLevel>(lintRules.map(({ name, level }) => [name, lint[name] ?? level]));
    const rules = promptRules.filter((name) => levels.get(name) !== 'off' && !ofPlans.has(name));
    const errors = rules.filter((name) => levels.get(name) === 'error');
    this.wanted = wanted;
    this.#reported = new Set(wanted === 'all' ? rules : errors);
    // The comparison of contacts skips contacts that have another finding, so all rules must be checked.
    this.#rules = this.#reported.has('prompt-contact-differs') ? new Set(rules) : this.#reported;
    const usual = lintRules.find(({ name }) => name === 'prompt-length')?.max;
    this.#maxCharacters = maxima['prompt-length'] ?? usual ?? Number.POSITIVE_INFINITY;
  }

  /** Finds the problems in a resource's texts. Each problem is a warning. */
  async problems(resource: CheckedResource): Promise<Problem[]> {
    if (this.#rules.size === 0) return [];
    const material = materialOf(
      resource,
      rulesOfSettings.some((rule) => this.has(rule)),
    );
    if (![...material.texts, ...material.values, ...material.settings].some(({ isTold }) => isTold)) return [];
    const findings = (await this.#findIn(material, resource)).filter(({ rule }) => this.#reported.has(rule));
    const secrets = findings.filter(({ isSecret }) => isSecret).map(({ at }) => at);
    const problems = findings
      .filter(({ at: [{ isTold }], also }) => isTold || also?.at[0].isTold)
      .flatMap((found) => this.#problemOf(found, { secrets, resource }));
    // A text and a short setting may use the same variable.
    const first = new Map<string, Problem>();
    for (const problem of problems) cached(first, `${placeKey(problem.at)} ${problem.message}`, () => problem);
    return [...first.values()];
  }

  /** Converts a finding to a problem. Returns no problem for a secret that is hidden but not reported again. */
  #problemOf(found: TextFinding, { secrets, resource }: Reporting): Problem[] {
    const { rule, message, at: spot, also, isSecret } = found;
    const [place, start, end] = spot;
    const at = place.spanOf(start, end);
    if (isSecret) this.#hide(at, resource.source);
    if (isSecret === 'hidden') return [];
    const isShown = !ofWholeTexts.has(rule) && !secrets.some((secret) => overlap(secret, spot));
    const fixes = fixesOf(found, resource);
    const problem: Problem = {
      ...{ severity: 'warning', rule, message, at },
      ...(also && { also: { message: also.message, at: also.at[0].spanOf(also.at[1], also.at[2]) } }),
      ...('sourceText' in place && isShown && { found: place.sourceText.slice(start, end) }),
      path: describePath(resource.tree, settingPath(resource.kind, place.steps)),
      ...(fixes.length > 0 && { fixes }),
      ...(isSecret && { hideSource: true as const }),
    };
    return [problem];
  }

  async #findIn({ texts, values, settings }: Material, resource: CheckedResource): Promise<TextFinding[]> {
    const pieces: CheckedPiece[] = [];
    const language = this.#expectedLanguage(resource);
    for (const place of [...texts, ...values]) {
      const { role, sourceText, name, isTold } = place;
      const isValue = name !== undefined;
      const analysed = { sourceText, role, isValue, changed: this.#changedLines(place, resource.source) };
      const expected = isTold && !isValue ? language : undefined;
      const key = keyOf(analysed);
      const analysis = this.#knownAnalysis(key, expected) ?? (await this.#newAnalysis(analysed, { key, expected }));
      let made: PromptText | undefined;
      const prompt = () => (made ??= this.#promptOf(analysed, () => []));
      pieces.push({ analysis, prompt, place });
    }
    const whole = pieces.filter(({ place }) => place.isTold && place.name === undefined);
    const found = [
      ...pieces.flatMap((piece) => this.#ownFindings(piece, resource)),
      ...(await this.#settingFindings(settings)),
      ...whole.flatMap((piece) => this.#lengthFinding(piece)),
      ...this.#contacts(pieces, settings),
      ...this.#references(whole, resource),
      ...this.#languages(whole, resource),
    ];
    const prompts = new Map<Place, CheckedPiece['prompt']>(pieces.map(({ place, prompt }) => [place, prompt]));
    return found.map((one) => withIgnoredComment(one, prompts.get(one.at[0])));
  }

  #changedLines(text: MaterialText, source: CheckedResource['source']): ReadonlySet<number> {
    return this.#baseTexts?.changedLines(text, source) ?? noLines;
  }

  has(rule: PromptRule): boolean {
    return this.#rules.has(rule);
  }

  #knownAnalysis(key: string, expected: Language | undefined): Analysis | undefined {
    const known = this.#known.get(key);
    return expected === undefined || known?.foreign.has(expected) ? known : undefined;
  }

  async #newAnalysis(
    text: AnalysedText,
    { key, expected }: { readonly key: string; readonly expected: Language | undefined },
  ): Promise<Analysis> {
    const prompt = this.#promptOf(text, await parserOf(text.sourceText));
    const known = this.#known.get(key);
    const analysis = known ?? (await this.#analyse(prompt, isInLine(text)));
    if (expected !== undefined) analysis.foreign.set(expected, await foreignLanguage(prompt, expected));
    if (known === undefined) this.#known.add(key, analysis);
    return analysis;
  }

  #promptOf(text: AnalysedText, parse: Parse): PromptText {
    const unreviewed = this.#baseTexts && { rules: this.#baseTexts.rules, lines: text.changed };
    return new PromptText(text.sourceText, text.role, isInLine(text) ? () => [] : parse, unreviewed);
  }

  async #analyse(prompt: PromptText, isWithinLine: boolean): Promise<Analysis> {
    const checks: Array<readonly [PromptRule, (text: PromptText) => Finding[] | Promise<Finding[]>]> = [
      ['prompt-placeholder', findSlots],
      ['prompt-merge-conflict', findConflictMarks],
      ['prompt-markdown', (text) => (isWithinLine ? [] : findBrokenMarkdown(text))],
      ['prompt-unspeakable', findUnspeakable],
      ['prompt-invisible', ({ sourceText }) => findInvisible(sourceText)],
      ['prompt-contact-invalid', findInvalidContacts],
      ['prompt-secret', findSecrets],
      ['prompt-allow-invalid', findInvalidAllowComments],
    ];
    const findings: Finding[] = [];
    for (const [rule, find] of checks) if (this.has(rule)) findings.push(...(await find(prompt)));
    // A contact that already has a finding is not compared with other contacts.
    const isTold = (one: Contact) => findings.some(({ start, end }) => one.start < end && start < one.end);
    const contacts = this.has('prompt-contact-differs') ? contactsIn(prompt.masked).filter((one) => !isTold(one)) : [];
    const kept = findings.filter(({ rule, start, end }) => !prompt.allows(rule, start, end));
    return {
      findings: withHidden(kept, prompt),
      contacts: contacts.map((one) => ({ ...one, line: prompt.lineOf(one.start) })),
      things: this.has('prompt-unknown-reference') ? namedThings(prompt) : [],
      links: this.has('prompt-markdown') ? fileLinksIn(prompt) : [],
      foreign: new Map(),
    };
  }

  #ownFindings({ analysis, place, prompt }: CheckedPiece, { hasFile }: CheckedResource): TextFinding[] {
    const { findings, links } = analysis;
    if (findings.length + links.length === 0) return [];
    const { node } = place;
    const from = node.from?.path ?? node.patched?.from?.path ?? node.at.file;
    const dead = findDeadFileLinks(links, (reference) => hasFile(from, reference));
    const kept = dead.filter(({ rule, start, end }) => !prompt().allows(rule, start, end));
    return summed([...findings, ...kept]).map((finding) => textFinding(finding, place));
  }

  async #settingFindings(settings: readonly ShortSetting[]): Promise<TextFinding[]> {
    const found: TextFinding[] = [];
    for (const place of settings) {
      const { findings, suspect } = place;
      const secrets = suspect === undefined ? [] : await findSecrets({ masked: suspect });
      const own = [...findings, ...secrets].filter(({ rule }) => this.has(rule));
      found.push(...own.map((finding) => textFinding(finding, place)));
    }
    return found;
  }

  #hide(at: Span, source: CheckedResource['source']): void {
    if (this.#hidden.has(placeKey(at))) return;
    this.#hidden.add(placeKey(at));
    source(at.file)?.hide(at);
  }

  #lengthFinding({ place, prompt }: CheckedPiece): TextFinding[] {
    if (
      !this.has('prompt-length') ||
      lengthOf(place.node) <= this.#maxCharacters ||
      prompt().allows('prompt-length', 0)
    )
      return [];
    const message = `this text has more than ${this.#maxCharacters} characters; remove what the agent does not need`;
    return [{ rule: 'prompt-length', message, at: [place, 0, 1] }];
  }

  #contacts(pieces: readonly CheckedPiece[], settings: Material['settings']): TextFinding[] {
    if (!this.has('prompt-contact-differs')) return [];
    const prompts = pieces.flatMap((piece) => piece.analysis.contacts.map((contact) => mentionIn(piece, contact)));
    const others = settings.flatMap((setting) =>
      setting.contacts.map((contact): Mention => ({ contact, at: [setting, 0, 0], line: 0 })),
    );
    const mentions = [...others, ...prompts];
    const byValue = grouped(mentions, ({ contact }) => contact.value);
    const distinct = [...byValue.values()].slice(0, maxContacts);
    return distinct.flatMap((own, index) => {
      const mention = own.find(({ piece }) => piece !== undefined);
      if (mention?.piece === undefined) return [];
      const other = distinct.find((one, at) => at !== index && isMistaken(own, one, at < index));
      const [right] = other ?? [];
      if (right === undefined) return [];
      const { start, end } = mention.contact;
      if (mention.piece.prompt().allows('prompt-contact-differs', start, end)) return [];
      const noun = { phone: 'phone number', email: 'email address', host: 'host' }[mention.contact.kind];
      const message = `the ${noun} '${mention.contact.shown}' is almost the same as another ${noun} of this agent; correct the wrong one`;
      const also = { message: 'the other one', at: right.at };
      return [{ rule: 'prompt-contact-differs', message, at: mention.at, also }];
    });
  }

  /**
   * Finds names of skills, apps and actions that the agent lacks. Finds nothing if a list contains an unknown name, and
   * no actions if the agent declares none.
   */
  #references(pieces: readonly CheckedPiece[], { tree }: CheckedResource): TextFinding[] {
    if (pieces.every(({ analysis }) => analysis.things.length === 0)) return [];
    const { skills, apps, actions } = thingsIn(tree);
    if (skills === undefined || apps === undefined || actions === undefined) return [];
    const known = new Set([...skills, ...apps, ...actions, 'pauseAndThink'].map(plainName));
    const reported = new Set<string>();
    return pieces.flatMap(({ analysis, prompt, place }) => {
      const unknown = analysis.things.flatMap(({ sort, name, start, end }): TextFinding[] => {
        if (known.has(plainName(name)) || reported.has(plainName(name))) return [];
        if (sort === 'action' && actions.length === 0) return [];
        if (prompt().allows('prompt-unknown-reference', start, end)) return [];
        reported.add(plainName(name));
        const article = sort === 'skill' ? 'a' : 'an';
        const message = `the agent has no ${sort} '${name}'; declare it, or name ${article} ${sort} that the agent has`;
        return [{ rule: 'prompt-unknown-reference', message, at: [place, start, end] }];
      });
      return summed(unknown);
    });
  }

  #expectedLanguage({ tree }: CheckedResource): Language | undefined {
    if (!this.has('prompt-language')) return undefined;
    const lang = languageOf(tree);
    return lang.startsWith('en-') ? 'eng' : lang.startsWith('es-') ? 'spa' : undefined;
  }

  #languages(pieces: readonly CheckedPiece[], resource: CheckedResource): TextFinding[] {
    const expected = this.#expectedLanguage(resource);
    if (expected === undefined) return [];
    return pieces.flatMap(({ prompt, analysis, place }): TextFinding[] => {
      const language = analysis.foreign.get(expected);
      if (language === undefined) return [];
      const text = prompt();
      const start = Math.max(0, text.masked.search(/\p{L}/u));
      const end = text.endOf(text.lineOf(start));
      if (text.allows('prompt-language', start, end)) return [];
      const message = `this text is in ${language}, but the agent is set to ${spokenBy(resource)}; translate the text, or change the agent's language`;
      return [{ rule: 'prompt-language', message, at: [place, start, end] }];
    });
  }
}

function keyOf({ sourceText, role, isValue, changed }: AnalysedText): string {
  return `${role} ${isValue} ${[...changed].join()} ${hash('sha256', sourceText, 'base64url')}`;
}

/** The name of the agent's language. For `es-MX`, for example, this is `Spanish (Mexico)`. */
function spokenBy({ kind, tree }: CheckedResource): string {
  const code = languageOf(tree);
  return fieldAt(kind, ['settings', 'agentLang'])?.values?.[code] ?? code;
}

/** Whether a text is a single-line value of a variable. Such a value is not parsed for Markdown blocks. */
function isInLine({ isValue, sourceText }: AnalysedText): boolean {
  return isValue && !sourceText.includes('\n');
}

const noLines: ReadonlySet<number> = new Set();

/** If a comment tries to allow a finding but has no effect, adds the reason to the finding's message. */
function withIgnoredComment(found: TextFinding, prompt: CheckedPiece['prompt'] | undefined): TextFinding {
  const { rule, message, at } = found;
  const [, start, end] = at;
  if (!prompt?.().allowsAnew(rule, start, end)) return found;
  const why = `agentform-allow is ignored on new lines, because ${rule} is an error in the base commit`;
  return { ...found, message: `${message} (${why})`, isIgnored: true };
}

/** Rules that concern the whole text. Their findings are reported at the beginning of the text. */
const ofWholeTexts: ReadonlySet<PromptRule> = new Set(['prompt-length', 'prompt-language']);

function overlap([one, start, end]: Spot, [other, from, to]: Spot): boolean {
  return one === other && start < to && from < end;
}

/** The correction of a finding, if there is one, and the comment that allows the finding. */
function fixesOf(found: TextFinding, { source }: CheckedResource): Fix[] {
  const { rule, at: spot, fix, isIgnored } = found;
  const fixes = fix === undefined ? [] : [correction(fix, spot, source)];
  const edits = isIgnored ? [] : allowing(rule, spot, source);
  return edits.length === 0 ? fixes : [...fixes, { action: 'allow', text: rule, edits }];
}

/**
 * The fix that replaces a range of a text. Has no edit in the value of a variable, or in a text that would need quotes
 * afterwards.
 */
function correction(
  { action, text }: NonNullable<Finding['fix']>,
  [{ node, name }, start, end]: Spot,
  source: CheckedResource['source'],
): Fix {
  if (name !== undefined || isBareInFlow(node, source)) return { action, text, edits: [] };
  const at = spanFinderOf(node, source)(start, end);
  return { ...renaming({ at, found: sourceTextOf(node).slice(start, end) }, text), action };
}

/** The edit that adds an allow comment at the end of a finding's first line. Empty if the line cannot be located. */
function allowing(rule: PromptRule, [place, start]: Spot, source: CheckedResource['source']): TextEdit[] {
  if (rule === 'prompt-allow-invalid' || !('sourceText' in place)) return [];
  const { sourceText, spanOf } = place;
  const end = contentEnd(sourceText, start);
  if (end <= start) return [];
  const { file, end: offset } = spanOf(end - 1, end);
  const found = source(file);
  // If the exact location is unknown, `spanOf` returns the location of the whole text.
  if (found?.text.charAt(offset - 1) !== sourceText.charAt(end - 1)) return [];
  return [{ at: found.span(offset, offset), text: ` <!-- agentform-allow ${rule} -->` }];
}

/** Whether a text is inside braces or brackets without quotes, where a reference is not allowed. */
function isBareInFlow({ at, from, patched }: ScalarNode, source: CheckedResource['source']): boolean {
  if (from !== undefined || patched !== undefined) return false;
  const text = source(at.file)?.text ?? '';
  return !/["'|>]/.test(text.charAt(at.offset)) && /^(?:\s|#[^\n]*\n)*[,\]}]/.test(text.slice(at.end));
}

/**
 * The maximum number of findings of one rule in a text. The message of the last reported finding gives the number of
 * other findings.
 */
const maxPerRule = 5;

/**
 * Reports a repeated secret only once, and at most `maxPerRule` different secrets. All other occurrences are hidden but
 * not reported.
 */
function withHidden(findings: readonly Finding[], { masked }: PromptText): Finding[] {
  const reported = new Set<string>();
  return findings.map((one) => {
    if (one.isSecret === undefined) return one;
    const secret = masked.slice(one.start, one.end);
    const isKnown = reported.has(secret) || reported.size === maxPerRule;
    if (!isKnown) reported.add(secret);
    return isKnown ? { ...one, isSecret: 'hidden' } : one;
  });
}

/**
 * If a rule has more than `maxPerRule` findings in a text, combines the excess findings. Does not combine findings of
 * secrets.
 */
function summed<One extends { readonly rule: PromptRule; readonly message: string }>(findings: readonly One[]): One[] {
  const counts = new Map<PromptRule, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const numbers = new Map<PromptRule, number>();
  return findings.flatMap((one) => {
    const number = (numbers.get(one.rule) ?? 0) + 1;
    const more = (counts.get(one.rule) ?? 0) - maxPerRule;
    numbers.set(one.rule, number);
    if (one.rule === 'prompt-secret' || more <= 0 || number < maxPerRule) return [one];
    if (number > maxPerRule) return [];
    return [{ ...one, message: `${one.message} (${more} more like it in this text)` }];
  });
}

/**
 * The maximum number of different contacts to compare. The limit is needed because the check compares every pair of
 * contacts.
 */
const maxContacts = 200;

interface Mention {
  readonly contact: Contact;
  readonly at: Spot;
  /** The text that contains the mention. Absent for a short setting. */
  readonly piece?: CheckedPiece;
  readonly line: number;
}

function mentionIn(piece: CheckedPiece, contact: ContactOnLine): Mention {
  const { start, end, line } = contact;
  return { contact, piece, line, at: [piece.place, start, end] };
}

/**
 * Whether `own` is probably a misspelling of `other`. The less frequent contact counts as misspelt, or the later one if
 * both are equally frequent.
 */
function isMistaken(own: readonly Mention[], other: readonly Mention[], isLater: boolean): boolean {
  const [one, another] = [own[0], other[0]];
  if (own.length > other.length || (own.length === other.length && !isLater)) return false;
  if (one === undefined || another === undefined || !areNearly(one.contact, another.contact)) return false;
  // If an author repeats both contacts or uses them on consecutive lines, the difference is probably intended.
  if (own.length > 1 && other.length > 1) return false;
  return !own.some((mention) => other.some((there) => areListed(mention, there)));
}

function areListed(one: Mention, other: Mention): boolean {
  if (one.contact.kind !== 'phone') return one.contact.kind === other.contact.kind && isAlone(one) && isAlone(other);
  if (isFax(one) || isFax(other) || (one.piece?.place.name !== undefined && other.piece?.place.name !== undefined))
    return true;
  return one.piece !== undefined && one.piece === other.piece && Math.abs(one.line - other.line) <= 2;
}

function isAlone({ piece, line }: Mention): boolean {
  if (piece === undefined) return false;
  const text = piece.prompt();
  return /^\W{0,20}(?:\d{1,3}[.)] {1,4})?\S{1,300}\s{0,20}$/.test(
    text.masked.slice(text.startOf(line), text.endOf(line)),
  );
}

function isFax({ piece, contact }: Mention): boolean {
  const before = piece?.prompt().masked.slice(Math.max(0, contact.start - 24), contact.start) ?? '';
  return /\bfax\b/i.test(before);
}
