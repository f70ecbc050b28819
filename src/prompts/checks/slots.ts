import { withoutReferences } from '../../yaml/interpolate.ts';
import { type Finding, PromptText } from '../prompt-text.ts';
import { filler, isInRanges } from '../source-lines.ts';

// The patterns in this file are for English and Spanish, the languages of `agentLang`.

const verbs =
  /^(?:insert|paste|enter|add|fill in|fill|replace|put|specify|provide|list|insert[ae]r?|añad[ae]|añadir|agreg(?:a|ar|ue)|complet[ae]r?|rellen[ae]r?|escrib[ae]|escribir|indi(?:ca|car|que))(?!\p{L})/iu;
const yours =
  /^your? (?:own )?(?:company|business|clinic|practice|store|shop|restaurant|hotel|agency|office|firm|brand|salon|school|organi[sz]ation|website|hours|logo|product|service)(?:'s)?(?: |$)(?:(?:name|phone|number|address|e-?mail|website|url|hours|city|state|title|link|here)(?: |$)){0,3}$|^(?:tu|su) (?:propi[ao] )?(?:empresa|negocio|compañía|clínica|consulta|tienda|restaurante|hotel|agencia|oficina|bufete|marca|salón|escuela|equipo|nombre|teléfono|número|dirección|correo|web|horario|ciudad|logo|producto|servicio)(?: aquí)?$/i;
const businessFacts =
  /^(?:company|business|clinic|practice|store|shop|restaurant|hotel|agency|office|firm|brand|salon|organi[sz]ation|assistant|agent|bot)(?:'s)? (?:name|hours|address|phone|phone number|number|email|website|url|city|location)$|^(?:nombre|horario|dirección|teléfono|número|correo|web|ciudad|ubicación) (?:de la|del|de tu|de su) (?:empresa|negocio|compañía|clínica|consulta|tienda|restaurante|hotel|agencia|oficina|bufete|marca|salón|asistente|agente)$/i;
/** Matches `name of company`, as the other form of `company name`. */
const nameOfBusiness =
  /^(?:name|hours|address|phone number|website) of (?:your )?(?:company|business|clinic|practice|store|shop|restaurant|hotel|agency|office|firm|salon|organi[sz]ation)$/i;
/** Matches facts that an author writes about a business. They are a placeholder only with a word such as "here". */
const yourFact =
  /^(?:your|tu|su) (?:[\p{L}'’]{1,20} ){0,2}(?:name|phone|number|address|e-?mail|website|url|link|hours|city|menu|services?|products?|prices?|policy|policies|nombre|teléfono|número|dirección|correo|enlace|horario|ciudad|menú|precios?|servicios?|productos?)$/iu;
const here = / (?:go(?:es)? )?(?:here|aquí)$/i;
const nouns =
  /(?<!\p{L})(?:NAME|COMPANY|BUSINESS|PHONE|TELEPHONE|ADDRESS|HOURS|DATE|CITY|EMAIL|WEBSITE|URL|PRICE|PRICES|FEE|AMOUNT|CLINIC|PRACTICE|PRODUCT|SERVICES?|NUMBER|LOCATION|TITLE|BRAND|STORE|HOTEL|RESTAURANT|DEPARTMENT|(?:OPENING|CLOSING) TIME|PLACEHOLDER|TEXT HERE|HERE|HORA DE (?:APERTURA|CIERRE)|NOMBRE|EMPRESA|NEGOCIO|TEL[EÉ]FONO|DIRECCI[OÓ]N|HORARIOS?|FECHA|CIUDAD|CORREO|PRECIOS?|IMPORTE|CL[IÍ]NICA|CONSULTA|PRODUCTO|SERVICIOS?|N[UÚ]MERO|UBICACI[OÓ]N|T[IÍ]TULO|MARCA|TIENDA|RESTAURANTE|DEPARTAMENTO|TEXTO AQU[IÍ]|AQU[IÍ])(?!\p{L})/u;
/** Matches names of values that depend on the caller or the call. */
const fromTheCall =
  /\b(?:caller|customer|patient|client|guest|user|visitor|tenant|student|member|parent|pet|child|their|his|her|first|last|full|appointment|order|booking|confirmed?|chosen|selected|requested|available|current|today|day|(?<!(?:opening|closing) )time|reason|summary|result|next|llama|cliente|paciente|huésped|usuari[oa]|visitante|inquilin[oa]|alumn[oa]|soci[oa]|niñ[oa]|hij[oa]|mascota|apellido|cita|pedido|reserva|confirmad|elegid|disponible|actual|hoy|día|hora\b(?! de (?:apertura|cierre))|motivo|resumen|resultado|próxim)/i;

/** Matches names of values that belong to the business and are the same in all calls. */
const ownThings =
  /\b(?:clinic|company|business|practice|store|shop|hotel|restaurant|office|salon|firm|agency|brand|gym|bank|school|church|studio|spa|pharmacy|bakery|garage|owner|current date|current time|assistant|agent|bot|hours|website|url|clínica|empresa|negocio|consulta|tienda|restaurante|oficina|agencia|bufete|marca|asistente|agente|horario)\b/i;

const ownNames = /(?:^|[.:!?\n] ?)(?:you are|your name is|eres|te llamas|tu nombre es) $/i;
const employers =
  /\b(?:you work|receptionist|assistant|agent) (?:for|of|at) $|\b(?:trabajas|recepcionista|asistente) (?:para|en|de) $/i;
const employer =
  /^(?:your |the |tu |la |el )?(?:company|business|clinic|practice|store|restaurant|hotel|office|firm|salon|empresa|negocio|clínica|tienda|restaurante|oficina)(?: name)?$/i;
/**
 * Matches a text in square or angle brackets, or several words in braces. Does not match an index after a word or
 * bracket, or a footnote, which begins with a circumflex.
 */
const bracketed =
  /(?<![\w\])])\[([^[\]\n^][^[\]\n]{1,59})\](?![([:])|<([A-Za-z][^<>\n=/]{1,60})>|(?<!\{)\{(\p{L}{2,20}(?: [\p{L}'’]{1,20}){1,5})\}/gu;
const word = /\b(?:TODO|FIXME|TBD|TBC|X{3,20}|[Ll]orem ipsum dolor)\b/g;
/** Matches instructions such as `PASTE YOUR MENU HERE` or `PEGAR EL MENÚ AQUÍ`. */
const instruction =
  /(?<![\p{L}_])(?:PASTE|INSERT|PUT|ADD|ENTER|TYPE|WRITE|FILL IN|PEGAR?|PEGUE|PEGA|INSERTAR|INSERTE|AÑADIR|AGREGAR|ESCRIBIR|ESCRIBA|PONER)(?:[ _-][\p{Lu}'’]{1,20}){0,8}[ _-](?:HERE|AQUÍ|AQUI)(?![\p{L}_])/gu;
/** Matches `Your Name Here` without brackets. */
const unbracketed =
  /(?<![\p{L}\p{N}[<{"'“])(?:Your(?: \p{Lu}[\p{L}'’]{1,20}){1,4} Here|YOUR(?: [\p{Lu}'’]{2,20}){1,4} HERE)(?!\p{L})/gu;
/** Matches identifiers such as `REPLACE_WITH_VOICE_ID`, `YOUR_CLINIC_NAME` or `CHANGE_ME`. */
const identifier =
  /(?<![\w$%{-])(?:REPLACE_(?:WITH|ME|THIS)(?:_[A-Z0-9]{1,30}){0,6}|YOUR(?:_[A-Z0-9]{1,30}){1,6}|(?:INSERT|ENTER|PASTE|FILL|ADD)(?:_[A-Z0-9]{1,30}){0,6}_HERE|(?:INSERT|ENTER|PASTE)_YOUR(?:_[A-Z0-9]{1,30}){1,6}|CHANGE_?ME|REPLACEME)(?![\w}%-])/g;
/** Matches a row of underscores, which is a blank to fill in. A row that is alone on its line is only a separator. */
const blank = /(?<![\w_])_{3,80}(?![\w_])/g;
/** Matches a text that consists only of the path of a text file, usually because `{ file: ... }` was forgotten. */
const wholePath = /^(?:[^\s:]{1,200}|\.{1,2}\/[^\n:]{1,200})\.(?:md|markdown|txt)$/i;
/** Matches a text that consists only of `{ file: ... }`, usually because it was written in quotes. */
const wholeInclude = /^\{ {0,3}(?:file|patch): {0,3}[^\s{}][^\n{}]{0,200}\}$/;

/** Matches a reference in the wrong brackets or without braces, such as `$var.clinic` or `{var.clinic}`. */
const wrongBrackets =
  /(?<![\w$])\$(?:var\.\w{1,60}|\(var\.\w{1,60}\)|\[var\.\w{1,60}\])|(?<![{$])\{var\.\w{1,60}\}(?!\})|%var\.\w{1,60}%/g;
/** Matches a reference with a wrong word, as in `${vars.clinic}`, or as in GitHub workflows: `${{ secrets.CODE }}`. */
const wrongWord =
  /(?<![{$])(?:\$\{|\$?\{\{) {0,3}(?:vars?|variables?|secrets?) {0,3}[.:] {0,3}\w{1,60} {0,3}\}{1,2}(?!\})/gi;

/** The notation of placeholders in a template engine. */
interface Notation {
  readonly find: RegExp;
  /** Whether a match is actually a placeholder. */
  readonly isSlot: (text: PromptText, match: RegExpExecArray) => boolean;
}

const notations: readonly Notation[] = [
  {
    find: /(?<!\{)\{\{\{?([^{}\n]{1,120})\}\}(?!\}\})|\{%[-+]? {0,3}[a-z]{1,20}[^{}%\n]{0,120}%\}|<%[=-]? {0,3}[A-Za-z_][^<>%\n]{0,120}%>/g,
    isSlot: ({ masked }, { 1: inner, index }) =>
      inner === undefined || (isExpression(inner.trim()) && !isInLatex(masked, index) && !isInJson(masked, index)),
  },
  { find: /\$\{ {0,3}([A-Za-z_][\w.]{0,60}) {0,3}\}/g, isSlot: isVariable },
  { find: /\{([A-Za-z_][\w.-]{0,60})\}/g, isSlot: isSingle },
  { find: /(?<![\w%])%(?![\da-fA-F]{2}%)([A-Za-z_]\w{1,60})%(?![\w%])/g, isSlot: isPercent },
  { find: /(?<![\w$])\$(?!var\b)([A-Za-z_]\w{1,60})(?![\w(])/g, isSlot: isDollar },
];

/**
 * Finds placeholders that the author forgot to fill in. Skips most placeholders in quotes, because the agent fills in
 * these placeholders when it speaks.
 */
export function findSlots(text: PromptText): Finding[] {
  const { masked } = text;
  const whole = findingOfWhole(masked.trim(), masked);
  if (whole !== undefined) return [whole];
  // The names of closed tags, such as `</rules>` or `{/rules}`.
  const tags = new Set([...masked.matchAll(/[<{]\/([^<>{}\n]{1,60})[>}]/g)].map(([, name = '']) => name));
  const found = [...wrongReferences(text), ...notations.flatMap((notation) => findingsOf(text, notation, tags))];
  const add = ({ 0: shown, index }: RegExpExecArray): void => void found.push(findingAt(index, shown));
  for (const match of masked.matchAll(bracketed)) if (isForgotten(text, match, tags)) add(match);
  for (const match of masked.matchAll(instruction)) if (!isShown(text, match.index)) add(match);
  for (const match of masked.matchAll(unbracketed)) {
    if (isYourFact(match[0]) && !isShown(text, match.index)) add(match);
  }
  for (const match of masked.matchAll(identifier)) if (!isShown(text, match.index)) add(match);
  for (const match of masked.matchAll(blank)) if (isBlankToFillIn(text, match)) add(match);
  const isTodoAWord = masked.includes('TODO') && isSpanish(masked);
  for (const match of masked.matchAll(word)) {
    if (isForgottenWord(text, match[0], match.index, isTodoAWord)) add(match);
  }
  return eachOnce(apart(found), masked);
}

/** Finds references that agentform does not replace, because they are not in the form `${var.NAME}` or `${secret.NAME}`. */
function wrongReferences({ masked, outline }: PromptText): Finding[] {
  return [...masked.matchAll(wrongBrackets), ...masked.matchAll(wrongWord)].flatMap(({ 0: shown, index }) => {
    if (isInRanges(outline.code, index)) return [];
    const isSecret = /secret/i.test(shown);
    const message = `${quotedSlot(shown)} is not replaced by the value of the ${isSecret ? 'secret' : 'variable'}`;
    const name = shown.match(/\w+/g)?.at(-1);
    const fix = { action: 'write', text: `\${${isSecret ? 'secret' : 'var'}.${name}}` } as const;
    return [{ rule: 'prompt-placeholder', message, start: index, end: index + shown.length, fix }];
  });
}

/**
 * Reports a repeated name only once, because all occurrences get the same replacement. Reports notes and blanks one by
 * one.
 */
function eachOnce(findings: readonly Finding[], masked: string): Finding[] {
  const reported = new Set<string>();
  return findings.filter(({ start, end }) => {
    const shown = masked.slice(start, end);
    const isAgain = reported.has(shown) && /^(?:[[<]|[A-Z]+_)/.test(shown);
    reported.add(shown);
    return !isAgain;
  });
}

/** Sorts findings, and drops findings that begin inside another finding. */
function apart(findings: readonly Finding[]): Finding[] {
  let last = -1;
  return [...findings]
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      if (start < last) return false;
      last = end;
      return true;
    });
}

/** Matches a setting whose whole value is a placeholder. */
const wholeSlot = /^(?:<[^<>]{2,60}>|\[[^[\]]{2,60}\]|(?:change|replace)[-_ ]?me|your[-_][\w-]{2,60}|placeholder)$/i;

/** Finds placeholders in a short setting, such as a voice. */
export function slotsInSetting(sourceText: string): Finding[] {
  if (sourceText.includes('\n') || sourceText.length > 200) return [];
  if (wholeSlot.test(sourceText.trim())) return [findingAt(0, sourceText)];
  // Return early, because most settings contain none of these characters outside references.
  if (!/[[<{%]|\$[(A-Za-z_]|___|[A-Z]{3}/.test(withoutReferences(sourceText, filler))) return [];
  // Remove the openings of comments. A short setting is sent with its comments, so an allow comment has no effect in
  // such a setting.
  return findSlots(new PromptText(sourceText.replaceAll('<!--', '    '), 'instructs', () => []));
}

function findingAt(start: number, slotText: string): Finding {
  const message = `${quotedSlot(slotText)} is a placeholder that is never filled in; replace it with the actual text`;
  return { rule: 'prompt-placeholder', message, start, end: start + slotText.length };
}

/** Finds a text that only names a file. */
function findingOfWhole(text: string, masked: string): Finding | undefined {
  if (wholePath.test(text)) return pathFinding(text, masked.indexOf(text));
  return wholeInclude.test(text) ? includeFinding(text, masked.indexOf(text)) : undefined;
}

function pathFinding(path: string, start: number): Finding {
  const message = `the text consists only of a file path; to use the text of that file, write { file: ${path} }`;
  return { rule: 'prompt-placeholder', message, start, end: start + path.length };
}

function includeFinding(include: string, start: number): Finding {
  const message = `the text is ${quotedSlot(include)}, not the text of that file; remove the quotes around the braces`;
  return { rule: 'prompt-placeholder', message, start, end: start + include.length };
}

function quotedSlot(slotText: string): string {
  return JSON.stringify(slotText).replace(/^"|"$/g, "'");
}

/**
 * Finds the placeholders of one notation. Reports all placeholders as one finding, because they show that the text was
 * written for another program.
 */
function findingsOf(text: PromptText, { find, isSlot }: Notation, tags: ReadonlySet<string>): Finding[] {
  const slots = [...text.masked.matchAll(find)].filter(
    (match) =>
      !isInRanges(text.outline.code, match.index) &&
      !isArgument(text.masked, match.index) &&
      !tags.has(match[1] ?? '') &&
      isSlot(text, match),
  );
  const kept = slots.filter(({ 0: slot, index }) => !text.allows('prompt-placeholder', index, index + slot.length));
  const [first] = kept;
  if (first === undefined || isIntroduced(text.masked, first.index)) return [];
  const finding = findingAt(first.index, first[0]);
  if (kept.length === 1) return [finding];
  const message = `${quotedSlot(first[0])} and ${kept.length - 1} similar placeholders are never filled in; replace them with the actual text`;
  return [{ ...finding, message }];
}

/**
 * Whether the words before a placeholder explain its notation, for example as the notation of references or of the
 * agent's output.
 */
function isIntroduced(masked: string, index: number): boolean {
  return /\b(?:format|syntax|notation|placeholders?|of the form)(?: of| is| as| like| such as)?:? {1,2}["'`(]{0,2}$|\breplac(?:e|es|ed|ing)\b[^.\n]{1,40} (?:with|by) {1,2}["'`]{0,2}$/i.test(
    masked.slice(Math.max(0, index - 60), index),
  );
}

/** Whether a placeholder is an argument in a line of code outside a fence, such as `log("took ${time}")`. */
function isArgument(masked: string, index: number): boolean {
  return /\w\((?:["'`][^"'`\n]{0,80})?$/.test(masked.slice(Math.max(0, index - 84), index));
}

/**
 * Whether braces contain an expression: a name with members, filters and arguments, or a filtered text. Returns false
 * for function calls, JSON and dialogue.
 */
function isExpression(inner: string): boolean {
  if (/^["'][^"']{0,60}["'] {0,3}\|/.test(inner)) return true;
  return (
    !/^\w+\(/.test(inner) &&
    /^[#/^>&!~=-]? ?(?:\$|[\p{L}_])[\p{L}\p{M}\w.' $-]*(?:$|[|([?:]|[=!<>+*] ?)/u.test(inner) &&
    !/^[\w ]+: /.test(inner)
  );
}

/** Whether `${...}` is a variable. In quotes, the dollar sign may stand for money, as in "for ${price}". */
function isVariable(text: PromptText, { 1: name = '', index }: RegExpExecArray): boolean {
  return text.role === 'spoken' || !text.isQuoted(index) || ownThings.test(slotWords(name));
}

function isSingle(text: PromptText, match: RegExpExecArray): boolean {
  if (isBesideCode(text, match)) return false;
  // In instructions, the agent may fill in all other variables.
  return text.role === 'spoken' || ownThings.test(slotWords(match[1] ?? ''));
}

/** Whether the characters next to a placeholder belong to a path, an assignment or other code. */
function isBesideCode({ masked }: PromptText, { 0: shown, index }: RegExpExecArray): boolean {
  const [before, after] = [masked[index - 1] ?? ' ', masked[index + shown.length] ?? ' '];
  return /[\w/$#\\{=]/.test(before) || /[\w/}]/.test(after);
}

/**
 * Whether `%name%` is a variable of another program. In instructions, prose has no other use for this notation. In
 * quotes, the agent may fill in the variable. Names in capitals may be variables of Windows.
 */
function isPercent(text: PromptText, match: RegExpExecArray): boolean {
  const { 1: name = '', index } = match;
  if (isSingle(text, match)) return true;
  return (
    /[a-z]/.test(name) && !isBesideCode(text, match) && !text.isQuoted(index) && !fromTheCall.test(slotWords(name))
  );
}

/** Whether `$name` is a variable of another program. Names in capitals may be stocks, currencies or process variables. */
function isDollar(text: PromptText, match: RegExpExecArray): boolean {
  return isSingle(text, match) && /[a-z]/.test(match[1] ?? '');
}

/** Whether an offset is in code, or is quoted in instructions as words to speak. */
function isShown(text: PromptText, index: number): boolean {
  return isInRanges(text.outline.code, index) || (text.role === 'instructs' && text.isQuoted(index));
}

/**
 * Whether a placeholder is in a form that the agent fills in. Such a form consists of consecutive lines with the same
 * mark at the end.
 */
function isInTemplate(text: PromptText, index: number, mark: string): boolean {
  const ends = (line: number) => text.masked.slice(text.startOf(line), text.endOf(line)).trimEnd().endsWith(mark);
  const line = text.lineOf(index);
  return ends(line) && (ends(line + 1) || (line > 0 && ends(line - 1)));
}

function isBlankToFillIn(text: PromptText, { 0: shown, index }: RegExpExecArray): boolean {
  if (isShown(text, index) || isInTemplate(text, index, '___')) return false;
  // A blank soon after the announcement of an example is part of a form.
  if (/\b(?:e\.g\.|examples?\b|ejemplos?\b)/i.test(text.masked.slice(Math.max(0, index - 600), index))) return false;
  const line = text.lineOf(index);
  const others =
    text.masked.slice(text.startOf(line), index) + text.masked.slice(index + shown.length, text.endOf(line));
  return /[\p{L}\p{N}]/u.test(others);
}

function isForgotten(text: PromptText, match: RegExpExecArray, tags: ReadonlySet<string>): boolean {
  const [, bracket, angle = '', braced] = match;
  const isQuoted = text.role === 'instructs' && text.isQuoted(match.index);
  if (isInRanges(text.outline.code, match.index) || isArgument(text.masked, match.index)) return false;
  // After a word such as "your", the placeholder is a value that the agent asks callers for.
  if (isQuoted && /\b(?:your|tu|su) $/i.test(text.masked.slice(Math.max(0, match.index - 6), match.index)))
    return false;
  if (braced !== undefined) return !isQuoted && (yours.test(braced) || isYourFact(braced));
  const isTag = tags.has(angle) || angle.includes('...');
  if (bracket === undefined) return !isTag && isForgottenName(angle, isQuoted);
  if (isInSignature(text, match.index)) return false;
  if (!isQuoted && isOwnIdentity(text.masked, match.index, bracket)) return true;
  return text.role === 'spoken' ? /\p{L}/u.test(bracket) : isSlotName(bracket.trim(), isQuoted);
}

/**
 * Whether a name in angle brackets is a placeholder. Except for names such as `your...`, a single word counts only if
 * the word is in capitals and outside quotes.
 */
function isForgottenName(angle: string, isQuoted: boolean): boolean {
  const isOneWord = !/[ _-]/.test(angle) && !/^your/i.test(angle);
  if (isOneWord && (isQuoted || angle !== angle.toUpperCase())) return false;
  return (!isQuoted && /^(?:FIRST|LAST|FULL) NAME$/.test(slotWords(angle))) || isSlotName(angle.trim(), isQuoted);
}

/**
 * Whether brackets are part of a signature, which consists of consecutive lines at the end of a letter that the agent
 * writes.
 */
function isInSignature(text: PromptText, index: number): boolean {
  const isAlone = (line: number) =>
    /^\s*\[[^[\]]{2,60}\]\s*$/.test(text.masked.slice(text.startOf(line), text.endOf(line)));
  const line = text.lineOf(index);
  return isAlone(line) && (isAlone(line + 1) || (line > 0 && isAlone(line - 1)));
}

/** Whether brackets contain the agent's name or employer, as in "You are [Name], the receptionist of [Company]". */
function isOwnIdentity(masked: string, index: number, name: string): boolean {
  const before = masked.slice(Math.max(0, index - 40), index);
  // In "You are [Name]'s friend", the name is that of a caller.
  if (/['’]/.test(masked.charAt(index + name.length + 2))) return false;
  return ownNames.test(before)
    ? /^(?:(?:agent|assistant|your|bot) )?name$|^(?:tu )?nombre$/i.test(name)
    : employers.test(before) && employer.test(name);
}

/** Whether a text such as `Your Name Here` is a placeholder for a fact. */
function isYourFact(words: string): boolean {
  const fact = words.replace(here, '');
  return fact !== words && yourFact.test(fact);
}

/** Whether the text in brackets names a value to fill in. */
function isSlotName(name: string, isQuoted: boolean): boolean {
  const words = slotWords(name);
  if (/[.!?]$/.test(name)) return false;
  if (/^[^a-z]*$/.test(name) && /[A-Z]{3}/.test(name)) return isShoutedSlot(words, isQuoted);
  if (/^insert\b/i.test(words) && ownThings.test(words)) return true;
  const fact = words.replace(/^(?:type|write|describe) /i, '').replace(here, '');
  if (yours.test(fact)) return true;
  if (verbs.test(words))
    return (
      !isQuoted &&
      !/\b(?:pause|beep|silence|sound|laugh|pausa)(?!\p{L})/iu.test(words) &&
      / (?:here|name|hours|address|phone|number|text|link|url|price|date|aquí|(?:el |la |los )?(?:nombre|horario|dirección|teléfono|número|texto|enlace|precio|fecha))(?!\p{L})/iu.test(
        words,
      )
    );
  return !isQuoted && (businessFacts.test(fact) || nameOfBusiness.test(fact) || isYourFact(words));
}

function isShoutedSlot(words: string, isQuoted: boolean): boolean {
  const isRequest =
    /^(?:INSERT|PASTE|YOUR|ENTER|ADD|FILL|REPLACE|SPECIFY|INSERT[AE]R?|AÑAD[AE]|AÑADIR|AGREGAR|COMPLETAR|RELLENAR)(?!\p{L})/u;
  if (isRequest.test(words)) return true;
  return nouns.test(words) && !fromTheCall.test(words) && (!isQuoted || ownThings.test(words));
}

function slotWords(name: string): string {
  return name.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
}

/** Whether the match is the value of a JSON key. */
function isInJson(masked: string, index: number): boolean {
  return /": {0,3}"$/.test(masked.slice(Math.max(0, index - 6), index));
}

function isInLatex(masked: string, index: number): boolean {
  return /[\\^_]\w{0,20}$/.test(masked.slice(Math.max(0, index - 22), index));
}

function isForgottenWord(text: PromptText, mark: string, index: number, isTodoAWord: boolean): boolean {
  if (/^lorem/i.test(mark)) return !isInRanges(text.outline.code, index);
  if (isShown(text, index)) return false;
  const [before, after] = [
    text.masked[index - 1] ?? ' ',
    text.masked.slice(index + mark.length, index + mark.length + 10),
  ];
  if (mark.startsWith('X')) {
    // The groups of a number may be separated by spaces, as in `6XX XXX XXX`.
    const isInRow = text.masked.slice(Math.max(0, index - 2), index) === 'X ' || /^ \d{0,4}XX/.test(after);
    const isBeside = /[-.\dX+(#$€/)]/.test(before) || /^(?:[-\dX)/]|\.[\dX])/.test(after);
    return !isInRow && !isBeside && !isInTemplate(text, index, mark);
  }
  if (mark === 'TBD') return true;
  if (/^ ?(?:list|item|app|board)|^:? comments?/i.test(after)) return false;
  return isNote(text.masked, index, mark, mark === 'TODO' && isTodoAWord);
}

/** Whether the text is Spanish. In Spanish, TODO is a common word: "Confirma TODO antes de colgar". */
function isSpanish(masked: string): boolean {
  const spanish = masked.match(/(?<!\p{L})(?:el|la|los|las|de|del|que|y|en|con|para|por)(?!\p{L})/giu) ?? [];
  const english = masked.match(/(?<!\p{L})(?:the|of|and|to|is|are|in|with|for|you)(?!\p{L})/giu) ?? [];
  return spanish.length > english.length;
}

/**
 * Matches the words before a mention of a note, as in `no TODO`, `add TODO`, `mark it with [TODO]` or `// TODO`.
 * Prompts for programmers contain such mentions.
 */
const spokenOf =
  /\b(?:an?|the|one|no|any|add|has|have|leave|with|without|or|and|of|each|every|as|mark|marked) {1,2}[[("'*]{0,2}$|\/\/ ?$/i;

/**
 * Whether a word such as TODO is a note. A note is followed by punctuation or by the end of the line. Inside a
 * sentence, the word is only mentioned.
 */
function isNote(masked: string, index: number, mark: string, isAlsoWord: boolean): boolean {
  const before =
    masked
      .slice(Math.max(0, index - 80), index)
      .split('\n')
      .at(-1) ?? '';
  if (!isAlsoWord && spokenOf.test(before)) return false;
  const rest = masked.slice(index + mark.length, index + mark.length + 10);
  const ends = /^(?: ?[:(]|[)\].;]?\s*$|[)\].;]?\s*\n| -->)/.test(rest);
  return ends && (!isAlsoWord || /^(?:[\s>*#+|([-]|<!--|\d{1,3}[.)]){0,20}$|: {0,3}$/.test(before));
}
