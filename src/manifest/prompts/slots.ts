import type { Finding, PromptText } from './prompt-text.ts';
import { isIn } from './written-lines.ts';

// In the languages that `agentLang` knows, English and Spanish.

const verbs =
  /^(?:insert|enter|add|fill in|fill|replace|put|specify|provide|list|insert[ae]r?|añad[ae]|añadir|agreg(?:a|ar|ue)|complet[ae]r?|rellen[ae]r?|escrib[ae]|escribir|indi(?:ca|car|que))(?!\p{L})/iu;
const yours =
  /^your? (?:own )?(?:company|business|clinic|practice|store|shop|restaurant|hotel|agency|office|firm|brand|salon|school|team|organi[sz]ation|name|phone|number|address|email|e-mail|website|url|hours|city|state|title|logo|product|service)|^(?:tu|su) (?:propi[ao] )?(?:empresa|negocio|compañía|clínica|consulta|tienda|restaurante|hotel|agencia|oficina|bufete|marca|salón|escuela|equipo|nombre|teléfono|número|dirección|correo|web|horario|ciudad|logo|producto|servicio)/i;
const places =
  /^(?:company|business|clinic|practice|store|shop|restaurant|hotel|agency|office|firm|brand|salon|organi[sz]ation|assistant|agent|bot)(?:'s)? (?:name|hours|address|phone|phone number|number|email|website|url|city|location)$|^(?:nombre|horario|dirección|teléfono|número|correo|web|ciudad|ubicación) (?:de la|del|de tu|de su) (?:empresa|negocio|compañía|clínica|consulta|tienda|restaurante|hotel|agencia|oficina|bufete|marca|salón|asistente|agente)$/i;
const nouns =
  /(?<!\p{L})(?:NAME|COMPANY|BUSINESS|PHONE|TELEPHONE|ADDRESS|HOURS|DATE|CITY|EMAIL|WEBSITE|URL|PRICE|PRICES|FEE|AMOUNT|CLINIC|PRACTICE|PRODUCT|SERVICES?|NUMBER|LOCATION|TITLE|BRAND|STORE|HOTEL|RESTAURANT|DEPARTMENT|(?:OPENING|CLOSING) TIME|PLACEHOLDER|TEXT HERE|HERE|HORA DE (?:APERTURA|CIERRE)|NOMBRE|EMPRESA|NEGOCIO|TEL[EÉ]FONO|DIRECCI[OÓ]N|HORARIOS?|FECHA|CIUDAD|CORREO|PRECIOS?|IMPORTE|CL[IÍ]NICA|CONSULTA|PRODUCTO|SERVICIOS?|N[UÚ]MERO|UBICACI[OÓ]N|T[IÍ]TULO|MARCA|TIENDA|RESTAURANTE|DEPARTAMENTO|TEXTO AQU[IÍ]|AQU[IÍ])(?!\p{L})/u;
/** What only the one knows who calls, or the moment of the call. */
const fromTheCall =
  /\b(?:caller|customer|patient|client|guest|user|visitor|tenant|student|member|parent|pet|child|their|his|her|first|last|full|appointment|order|booking|confirmed?|chosen|selected|requested|available|current|today|day|(?<!(?:opening|closing) )time|reason|summary|result|next|llama|cliente|paciente|huésped|usuari[oa]|visitante|inquilin[oa]|alumn[oa]|soci[oa]|niñ[oa]|hij[oa]|mascota|apellido|cita|pedido|reserva|confirmad|elegid|disponible|actual|hoy|día|hora\b(?! de (?:apertura|cierre))|motivo|resumen|resultado|próxim)/i;

/** What does not differ from call to call. */
const ownThings =
  /\b(?:clinic|company|business|practice|store|shop|hotel|restaurant|office|salon|firm|agency|brand|assistant|agent|bot|hours|website|url|clínica|empresa|negocio|consulta|tienda|restaurante|oficina|agencia|bufete|marca|asistente|agente|horario)\b/i;

const slot =
  /\[([^[\]\n]{2,60})\](?![([:])|<([A-Za-z][^<>\n=/]{1,60})>|\$\{([A-Za-z_][\w.-]{0,60})\}|\{\{([^{}"\n]{1,60})\}\}|\{([A-Za-z_][\w.-]{0,60})\}/g;
const word = /\b(?:TODO|FIXME|TBD|TBC|X{3,20}|[Ll]orem [Ii]psum|LOREM IPSUM)\b/g;

/** Slots that the author forgot. What the agent is to fill in while it speaks stands between quotes. */
export function findSlots(text: PromptText): Finding[] {
  const { masked } = text;
  const found: Finding[] = [];
  for (const match of masked.matchAll(slot)) {
    if (isForgotten(text, match)) found.push(findingAt(match.index, match[0]));
  }
  const isTodoAWord = masked.includes('TODO') && isSpanish(masked);
  for (const { 0: mark, index } of masked.matchAll(word)) {
    const isNoted = mark !== 'TODO' || !isTodoAWord || isNote(masked, index);
    if (isNoted && isForgottenWord(text, mark, index)) found.push(findingAt(index, mark));
  }
  return found;
}

function findingAt(start: number, slotText: string): Finding {
  const message = `nothing fills in ${JSON.stringify(slotText).replace(/^"|"$/g, "'")}; write what belongs there`;
  return { rule: 'prompt-placeholder', message, start, end: start + slotText.length };
}

function isForgotten(text: PromptText, match: RegExpExecArray): boolean {
  const [, bracket, angle, dollar, double, single] = match;
  const isCode = isIn(text.outline.code, match.index);
  const isQuoted = text.role === 'instructs' && text.isQuoted(match.index);
  const { masked } = text;
  if (bracket !== undefined) {
    return text.role === 'spoken' ? /\p{L}/u.test(bracket) : isSlotName(bracket.trim(), isQuoted);
  }
  if (angle !== undefined) {
    const isTag = masked.includes(`</${angle}>`);
    const isOneWord = !/[ _-]/.test(angle) && !/^your/i.test(angle);
    // A single word is a slot where it shouts; as code or between quotes it shows a form.
    if (isTag || (isOneWord && (isCode || isQuoted || angle !== angle.toUpperCase()))) return false;
    return isSlotName(angle.trim(), isQuoted);
  }
  if (isCode) return false;
  if (dollar !== undefined) return true;
  if (double !== undefined) return /^\s?[#/^>&]?\s?[A-Za-z_][\w.' -]*$/.test(double) && !isInLatex(masked, match.index);
  if (single === undefined) return false;
  const [before, after] = [masked[match.index - 1] ?? ' ', masked[match.index + match[0].length] ?? ' '];
  if (/[\w/$\\{=]/.test(before) || /[\w/}]/.test(after)) return false;
  return !isQuoted || ownThings.test(wordsOf(single));
}

/** Whether what stands between brackets is the name of something that is to be written there. */
function isSlotName(name: string, isQuoted: boolean): boolean {
  const words = wordsOf(name);
  if (/^[^a-z]*$/.test(name) && /[A-Z]{3}/.test(name)) {
    if (
      /^(?:INSERT|YOUR|ENTER|ADD|FILL|REPLACE|SPECIFY|INSERT[AE]R?|AÑAD[AE]|AÑADIR|AGREGAR|COMPLETAR|RELLENAR)(?!\p{L})/u.test(
        words,
      )
    )
      return true;
    return nouns.test(words) && !fromTheCall.test(words);
  }
  if (/^insert\b/i.test(words)) return !(isQuoted && fromTheCall.test(words));
  if (yours.test(words)) return true;
  if (verbs.test(words))
    return (
      !isQuoted &&
      / (?:here|name|hours|address|phone|number|text|link|url|price|date|aquí|(?:el |la |los )?(?:nombre|horario|dirección|teléfono|número|texto|enlace|precio|fecha))(?!\p{L})/iu.test(
        words,
      )
    );
  return !isQuoted && places.test(words);
}

function wordsOf(name: string): string {
  return name.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
}

function isInLatex(masked: string, index: number): boolean {
  return /[\\^_]\w{0,20}$/.test(masked.slice(Math.max(0, index - 22), index));
}

function isForgottenWord(text: PromptText, mark: string, index: number): boolean {
  if (/^lorem/i.test(mark)) return true;
  if (isIn(text.outline.code, index)) return false;
  if (text.role === 'instructs' && text.isQuoted(index)) return false;
  const [before, after] = [
    text.masked[index - 1] ?? ' ',
    text.masked.slice(index + mark.length, index + mark.length + 8),
  ];
  if (mark.startsWith('X')) return !/[-.\dX+(#$€/)]/.test(before) && !/^(?:[-\dX)/]|\.[\dX])/.test(after);
  return !/^[ -](?:list|item|app|board)/i.test(after);
}

/** In Spanish, TODO is a word, which prompts like to stress: "Confirma TODO antes de colgar". */
function isSpanish(masked: string): boolean {
  const spanish = masked.match(/(?<!\p{L})(?:el|la|los|las|de|del|que|y|en|con|para|por)(?!\p{L})/giu) ?? [];
  const english = masked.match(/(?<!\p{L})(?:the|of|and|to|is|are|in|with|for|you)(?!\p{L})/giu) ?? [];
  return spanish.length > english.length;
}

/** Whether TODO begins a line or follows a colon, and a colon, a bracket or nothing follows it. */
function isNote(masked: string, index: number): boolean {
  const before =
    masked
      .slice(Math.max(0, index - 80), index)
      .split('\n')
      .at(-1) ?? '';
  const after = masked.slice(index + 'TODO'.length, index + 'TODO'.length + 8);
  return (
    /^(?:[\s>*#+|([-]|<!--|\d{1,3}[.)]){0,20}$|: {0,3}$/.test(before) &&
    /^(?: ?[:(]|\s*$|[)\].]?\s*\n| -->)/.test(after)
  );
}
