import { createHash } from 'node:crypto';
import type { ChangeSource } from '../../schemas/plan-types.ts';
import { joined } from '../../text/lines.ts';
import { capitalised, counted, formatNumber, lowerFirst, present, shorten } from '../../text/wording.ts';
import { alike } from '../alike.ts';
import {
  type Answer,
  asSentence,
  asSentences,
  type Bar,
  type Block,
  type Card,
  type ChangePart,
  type ConflictPart,
  type ConflictSide,
  type Document,
  type Fact,
  type Head,
  type HeadFact,
  isAddress,
  legendProse,
  type Mark,
  type NotePart,
  type Part,
  type Prose,
  type Question,
  type Section,
  sidesOfChange,
  spansOf,
  summaryOf,
  type Table,
  unnamedMembers,
  type ValuesPart,
} from '../blocks.ts';
import { piecesOf, plainWords } from '../text-diff/words.ts';
import { inSentence, type PlainValue } from '../values.ts';
import { type DifferenceStyle, difference, icon, markedText, versionOf, wholeText } from './difference.ts';
import { icons, stylesheet } from './stylesheet.ts';
import { type Fragment, html, prose } from './template.ts';

type SourceLink = (file: string, line: number) => string | undefined;

interface Style extends DifferenceStyle {
  readonly linkTo: SourceLink;
}

/** Renders a document as one page without scripts. The content policy forbids all requests from hostile text. */
export function renderPage(document: Document, linkTo?: SourceLink): string {
  return joined(pageOf(document, linkTo));
}

/** Yields a page in pieces, because a page with thousands of cards is large. */
export function* pageOf(
  { head, sections, sides, legend = [] }: Document,
  linkTo: SourceLink = () => undefined,
): Generator<string> {
  const hash = createHash('sha256').update(stylesheet.toString()).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const style = { linkTo, sides, budget: { left: maxUnchanged }, shownSides: new Set<string>() };
  const { project, about, environment, title } = head;
  const usual = `${about} ${environment}`;
  const name = present(title, title !== usual && lowerFirst(usual), project);
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name.join(' – ')}</title>
<style>${stylesheet}</style>
</head>
<body>
<svg class="sprite" aria-hidden="true">${icons}</svg>
<a class="skip" href="#main">Skip to the plan</a>
${headPart(head)}
<div class="wrap frame">
<nav class="side" aria-label="On this page">${sections.map(contents)}</nav>
<main id="main">`.toString();
  for (const section of sections) yield* sectionPieces(section, style);
  const explained = legendProse(legend, style.shownSides);
  yield html`</main></div>
<footer><div class="wrap">${explained.length > 0 && html`<p>${prosePart(explained)}</p>`}<p>Made by agentform. The page contains no script, loads nothing and sends nothing.</p></div></footer>
</body>
</html>
`.toString();
}

/** The maximum length of unchanged text, in characters. The long prompts of a fleet would make a page slow. */
const maxUnchanged = 300_000;

const markStyles: Readonly<Record<Mark, { readonly name: string; readonly tone: string }>> = {
  changed: { name: 'edit', tone: 'edit' },
  new: { name: 'plus', tone: 'new' },
  undone: { name: 'undo', tone: 'ask' },
  again: { name: 'undo', tone: '' },
  held: { name: 'pause', tone: '' },
  waiting: { name: 'pause', tone: '' },
  same: { name: 'same', tone: '' },
  stopped: { name: 'no', tone: 'old' },
  failed: { name: 'no', tone: 'old' },
  gone: { name: 'same', tone: '' },
  unset: { name: 'no', tone: 'old' },
  released: { name: 'same', tone: '' },
  orphan: { name: 'ask', tone: '' },
  done: { name: 'ok', tone: 'new' },
  unknown: { name: 'ask', tone: 'old' },
  warning: { name: 'warn', tone: 'ask' },
  question: { name: 'ask', tone: 'ask' },
  technical: { name: 'gear', tone: '' },
};

/** Returns the icon of a mark. The mark `changed` has a different icon for several resources. */
function iconOf(mark: Mark, isMany = false): Fragment {
  return isMany && mark === 'changed' ? icon('many', 'edit') : icon(markStyles[mark].name, markStyles[mark].tone);
}

function headPart({ project, about, environment, title, state, facts = [], chips = [], remarks = [] }: Head): Fragment {
  const { name: drawing, tone } = markStyles[state.mark];
  const pill = html`${icon(drawing)}${state.text}`;
  const link =
    state.to === undefined
      ? html`<span class="state ${tone}">${pill}</span>`
      : html`<a class="state ${tone}" href="#${state.to}">${pill}</a>`;
  const name = project && html`<b>${project}</b>`;
  // By default, a page is headed "Plan for production".
  const subject =
    title !== `${about} ${environment}` &&
    html`${name && html`<span aria-hidden="true">/</span>`}${about} <span class="env">${environment}</span>`;
  return html`<header class="top"><div class="wrap">
${(name || subject) && html`<p class="crumb">${name}${subject}</p>`}
<h1>${title}</h1>
<ul class="meta">
<li>${link}</li>${facts.map((fact) => html`<li>${factPart(fact)}</li>`)}
</ul>
${chips.length > 0 && html`<ul class="chips">${chips.map(({ mark, count, text, to }) => html`<li><a href="#${to}">${iconOf(mark)}<span><b>${formatNumber(count)}</b> ${text}</span></a></li>`)}</ul>`}
${remarks.map((remark) => html`<p class="note">${remark}</p>`)}
</div></header>`;
}

const factStyles: Readonly<Record<HeadFact['what'], { readonly name: string; readonly label?: string }>> = {
  'pull request': { name: 'pr' },
  branch: { name: 'branch', label: 'Branch ' },
  commit: { name: 'commit', label: 'Commit ' },
  author: { name: 'who', label: 'By ' },
  time: { name: 'clock' },
};

function factPart({ what, text, url, time }: HeadFact): Fragment {
  const { name, label } = factStyles[what];
  if (time !== undefined) return html`${icon(name)}<time datetime="${time}">${text}</time>`;
  const shown = html`${label && html`<span class="vh">${label}</span>`}${text}`;
  const mono = what === 'commit' && html` class="mono"`;
  return isAddress(url)
    ? html`${icon(name)}<a${mono} href="${url}">${shown}</a>`
    : html`${icon(name)}<span${mono}>${shown}</span>`;
}

const maxListed = 100;

interface Entry {
  readonly mark: Mark;
  readonly text: string;
  readonly count?: number;
  readonly to: string;
}

function entriesOf({ id: to, title: text, blocks }: Section): Entry[] {
  const cards = blocks.flatMap((block) => (block.type === 'card' ? cardEntry(block) : []));
  const [first] = blocks;
  if (cards.length > 0 || first === undefined || first.type === 'statement') return cards;
  if (first.type === 'notes') return [{ mark: first.items[0]?.mark ?? 'warning', text, count: first.items.length, to }];
  if (first.type !== 'questions') return [{ mark: 'done', text, to }];
  const { isStop, items, more } = first;
  const words = isStop ? { mark: 'stopped' as const, text } : { mark: 'question' as const, text: 'Questions' };
  return [{ ...words, count: items.length + more.length, to }];
}

function cardEntry({ id: to, mark, title, names, namesAll, status, what }: Card): Entry {
  if (mark !== 'held' && (names === undefined || namesAll)) return { mark, text: title, to };
  return { mark, text: capitalised(status ?? what), count: names?.names.length ?? 1, to };
}

/** Joins entries with the same words, such as several holds. A joined entry leads to the first of them. */
function joinedEntries(entries: readonly Entry[]): Entry[] {
  return alike(entries, ({ text }) => text).map((same): Entry => {
    const [first, ...others] = same;
    return others.length === 0 ? first : { ...first, count: same.reduce((sum, { count = 1 }) => sum + count, 0) };
  });
}

function contents(section: Section): Fragment {
  const items = joinedEntries(entriesOf(section));
  if (items.length === 0) return html``;
  const isRepeated = items.length === 1 && items[0]?.text === section.title;
  const more = items.length - maxListed;
  const rows = items.slice(0, maxListed).map(({ mark, text, count, to }) => {
    const number = count !== undefined && html`<small>${formatNumber(count)}</small>`;
    return html`<li><a href="#${to}">${iconOf(mark, count !== undefined)}<span>${text}</span>${number}</a></li>`;
  });
  const rest =
    more > 0 && html`<li><a href="#${items[maxListed]?.to}"><span>and ${formatNumber(more)} more</span></a></li>`;
  return html`${!isRepeated && html`<h2>${section.title}</h2>`}<ul>${rows}${rest}</ul>`;
}

function* sectionPieces({ id, title, aside, blocks }: Section, style: Style): Generator<string> {
  const beside = aside && html`<p>${aside}</p>`;
  yield html`<section class="sec" id="${id}" aria-labelledby="${id}-h"><div class="head"><h2 id="${id}-h">${title}</h2>${beside}</div>
`.toString();
  for (const block of blocks) yield blockPart(block, style).toString();
  yield '</section>';
}

function blockPart(block: Block, style: Style): Fragment {
  switch (block.type) {
    case 'questions': {
      const { isStop, items, more, reply } = block;
      const rest =
        more.length > 0 &&
        html`<details class="fold more"><summary>and ${formatNumber(more.length)} more</summary><ol>${more.map(questionPart)}</ol></details>`;
      return html`<div class="asks ${isStop ? 'bad' : 'hot'}"><ol>${items.map(questionPart)}</ol>${rest}<p class="reply">${replyPart(reply)}</p></div>`;
    }
    case 'notes':
      return html`<div class="notes">${block.items.map(notePart)}</div>`;
    case 'statement':
      return html`<div class="card empty">${iconOf('done')}<h3>${block.title}</h3><p>${block.text}</p></div>`;
    case 'bars':
      return html`<div class="card bars"><h3>${block.title}</h3><dl>${block.rows.map(barPart)}</dl></div>`;
    case 'table':
      return tablePart(block);
    case 'results':
      // Results have no page.
      return html``;
    case 'card':
      return cardPart(block, style);
  }
}

/** Renders a bar as a `meter`, because the content policy forbids inline styles. */
function barPart({ label, count, total, text }: Bar): Fragment {
  const max = Math.max(total, 1);
  return html`<div><dt>${label}</dt><dd><meter min="0" max="${max}" value="${count}" aria-label="${`${label}: ${text}`}"></meter><span>${text}</span></dd></div>`;
}

function tablePart({ columns, rows }: Table): Fragment {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  const body = rows.map(({ mark, cells: [first = '', ...others] }) => {
    return html`<tr><th scope="row">${iconOf(mark)} ${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>
`;
  });
  return html`<div class="rows" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>`;
}

/** Renders the ways to reply, first the buttons and then the sentence. */
function replyPart(reply: Prose): Fragment {
  const [buttons, rest]: [Fragment[], Fragment[]] = [[], []];
  for (const part of spansOf(reply)) {
    if (typeof part === 'string') rest.push(html`${part}`);
    else if (isAddress(part.url)) buttons.push(html`<a class="btn" href="${part.url}">${part.text}</a>`);
    else rest.push(html`<kbd>${part.text}</kbd>`);
  }
  return html`${buttons}<span>${rest}</span>`;
}

function questionPart({ id, number, title, text, answers, items = [], advice }: Question): Fragment {
  const badge = number ?? icon(markStyles.stopped.name);
  const label = number !== undefined && html`<span class="vh">Question ${number}: </span>`;
  // Long effects would push the first change off the screen, so only the card shows long effects.
  const isShort = answers.every(({ effect = '' }) => effect.length <= maxEffect);
  const choices = answers.map(({ letter, title: answer, text: rest, effect, defaultWhen }) => {
    const end = isShort && effect && `: ${effect}`;
    return html`<li><i>${letter}</i><span><b>${answer}</b>${rest && ` ${rest}`}${end}${defaultTag(defaultWhen)}</span></li>`;
  });
  const beside =
    advice === undefined
      ? html`<ol class="ch">${choices}</ol>`
      : html`<div class="ch"><p>${prosePart(advice)}</p></div>`;
  return html`<li class="q" id="${id}"><span class="num" aria-hidden="true">${badge}</span><div><h3>${label}${title}</h3><p>${prosePart(asSentences(text))}</p>${items.length > 0 && html`<ul class="list">${items.map((item) => html`<li>${item}</li>`)}</ul>`}</div>${beside}</li>
`;
}

/** The maximum length of an effect beside its answer, in characters. */
const maxEffect = 60;

const maxSummary = 160;

function cardPart(card: Card, style: Style): Fragment {
  const { id, mark, title, tags = [], isOpen, names, technical, sides = style.sides } = card;
  const sets = setsOf(card, { ...style, sides });
  const facts = [...(technical?.() ?? [])];
  const marks =
    tags.length > 0 &&
    html`<span>${tags.map((tag) => html`<span class="tag ${markStyles[tag.mark].tone}">${tag.text}</span> `)}</span>`;
  const foot =
    facts.length > 0 &&
    (mark === 'technical'
      ? html`<div class="body"><div class="set tech">${factsPre(facts)}</div></div>`
      : html`<div class="foot"><details class="fold"><summary>Technical details</summary>${factsPre(facts)}</details></div>`);
  return html`<details class="card" id="${id}"${isOpen && html` open`}>
<summary>${iconOf(mark, names !== undefined)}<span><h3>${title}</h3><span class="what">${isOpen ? summaryOf(card, true) : shorten(summaryOf(card), maxSummary)}</span></span>${marks}</summary>
${sets.length > 0 && html`<div class="body">${sets}</div>`}
${foot}</details>
`;
}

function setsOf(card: Card, style: Style): Fragment[] {
  const sets: Fragment[] = [];
  let pairs: Fragment[] = [];
  const endPairs = () => {
    if (pairs.length > 0) sets.push(html`<div class="set"><dl class="kv">${pairs}</dl></div>`);
    pairs = [];
  };
  let last: ChangeSource | undefined;
  for (const part of card.parts?.() ?? []) {
    if (part.type === 'change' && part.values !== undefined) {
      // Settings from the same line, such as the members of an object, show their source once.
      const isSame = last?.file === part.source?.file && last?.line === part.source?.line;
      pairs.push(pairPart(isSame ? { ...part, source: undefined } : part, part.values, style));
      last = part.source;
    } else {
      last = undefined;
      endPairs();
      sets.push(partPart(part, style));
    }
  }
  endPairs();
  const members = unnamedMembers(card);
  if (members !== undefined) {
    const list = html`<ul class="names">${members.names.map((name) => html`<li>${name}</li>`)}</ul>`;
    const fold = html`<details class="fold"><summary><span><b>The ${card.title}</b> ${members.range}</span></summary>${list}</details>`;
    sets.push(html`<div class="set">${sets.length === 0 ? list : fold}</div>`);
  }
  return sets;
}

function factsPre(facts: readonly Fact[]): Fragment {
  return html`<pre>${facts.map(({ name, text }, index) => html`${index > 0 && '\n'}<b>${name}</b>  ${prosePart(text)}`)}</pre>`;
}

function partPart(part: Part, style: Style): Fragment {
  switch (part.type) {
    case 'change':
      return html`<div class="set">${changePart(part, style)}</div>`;
    case 'values':
      return valuesPart(part);
    case 'conflict':
      return conflictHtml(part, style);
    case 'choices':
      return html`<div class="set sub"><div class="pick c2">${part.answers.map(choicePart)}</div></div>`;
    case 'note':
      return html`<div class="${part.mark === 'undone' ? 'set lead' : 'set'}"${idAttribute(part.id)}>${notePart(part)}</div>`;
    case 'facts':
      return html`<div class="set"><dl class="kv">${part.rows.map(({ name, text }) => html`<div><dt class="soft">${name}</dt><dd>${prosePart(text)}</dd></div>`)}</dl></div>`;
  }
}

function idAttribute(id: string | undefined): Fragment | undefined {
  return id === undefined ? undefined : html` id="${id}"`;
}

function notePart({ mark, text }: NotePart): Fragment {
  return html`<div class="why">${iconOf(mark)}<p>${prosePart(asSentences(text))}</p></div>`;
}

function sourcePart(source: ChangeSource | undefined, { linkTo }: Style): Fragment | undefined {
  if (source === undefined) return undefined;
  const text = `${source.file}:${source.line}`;
  const url = linkTo(source.file, source.line);
  return isAddress(url) ? html`<a class="src" href="${url}">${text}</a>` : html`<span class="src mono">${text}</span>`;
}

function pairPart(part: ChangePart, { from, to }: NonNullable<ChangePart['values']>, style: Style): Fragment {
  const { name, op } = part;
  const isNamed = part.cause === 'drift' || part.after !== undefined;
  const [live, after] = sidesOfChange(part, style.sides);
  const sideText = (side: string) => {
    style.shownSides.add(side);
    return html`<small>${side.toLowerCase()}:</small>`;
  };
  const isBoth = from !== undefined && to !== undefined && !from.isNotSet;
  const old =
    from !== undefined &&
    (isBoth || to === undefined) &&
    html`${isNamed && sideText(live)}${valuePart(from, op === 'release' ? 'span' : 'del')}`;
  const arrow = isBoth && html`<span class="to" aria-hidden="true">→</span><span class="vh">becomes</span>`;
  const now = to !== undefined && html`${isNamed && sideText(after)}${valuePart(to, 'ins')}`;
  return html`<div><dt>${name}</dt><dd>${old}${arrow}${now}${remarksOf(part)}${sourcePart(part.source, style)}</dd></div>`;
}

function remarksOf({ marker, note }: ChangePart): Fragment | undefined {
  const remarks = present(marker, note);
  return remarks.length === 0 ? undefined : html` <small class="after">${remarks.join('; ')}</small>`;
}

function changePart(part: ChangePart, style: Style): Fragment {
  const { name, about, sameAs, view } = part;
  const source = sourcePart(part.source, style);
  if (sameAs !== undefined) {
    return html`<div class="hd"><h4>${name}</h4><p>${prosePart(sameAs)}</p>${source}</div>`;
  }
  const { from, to, lines } = view;
  // One of the values may be long while the other is short, or hidden.
  const values =
    (from ?? to) && html`<p class="quote">${from && html`<del>${from}</del> `}${to && html`<ins>${to}</ins>`}</p>`;
  const text =
    lines.length > 0
      ? difference(part, { ...style, sides: sidesOfChange(part, style.sides) })
      : (values ?? (part.whole.length > 0 && wholeFold(part)));
  return html`<div class="hd"><h4>${name}</h4>${about && html`<p>${about}</p>`}${remarksOf(part)}${source}</div>${text}`;
}

function valuePart({ text, isAside, isCode }: PlainValue, element: 'del' | 'ins' | 'span'): Fragment {
  const shown = isCode ? html`<code>${text}</code>` : isAside ? html`<span class="soft">${text}</span>` : text;
  if (element === 'del') return html`<del>${shown}</del>`;
  return element === 'ins' ? html`<ins>${shown}</ins>` : html`<span>${shown}</span>`;
}

function valuesPart({ id, intro, rows }: ValuesPart): Fragment {
  const table = html`<table class="tab"><tbody>${rows.map(
    (row) => html`<tr><th scope="row">${row.name}</th><td>${cellPart(row)}</td></tr>
`,
  )}</tbody></table>`;
  if (intro === undefined) return html`<div class="set"${idAttribute(id)}>${table}</div>`;
  return html`<div class="set"${idAttribute(id)}><div class="why">${icon('lock')}<div><p>${prosePart(intro.text)}</p><details class="fold"><summary>${intro.summary}</summary>${table}</details></div></div></div>`;
}

function cellPart({ values, whole, sameAs, view, findings, marker }: ChangePart): Fragment {
  if (sameAs !== undefined) return prosePart(sameAs);
  if (values?.to === undefined && whole.length > 0) return wholeFold({ whole, findings });
  const value = values?.to && valuePart(values.to, 'span');
  const after = marker && html` <small class="after">${marker}</small>`;
  return html`${value ?? view.to ?? view.lines.map(({ text }) => text).join('\n')}${after}`;
}

function wholeFold({ whole, findings }: Pick<ChangePart, 'whole' | 'findings'>): Fragment {
  const title = plainWords(whole.find((line) => line.trim() !== '') ?? '');
  return html`<details class="fold"${findings.size > 0 && html` open`}><summary>“${shorten(title, 80)}”, ${counted(whole.length, 'line')}</summary>${wholeText(whole, findings)}</details>`;
}

function conflictHtml({ id, name, about, source, before, sides }: ConflictPart, style: Style): Fragment {
  const columns = sides.length > 2 ? 'c3' : 'c2';
  return html`<div class="set"${idAttribute(id)}><div class="hd"><h4>${name}</h4><p>${about}</p>${sourcePart(source, style)}</div>
${before && html`<p class="pre">${before.title}: ${inSentence(before.value)}</p>`}
<div class="pick ${columns}">${sides.map(versionPart)}</div></div>`;
}

function versionPart({ letter, title, value, lines, outcome, isLive }: ConflictSide): Fragment {
  const quote = value && html`<p class="quote">${markedText(piecesOf(value))}</p>`;
  const text = lines.length > 0 && versionOf(lines);
  return html`<div${isLive && html` class="was"`}>${letter !== undefined && html`<i>${letter}</i>`}<b>${title}</b>${quote}${text}<p class="soft">${outcome}</p></div>`;
}

function choicePart({ letter, title, text, effect, loss, defaultWhen }: Answer): Fragment {
  const outcome = present(effect && asSentence(effect), loss).join(' ');
  return html`<div><i>${letter}</i><span><b>${title}</b> ${text}${defaultTag(defaultWhen)}</span><p class="soft">${outcome}</p></div>`;
}

function defaultTag(when: string | undefined): Fragment | undefined {
  return when === undefined ? undefined : html` <span class="dflt">${when}</span>`;
}

function prosePart(text: Prose): Fragment {
  return html`${spansOf(text).map((part) => {
    if (typeof part === 'string') return prose(part);
    if (part.to !== undefined) return html`<a href="#${part.to}">${part.text}</a>`;
    if (isAddress(part.url)) return html`<a href="${part.url}">${part.text}</a>`;
    return part.style === 'strong' ? html`<b>${part.text}</b>` : part.text;
  })}`;
}
