import type { PromptRule, PromptText } from './prompt-text.ts';
import { fillers, numberWords, type RuleHashes } from './rule-hashes.ts';
import { type Heading, hashesOfTokens, type Rule, startsWithDigit } from './sentences.ts';

/** A place in one of several texts. */
export interface PlaceInText<Text> {
  readonly text: Text;
  readonly start: number;
  readonly end: number;
}

/** Two places that say the same, or the opposite. */
export interface Repetition<Text> {
  readonly rule: Extract<PromptRule, 'prompt-duplicate' | 'prompt-contradiction'>;
  readonly message: string;
  readonly at: PlaceInText<Text>;
  readonly also: PlaceInText<Text> & { readonly message: string };
}

/** A text of an agent, with what a reference in it stands for as words. */
export interface ComparedText {
  readonly prompt: PromptText;
  readonly wordsOf: (reference: string) => readonly string[] | undefined;
}

interface Element<Text> extends PlaceInText<Text> {
  readonly index: number;
  readonly heading: Heading | undefined;
  /** Equal for what says the same; undefined for what may be said again. */
  readonly key: string | undefined;
  readonly rule?: Rule;
  /** Another rule may be the same but for a number, or the opposite. */
  readonly isNumbered?: boolean;
  readonly isDenied?: boolean;
  readonly tokens: readonly string[];
}

/**
 * What is said twice, and what contradicts, in all texts of an agent together. Each rule is looked up under what it says,
 * and under what it says without one of its numbers, so that no two of them are compared.
 */
export function findRepetitions<Text extends ComparedText>(texts: readonly Text[]): Repetition<Text>[] {
  const found: Repetition<Text>[] = [];
  const said = new Map<string, Element<Text>>();
  const variants = new Map<string, Variant<Text>>();
  const candidates = candidatesAmong(texts);
  for (const [number, text] of texts.entries()) {
    let run: Run<Text> | undefined;
    for (const element of elementsOf(text, number, candidates)) {
      const key = element?.key;
      const first = key === undefined ? undefined : said.get(key);
      if (element === undefined || first === undefined) {
        run = undefined;
        if (element === undefined) continue;
        if (key !== undefined) said.set(key, element);
        const opposite = contradicted(element, variants);
        if (opposite !== undefined) found.push(opposite);
        continue;
      }
      // What was copied together is told once.
      const goesOn = run !== undefined && run.first.text === first.text && run.first.index + 1 === first.index;
      const isTold = (goesOn && run?.isTold === true) || !isTelling(element, first);
      if (!isTold) found.push(duplicateOf(element, first));
      run = { first, isTold: goesOn && run?.isTold === true ? true : !isTold };
    }
  }
  return found;
}

/** By their hashes, the rules that another one may repeat or contradict, which are few. */
interface Candidates {
  readonly repeated: ReadonlySet<number>;
  readonly numbered: ReadonlySet<number>;
  readonly denied: ReadonlySet<number>;
}

function candidatesAmong(texts: readonly ComparedText[]): Candidates {
  const [once, repeated] = [new Set<number>(), new Set<number>()];
  const [numberedOnce, numbered] = [new Set<number>(), new Set<number>()];
  const denied = new Set<number>();
  for (const text of texts) {
    for (const rule of text.prompt.outline.rules) {
      const { whole, withoutNumbers } = hashesIn(text, rule);
      (once.has(whole) ? repeated : once).add(whole);
      if (withoutNumbers !== undefined)
        (numberedOnce.has(withoutNumbers) ? numbered : numberedOnce).add(withoutNumbers);
      if (isDenying(text, rule)) denied.add(hashesOfTokens(positivesOf(tokensOf(text, rule))).withoutFillers);
    }
  }
  return { repeated, numbered, denied };
}

function isDenying(text: ComparedText, rule: Rule): boolean {
  return rule.mayDeny && tokensOf(text, rule).some(isNegator);
}

/** Of a rule with references, those of what stands in their place. */
function hashesIn(text: ComparedText, rule: Rule): RuleHashes {
  return rule.hasReference ? hashesOfTokens(tokensOf(text, rule)) : rule.hashes;
}

function tokensOf({ wordsOf }: ComparedText, rule: Rule): readonly string[] {
  const tokens = rule.tokens();
  return rule.hasReference ? tokens.flatMap((one) => wordsOf(one) ?? [one]) : tokens;
}

interface Run<Text> {
  readonly first: Element<Text>;
  readonly isTold: boolean;
}

/** Headings are compared within their text, which the number tells. Undefined stands for a rule that has no like. */
function elementsOf<Text extends ComparedText>(
  text: Text,
  number: number,
  { repeated, numbered, denied }: Candidates,
): Array<Element<Text> | undefined> {
  const { headings, rules } = text.prompt.outline;
  const elements: Array<Element<Text> | undefined> = [];
  let next = 0;
  const addHeadings = (before: number): void => {
    for (let heading = headings[next]; heading !== undefined && heading.start < before; heading = headings[next]) {
      const { title, start, end, parent } = heading;
      const place = `${number} ${parent?.start ?? ''} ${heading.level}`;
      const key = title === '' ? undefined : `# ${place} ${title.toLowerCase()}`;
      elements.push({ text, start, end, index: elements.length, heading, key, tokens: [] });
      next += 1;
    }
  };
  for (const rule of rules) {
    addHeadings(rule.start);
    const hashes = hashesIn(text, rule);
    const isNumbered = numbered.has(hashes.withoutNumbers ?? Number.NaN);
    const isDenied = denied.has(hashes.withoutFillers) || isDenying(text, rule);
    if (!isNumbered && !isDenied && !repeated.has(hashes.whole)) {
      elements.push(undefined);
      continue;
    }
    const { start, end, heading } = rule;
    const tokens = tokensOf(text, rule);
    const key = tokens.length < 3 ? undefined : tokens.join(' ');
    elements.push({ text, start, end, index: elements.length, heading, key, rule, isNumbered, isDenied, tokens });
  }
  addHeadings(Number.POSITIVE_INFINITY);
  return elements;
}

const leastWordsTwice = 6;
const leastWordsOpposed = 5;

/** Steps of two procedures may be the same ones. */
function isTelling<Text>(element: Element<Text>, first: Element<Text>): boolean {
  const { rule } = element;
  if (rule === undefined) return true;
  if (!hasWords(element.tokens, leastWordsTwice)) return false;
  return !(
    rule.isStep &&
    first.rule?.isStep &&
    (rule.heading !== first.rule.heading || rule.about !== first.rule.about)
  );
}

const currencies: ReadonlySet<string> = new Set(['$', '€', '£']);

function hasWords(tokens: readonly string[], least: number): boolean {
  let words = 0;
  for (const token of tokens) {
    if (token.length > 1 || !currencies.has(token)) words += 1;
    if (words === least) return true;
  }
  return false;
}

function duplicateOf<Text>(element: Element<Text>, first: Element<Text>): Repetition<Text> {
  const message =
    element.rule === undefined
      ? 'this section already has this heading; give one of them another name, or put both parts under one'
      : 'this rule is written twice; delete one of them';
  const { text, start, end } = element;
  const also = { text: first.text, start: first.start, end: first.end, message: 'first here' };
  return { rule: 'prompt-duplicate', message, at: { text, start, end }, also };
}

/** A rule by what it says without a number or a negation of it. */
interface Variant<Text> {
  readonly value: string;
  readonly element: Element<Text>;
}

/** Remembers a rule by its variants, and says which earlier one it contradicts. */
function contradicted<Text>(
  element: Element<Text>,
  variants: Map<string, Variant<Text>>,
): Repetition<Text> | undefined {
  const { rule, tokens } = element;
  if (rule === undefined || !hasWords(tokens, leastWordsOpposed)) return undefined;
  const keys = element.isNumbered ? variantsByNumber(tokens) : [];
  if (element.isDenied) keys.push(...variantsByNegation(rule, tokens));
  let found: Repetition<Text> | undefined;
  for (const { key, value, message } of keys) {
    const first = variants.get(key);
    if (first === undefined) variants.set(key, { value, element });
    else if (found === undefined && first.value !== value && isSameSubject(element, first.element)) {
      const { text, start, end } = element;
      const { text: otherText, start: otherStart, end: otherEnd } = first.element;
      const also = { text: otherText, start: otherStart, end: otherEnd, message: 'the other rule' };
      found = { rule: 'prompt-contradiction', message, at: { text, start, end }, also };
    }
  }
  return found;
}

interface VariantKey {
  readonly key: string;
  readonly value: string;
  readonly message: string;
}

const mostNumbers = 6;

function variantsByNumber(tokens: readonly string[]): VariantKey[] {
  const keys: VariantKey[] = [];
  const clause = clauseOf(tokens);
  for (const [index, token] of tokens.entries()) {
    const value = numberIn(token);
    if (value === undefined || index < clause || namesSubject(tokens, index)) continue;
    if (keys.length === mostNumbers) return keys;
    const key = `number ${tokens.with(index, '#').join(' ')}`;
    keys.push({ key, value, message: 'another rule says the same with another number; keep the one that is right' });
  }
  return keys;
}

function variantsByNegation(rule: Rule, tokens: readonly string[]): VariantKey[] {
  const denials = rule.mayDeny
    ? tokens.flatMap((token, index) => (isNegator(token, index, tokens) ? [index] : []))
    : [];
  const isConditional = denials.some((index) =>
    tokens.slice(0, index).some((one) => conditional.has(one) || relative.has(one)),
  );
  if (denials.length > 1 || isConditional || isNegativeList(rule)) return [];
  const plain = positivesOf(tokens);
  if (plain.length < leastWordsOpposed - 1) return [];
  const message = 'another rule says the opposite; delete the one that is wrong';
  return [{ key: `negation ${plain.join(' ')}`, value: String(denials.length), message }];
}

/** What a token says as a number, a time or a price. A year, or a number of four digits that may be one, names its subject. */
function numberIn(token: string): string | undefined {
  if (startsWithDigit(token))
    return /^(?:19|20)\d\d$/.test(token) ? undefined : token.replace(/(?<=\d):00(?=\D|$)/, '');
  return numberWords.get(token);
}

const conditional: ReadonlySet<string> = new Set([
  'if',
  'when',
  'whenever',
  'unless',
  'who',
  'whose',
  'that',
  'which',
  'where',
  'si',
  'cuando',
]);
const leading: ReadonlySet<string> = new Set(
  'if when whenever unless for on at after before from between in during until under over with as by within once si cuando para'.split(
    ' ',
  ),
);
const labels: ReadonlySet<string> = new Set(
  (
    'room suite floor step option line extension ext press dial gate route level tier plan zone station bay table building lot ' +
    'terminal chapter section rule question phase stage part number no key code day week month year grade class page item form ' +
    'highway exit bus model version age aged ages unit apartment apt house street article clause category group type pool lane ' +
    'court track platform channel priority severity scenario case example point size team shift box drawer locker slot window ' +
    'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec'
  ).split(' '),
);

/** How many tokens at the beginning say when the rule holds. */
function clauseOf(tokens: readonly string[]): number {
  return leading.has(tokens[0] ?? '') ? tokens.length : 0;
}

/** A number that says which one is meant, and not how many. */
function namesSubject(tokens: readonly string[], index: number): boolean {
  const before = tokens[index - 1] ?? '';
  if (index === 0 || labels.has(before) || labels.has(before.replace(/s$/, ''))) return true;
  if (index <= 2 && /^(?:an?|the|every|each|our|no|una?|el|la)$/.test(before)) return true;
  if (/^(?:st|nd|rd|th)$/.test(tokens[index + 1] ?? '') || labels.has(tokens[index + 1] ?? '')) return true;
  return tokens.slice(0, index).some((token) => conditional.has(token));
}

const negators: ReadonlySet<string> = new Set(['never', 'not', 'cannot', 'nunca']);

/** What "no" denies in Spanish; before anything else it may be the word of English, which counts things. */
const deniedInSpanish: ReadonlySet<string> = new Set(
  'puede puedes pueden podemos debe debes deben hay es son está están se tiene tienes tienen tenemos hace hacemos acepta aceptan aceptamos ofrece ofrecemos atiende atendemos abre abrimos cobra cobramos'.split(
    ' ',
  ),
);
const relative: ReadonlySet<string> = new Set(['que', 'quien', 'quienes', 'donde']);

function isNegator(token: string, index: number, tokens: readonly string[]): boolean {
  if (token === 'no') return deniedInSpanish.has(tokens[index + 1] ?? '');
  return negators.has(token) || token.endsWith("n't");
}

/** What a rule says, whether it denies that or not. */
function positivesOf(tokens: readonly string[]): string[] {
  return tokens.flatMap((token, index) =>
    fillers.has(token) ? [] : isNegator(token, index, tokens) ? positiveOf(token) : [token],
  );
}

/** A negator without what denies. */
function positiveOf(token: string): string[] {
  if (token === 'cannot' || token === "can't") return ['can'];
  if (token === "won't") return ['will'];
  return /^(?:don't|doesn't|never|not|nunca|no)$/.test(token) ? [] : [token.replace(/n't$/, '')];
}

/** Items of a list of what not to do deny nothing themselves. */
function isNegativeList({ heading, about }: Rule): boolean {
  return /\b(?:never|not|don't|avoid|no|prohibited|forbidden|mistakes?|wrong|bad|nunca)\b/i.test(
    `${heading?.title ?? ''} ${about}`,
  );
}

const vague = new Set(
  'it this that these those they takes costs lasts price prices duration length fee hours open opens closes cost time deposit'.split(
    ' ',
  ),
);
const vagueThings = new Set(
  'appointment visit session service price fee cost deposit duration treatment room table class course tour package plan whole full same total'.split(
    ' ',
  ),
);

/** Whether two rules are about one thing: under another heading, `it` and `the appointment` are something else. */
function isSameSubject<Text>(one: Element<Text>, other: Element<Text>): boolean {
  const isOnePart = one.text === other.text && one.heading === other.heading && one.rule?.about === other.rule?.about;
  if (isOnePart) return true;
  const [first = '', second = ''] = one.tokens;
  if (vague.has(first) || (numberIn(first) !== undefined && first !== '')) return false;
  return !(/^(?:the|our|your|each|every)$/.test(first) && (vagueThings.has(second) || vague.has(second)));
}
