import type { Ledger, LedgerEntry, PublishEntry, PublishLedger } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Change } from '../../schemas/plan-types.ts';
import { counted, listNames, shorten } from '../../text/wording.ts';
import { partBlocks } from '../markdown/comment.ts';
import { codeSpan, escapeProse } from '../markdown/escape.ts';
import { firstFitting, fitted, joinBlocks, type Section } from '../markdown/fit.ts';
import { sentencesOf } from '../notices.ts';
import { endingText, publishCounts, publishEntriesAlike, unsharedSentence } from './publish.ts';
import {
  aboutEntries,
  entriesAlike,
  fieldText,
  ledgerCounts,
  partsOf,
  publishSentence,
  undoneChanges,
} from './text.ts';

export interface LedgerMarkdownOptions {
  /** The maximum UTF-16 units of the text. */
  readonly limit: number;
  readonly title: string;
}

const most = { characters: 1_000, nameCharacters: 80 } as const;

const signs: Readonly<Record<LedgerEntry['outcome'], string>> = {
  applied: '✅',
  unchanged: '·',
  waiting: '⏳',
  'not attempted': '⚠️',
  failed: '❌',
  unknown: '❓',
};

/** Entries that need attention come before successful ones; unchanged resources are only counted. */
const order: readonly LedgerEntry['outcome'][] = ['unknown', 'failed', 'not attempted', 'applied', 'waiting'];

/** The end of an apply for a pull request. Never longer than the limit: entries are left out whole, and named, what went well before the rest. */
export function renderLedgerMarkdown(ledger: Ledger, { limit, title }: LedgerMarkdownOptions): string {
  const counts = `**${ledgerVerdict(ledger)}**`;
  const head = [`### ${escapeProse(shorten(title, 200))}`, counts, ...remarksOn(ledger)];
  const { well, grave } = sectionsOf(ledger);
  const withGrave = [...head, ...grave.map(({ text }) => text)];
  const whole =
    fitted({ head: withGrave, sections: well, closing: [], limit }) ??
    fitted({ head, sections: [...grave, ...well], closing: [], limit });
  return whole?.text ?? firstFitting([joinBlocks(head), counts], limit);
}

/**
 * The result of an apply in short, to show above its plan: one line, and the entries that need attention. The text
 * after the line, such as a link to the run, is Markdown.
 */
export function renderLedgerStatus(
  ledger: Ledger,
  { limit, about }: { readonly limit: number; readonly about: string },
): string {
  const { well, grave } = sectionsOf(ledger);
  const sign = grave.length > 0 || ledger.unshared !== undefined || ledger.interrupted ? '❌' : '✅';
  const head = [`${sign} **${ledgerVerdict(ledger)}** ${about}`, ...remarksOn(ledger)];
  const sections = [...grave, ...appliedSections(well)];
  return fitted({ head, sections, closing: [], limit })?.text ?? firstFitting([joinBlocks(head)], limit);
}

/** A few results are shown immediately; many open on a click. */
const mostSeen = 3;

function appliedSections(well: readonly Section[]): Section[] {
  const list = well.map(({ text }) => text).join('\n');
  const summary = `<summary>${counted(well.length, 'result')}</summary>`;
  const text = well.length <= mostSeen ? list : `<details>\n${summary}\n\n${list}\n\n</details>`;
  return well.length === 0 ? [] : [{ name: 'what was applied', text }];
}

/** The notes about a whole ledger. */
function remarksOn(ledger: Ledger): string[] {
  const publish = ledger.publishing === undefined ? publishSentence(ledger) : undefined;
  const unshared = unsharedSentence(ledger);
  const outdated = sentencesOf(ledger.outdated ?? []).map((text) => `⚠️ ${prose(text)}`);
  return [
    ...outdated,
    ...(unshared === undefined ? [] : [`❌ ${prose(unshared)}`]),
    ...(publish === undefined ? [] : [publish]),
  ];
}

/** Successful entries, and the rest, the worst exit code first. */
function sectionsOf({ entries, publishing = [] }: Ledger): {
  readonly well: readonly Section[];
  readonly grave: readonly Section[];
} {
  const ordered = order.flatMap((outcome) => entries.filter((entry) => entry.outcome === outcome));
  const isWell = ({ outcome }: LedgerEntry) => outcome === 'applied' || outcome === 'waiting';
  const applied = ordered.filter(isWell);
  const others = ordered.filter((entry) => !isWell(entry));
  const told = (entries: readonly LedgerEntry[]) =>
    entriesAlike(entries).map((alike) => ({ name: namesSpan(alike), text: entryItem(alike) }));
  const published = (isWell: boolean) => publishSections(publishing.filter((entry) => isPublished(entry) === isWell));
  return { well: [...told(applied), ...published(true)], grave: [...told(others), ...published(false)] };
}

/** The end of a publish, in the same way. */
export function renderPublishMarkdown(ledger: PublishLedger, { limit, title }: LedgerMarkdownOptions): string {
  const counts = `**${ledger.interrupted ? 'Interrupted. ' : ''}${publishCounts(ledger.publishing)}**`;
  const unshared = unsharedSentence(ledger);
  const head = [`### ${escapeProse(shorten(title, 200))}`, counts];
  const said = unshared === undefined ? head : [...head, `❌ ${prose(unshared)}`];
  const whole = fitted({ head: said, sections: publishSections(ledger.publishing), closing: [], limit });
  return whole?.text ?? firstFitting([joinBlocks(said), counts], limit);
}

/** `Interrupted. Apply: 3 applied, 1 failed. Publish: 3 published.` */
export function ledgerVerdict(ledger: Ledger): string {
  const published = ledger.publishing === undefined ? '' : ` ${publishCounts(ledger.publishing)}`;
  return `${ledger.interrupted ? 'Interrupted. ' : ''}${ledgerCounts(ledger)}${published}`;
}

const publishSigns: Readonly<Record<PublishEntry['outcome'], string>> = {
  published: '✅',
  'already published': '·',
  'not attempted': '⚠️',
  failed: '❌',
  unknown: '❓',
};

function isPublished({ outcome }: PublishEntry): boolean {
  return outcome === 'published' || outcome === 'already published';
}

function publishSections(publishing: readonly PublishEntry[]): Section[] {
  return publishEntriesAlike(publishing).map((entries) => ({ name: namesSpan(entries), text: publishItem(entries) }));
}

function publishItem(entries: readonly PublishEntry[]): string {
  const [entry] = entries;
  if (entry === undefined) return '';
  const word = entry.outcome === 'not attempted' ? 'not published' : entry.outcome;
  const why = entry.reasons === undefined ? '' : `: ${prose(endingText(entry))}`;
  return `- ${publishSigns[entry.outcome]} ${namesSpan(entries)} ${word}${why}`;
}

/** The first of several equal entries represents all of them. */
function entryItem(entries: readonly LedgerEntry[]): string {
  const [entry] = entries;
  if (entry === undefined) return '';
  const about = aboutEntries(entries);
  const message = entry.reasons === undefined ? '' : `: ${prose(endingText(entry))}`;
  const done = about === '' ? '' : ` (${prose(about)})`;
  return [
    `- ${signs[entry.outcome]} ${namesSpan(entries)} ${entry.outcome}${done}${message}`,
    ...detailsOf(entry).map((detail) => `  - ${detail}`),
    ...differencesBelow(entry, undoneChanges(entry)),
    ...differencesBelow(entry, entry.conflicts ?? []),
  ].join('\n');
}

function detailsOf({ fields, warnings }: LedgerEntry): string[] {
  const unverifiable = fields.filter(({ result }) => result === 'unverifiable').length;
  return [
    ...fields.flatMap((field) => {
      const text = fieldText(field);
      return text === undefined ? [] : [`${codeSpan(shorten(field.path, most.nameCharacters))} ${prose(text)}`];
    }),
    ...(unverifiable === 0 ? [] : [`${counted(unverifiable, 'setting')} cannot be read back`]),
    ...sentencesOf(warnings).map((warning) => `warning: ${prose(warning)}`),
  ];
}

/** The values of each change, inside the list. */
function differencesBelow(entry: LedgerEntry, changes: readonly Change[]): string[] {
  const blocks = partBlocks(
    { parts: partsOf(entry, changes) },
    { sides: ['Before', 'Now'], prefix: '', detail: 'plain', limit: 0, most: 1 },
  );
  return blocks.flatMap((block) => ['', ...block.split('\n').map((line) => (line === '' ? line : `  ${line}`))]);
}

/** The name of a resource, or a list of several names. */
function namesSpan(resources: readonly { readonly kind: string; readonly name: string }[]): string {
  const names = resources.map((resource) => shorten(addressOf(resource), most.nameCharacters));
  return names.length === 1 ? codeSpan(names[0] ?? '') : escapeProse(listNames(names));
}

function prose(text: string): string {
  return escapeProse(shorten(text, most.characters));
}
