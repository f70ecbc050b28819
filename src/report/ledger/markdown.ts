import type { Ledger, LedgerEntry } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { counted } from '../../text/wording.ts';
import { differenceBlocks } from '../markdown/difference.ts';
import { codeSpan, escapeProse } from '../markdown/escape.ts';
import { firstFitting, fitted, joinBlocks } from '../markdown/fit.ts';
import { shortened } from '../markdown/notices.ts';
import { unsharedSentence } from './publish.ts';
import { fieldText, ledgerCounts, outcomeTextOf, publishSentence } from './text.ts';

export interface LedgerMarkdownOptions {
  /** Most UTF-16 units of the text. */
  readonly limit: number;
  readonly title: string;
}

const most = { characters: 1_000, nameCharacters: 80 } as const;

const signs: Readonly<Record<LedgerEntry['outcome'], string>> = {
  applied: '✅',
  unchanged: '·',
  'not attempted': '⚠️',
  failed: '❌',
  unknown: '❓',
};

/** What somebody has to look at comes before what went well; unchanged resources are in the counts only. */
const order: readonly LedgerEntry['outcome'][] = ['unknown', 'failed', 'not attempted', 'applied'];

/** The end of an apply for a pull request. Never longer than the limit: entries are left out whole, and named, what went well before the rest. */
export function renderLedgerMarkdown(ledger: Ledger, { limit, title }: LedgerMarkdownOptions): string {
  const counts = `**${ledger.interrupted ? 'Interrupted. ' : ''}${ledgerCounts(ledger)}**`;
  const [publish, unshared] = [publishSentence(ledger), unsharedSentence(ledger)];
  const head = [
    `### ${escapeProse(shortened(title, 200))}`,
    counts,
    ...(unshared === undefined ? [] : [`❌ ${prose(unshared)}`]),
    ...(publish === undefined ? [] : [publish]),
  ];
  const entries = order.flatMap((outcome) => ledger.entries.filter((entry) => entry.outcome === outcome));
  const sections = entries.map((entry) => ({ name: nameOf(entry), text: entryItem(entry), entry }));
  const well = sections.filter(({ entry }) => entry.outcome === 'applied');
  const grave = sections.filter(({ entry }) => entry.outcome !== 'applied');
  const withGrave = [...head, ...grave.map(({ text }) => text)];
  const whole =
    fitted({ head: withGrave, sections: well, closing: [], limit }) ?? fitted({ head, sections, closing: [], limit });
  return whole?.text ?? firstFitting([joinBlocks(head), counts], limit);
}

function entryItem(entry: LedgerEntry): string {
  const about = [entry.id, outcomeTextOf(entry)].filter((part) => part !== undefined && part !== '').join(', ');
  const message = entry.message === undefined ? '' : `: ${entry.refused ? 'refused: ' : ''}${prose(entry.message)}`;
  const deed = about === '' ? '' : ` (${prose(about)})`;
  return [
    `- ${signs[entry.outcome]} ${nameOf(entry)} ${entry.outcome}${deed}${message}`,
    ...detailsOf(entry).map((detail) => `  - ${detail}`),
    ...conflictLines(entry),
  ].join('\n');
}

function detailsOf({ fields, warnings }: LedgerEntry): string[] {
  const unverifiable = fields.filter(({ result }) => result === 'unverifiable').length;
  return [
    ...fields.flatMap((field) => {
      const text = fieldText(field);
      return text === undefined ? [] : [`${codeSpan(shortened(field.path, most.nameCharacters))} ${prose(text)}`];
    }),
    ...(unverifiable === 0 ? [] : [`${counted(unverifiable, 'setting')} cannot be read back`]),
    ...warnings.map((warning) => `warning: ${prose(warning)}`),
  ];
}

/** The three values of each conflict, inside the list. */
function conflictLines({ conflicts = [] }: LedgerEntry): string[] {
  const blocks = differenceBlocks(conflicts, () => ({}));
  return blocks.flatMap((block) => ['', ...block.split('\n').map((line) => (line === '' ? line : `  ${line}`))]);
}

function nameOf(entry: LedgerEntry): string {
  return codeSpan(shortened(addressOf(entry), most.nameCharacters));
}

function prose(text: string): string {
  return escapeProse(shortened(text, most.characters));
}
