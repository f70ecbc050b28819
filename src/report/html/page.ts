import { createHash } from 'node:crypto';
import type { Term } from '../plan/terms.ts';
import { stylesheet } from './stylesheet.ts';
import { type Fragment, html, prose } from './template.ts';

/** The section of one resource, or of several with the same changes. */
export interface PageSection {
  /** The action, in a word. */
  readonly action: string;
  readonly name: string;
  /** The amount of changes. */
  readonly about: string;
  /** The changed settings, for the table of contents. */
  readonly settings?: string | undefined;
  /** Heads the sections from the first one that has it. */
  readonly group?: string | undefined;
  readonly content: Fragment;
  /** The id, and the host. */
  readonly location?: string | undefined;
}

/** A page from top to bottom. */
export interface Page {
  readonly title: string;
  /** The style of the verdict. */
  readonly state: 'refused' | 'mind' | 'ready' | 'nothing';
  readonly verdict: string;
  /** The next step for the reader. */
  readonly advice?: string | undefined;
  /** Counts, in sentences. */
  readonly facts: readonly (Fragment | string | undefined)[];
  /** The section "Check first". */
  readonly notices: readonly Fragment[];
  readonly sections: readonly PageSection[];
  /** The blocks after the sections. */
  readonly closing: readonly (Fragment | undefined)[];
  readonly end?: string | undefined;
}

/** The number of initially open sections; with more, a reader opens the interesting ones. */
const mostOpen = 12;

/**
 * A page that needs nothing but itself: it has no script, and its policy forbids every request, even one that a text on it
 * would ask for.
 */
export function renderPage({ title, state, verdict, advice, facts, notices, sections, closing, end }: Page): string {
  const hash = createHash('sha256').update(stylesheet.toString()).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const isOpen = sections.length <= mostOpen;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${stylesheet}</style>
</head>
<body>
<header>
<p class="brand">agentform</p>
<h1>${title}</h1>
<p class="verdict ${state}">${verdict}</p>
${advice === undefined ? '' : html`<p class="advice"><b>What to do:</b> ${advice}</p>`}
${facts.map((fact) => (fact === undefined ? '' : html`<p class="fact">${fact}</p>`))}
</header>
<main>
${notices.length === 0 ? '' : noticesPart(notices)}
${sections.length === 0 ? '' : sectionsPart(sections, isOpen)}
${closing}
</main>
${technicalPart(sections, end)}
</body>
</html>
`;
  return page.toString();
}

function noticesPart(notices: readonly Fragment[]): Fragment {
  const items = notices.map((notice) => html`<li>${notice}</li>`);
  return html`<section class="notices" aria-labelledby="first"><h2 id="first">Check first</h2><ul>${items}</ul></section>`;
}

function sectionsPart(sections: readonly PageSection[], isOpen: boolean): Fragment {
  const groups = sections.map(({ group }) => group);
  const parts = sections.map((section, index) => {
    const isFirst = section.group !== undefined && groups.indexOf(section.group) === index;
    const heading = isFirst && index > 0 ? html`<p class="origin">${section.group}:</p>` : '';
    return html`${heading}${sectionPart(section, { number: index + 1, isOpen })}`;
  });
  return html`<section class="changes" aria-labelledby="changes"><h2 id="changes">Changes</h2>
${sections.length > 1 ? contents(sections) : ''}
${parts}</section>`;
}

/** Details for people who work on the service or apply the plan. */
function technicalPart(sections: readonly PageSection[], end: string | undefined): Fragment | undefined {
  const located = sections.filter(({ location }) => location !== undefined);
  if (located.length === 0 && end === undefined) return undefined;
  const items = located.map(({ name, location }) => html`<li><b>${name}</b>: ${location}</li>`);
  return html`<footer><details><summary>Technical details</summary>${end === undefined ? '' : html`<p>${end}</p>`}${items.length === 0 ? '' : html`<ul>${items}</ul>`}</details></footer>`;
}

/** The table of contents. */
function contents(sections: readonly PageSection[]): Fragment {
  const items = sections.map(({ action, name, about, settings = '' }, index) => {
    const which = settings === '' ? '' : html`: ${settings}`;
    return html`<li>${badge(action)} <a href="#${`change-${index + 1}`}">${name}</a> <span class="about">${about}</span>${which}</li>`;
  });
  return html`<nav aria-label="Changes"><ol>${items}</ol></nav>`;
}

function sectionPart(
  { action, name, about, content }: PageSection,
  { number, isOpen }: { readonly number: number; readonly isOpen: boolean },
): Fragment {
  // A link to what is inside opens it.
  const heading = html`<summary>${badge(action)} <h3>${name}</h3> <span class="about">${about}</span></summary>`;
  const open = isOpen ? html` open` : '';
  return html`<details class="resource"${open}>${heading}<div class="content" id="change-${number}">${content}</div></details>
`;
}

function badge(action: string): Fragment {
  return html`<span class="badge ${action.replaceAll(' ', '-')}">${action}</span>`;
}

/** Sentences one below the other, with text in backticks as code. */
export function sentencesList(sentences: readonly string[]): Fragment | undefined {
  if (sentences.length === 0) return undefined;
  return html`<ul class="remarks">${sentences.map((sentence) => html`<li>${prose(sentence)}</li>`)}</ul>`;
}

/** Words and their meanings. */
export function terms(listed: readonly Term[]): Fragment | undefined {
  if (listed.length === 0) return undefined;
  return html`<dl>${listed.map(({ word, meaning }) => html`<dt>${word}</dt><dd>${prose(meaning)}</dd>`)}</dl>`;
}

/** The glossary at the end; empty if no word needs it. */
export function wordsPart(used: readonly Term[]): Fragment | undefined {
  if (used.length === 0) return undefined;
  return html`<section aria-labelledby="words"><h2 id="words">What the words mean</h2>${terms(used)}</section>`;
}
