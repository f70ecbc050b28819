import { type ConflictCommands, conflictCommands } from '../../plan/remedies.ts';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import { counted, shorten } from '../../text/wording.ts';
import { remedyText, sentenceOf } from '../notices.ts';
import { type ConflictView, viewChange, viewConflict } from './change-view.ts';
import type { ValueWords } from './value-text.ts';
import { settingName, valueLines } from './value-text.ts';
import { conflictsOf, sourceText, unsetValueText } from './wording.ts';

/** One way to resolve a conflict, in words that need no knowledge of agentform. */
export interface ConflictChoice {
  /** The choice: `Keep what is live now`. */
  readonly title: string;
  /** The parts that are kept and lost. */
  readonly outcome: string;
  /** Parts of texts that are lost, or that come back, each list under its heading. */
  readonly parts: readonly { readonly heading: string; readonly texts: readonly string[] }[];
  /** Undefined if a person must first write something. */
  readonly command?: string;
}

/** The ways to settle a conflict, with what each of them loses. */
export function conflictChoices(
  environment: string,
  resource: Pick<ResourcePlan, 'kind' | 'name' | 'changes'>,
  change: Change,
): ConflictChoice[] {
  const words = settingName(resource.kind, change.path);
  const view = viewConflict(change, { words });
  if (view === undefined) return [];
  const commands = conflictCommands(environment, resource, change.path);
  if (change.mergeable) return [mergeChoice(commands, change)];
  const others = conflictsOf(resource).length - 1;
  const also =
    others === 0
      ? ''
      : ` The command takes what is proposed for ${counted(others, 'other conflict')} of ${resource.name}, too. If what is live there is to stay, keep it first.`;
  const isText = !view.isShort && change.op !== 'unset';
  const [copied, manifest] = isText ? textChoices(change, commands) : valueChoices(change, view, { words, commands });
  const live = withoutRefused(copied, change);
  const both = isText && typeof change.to === 'string' ? [bothChoice(change)] : [];
  return [live, { ...manifest, outcome: `${manifest.outcome}${also}` }, ...both];
}

/** The result for all other changes of a resource in conflict; undefined if there are none. */
export function waitingSentence({ name, changes }: Pick<ResourcePlan, 'name' | 'changes'>): string | undefined {
  const conflicts = changes.filter(({ cause }) => cause === 'conflict').length;
  if (conflicts === 0 || conflicts === changes.length) return undefined;
  const choice = conflicts === 1 ? 'your choice' : 'your choices';
  return `Everything else that is listed for ${name} waits for ${choice}, and is sent whatever you choose.`;
}

function mergeChoice({ merge }: ConflictCommands, change: Change): ConflictChoice {
  const outcome = 'The two edits are in different lines. The manifest gets both, and nothing is lost.';
  return withoutRefused({ title: titles.both, outcome, parts: [], command: remedyText(merge) }, change);
}

/** If no command can do it, a person must. */
function withoutRefused(choice: ConflictChoice, { updateRefusal }: Change): ConflictChoice {
  if (updateRefusal === undefined) return choice;
  const { command: _, outcome, ...rest } = choice;
  return { ...rest, outcome: `${outcome} No command copies it: ${sentenceOf(updateRefusal)}.` };
}

/** For edits in the same lines, which no command can join. */
function bothChoice(change: Change): ConflictChoice {
  const place = sourceText(change);
  const where = place === undefined ? '' : ` (${place})`;
  const outcome = `Ask the person who made this plan to write both into the proposed text${where}. In the new plan, take what is proposed. Nothing is lost.`;
  return { title: titles.both, outcome, parts: [] };
}

type TwoChoices = readonly [live: ConflictChoice, manifest: ConflictChoice];

/** In the words of the columns above them. */
const titles = { live: 'Keep what is live now', manifest: 'Take what is proposed', both: 'Keep both' } as const;

function valueChoices(
  { op, from, to }: Change,
  { sides: [service, manifest] }: ConflictView,
  { words, commands }: { readonly words: ValueWords | undefined; readonly commands: ConflictCommands },
): TwoChoices {
  const live = from === undefined ? undefined : (viewChange({ to: from }, { words }).to ?? service.value);
  const asked = viewChange({ to }, { words }).to;
  const wanted = asked ?? manifest.value;
  const kept = live === undefined ? 'The setting stays unset' : `${live} stays`;
  const lost = live === undefined ? 'The setting is no longer unset' : `${live} is lost`;
  const dropped = op === 'unset' ? 'the manifest declares the setting again' : `the proposed ${wanted} is dropped`;
  const taken =
    op !== 'unset'
      ? `it becomes ${wanted}`
      : asked === undefined
        ? 'it is removed'
        : `it goes back to ${unsetValueText(asked)}`;
  return [
    { title: titles.live, outcome: `${kept}, and ${dropped}.`, parts: [], command: remedyText(commands.copy) },
    { title: titles.manifest, outcome: `${lost}: ${taken}.`, parts: [], command: remedyText(commands.overwrite) },
  ];
}

function textChoices({ lastApplied, from, to }: Change, commands: ConflictCommands): TwoChoices {
  const [base, live, manifest] = [lastApplied, from, to].map((value) => (value === undefined ? [] : valueLines(value)));
  const texts = { base: base ?? [], live: live ?? [], manifest: manifest ?? [] };
  return [
    {
      title: titles.live,
      outcome: 'The text that is live now stays. The proposed edit is dropped.',
      parts: partsOf(lostTexts(texts.base, { lost: texts.manifest, kept: texts.live }), 'in the proposed text'),
      command: remedyText(commands.copy),
    },
    {
      title: titles.manifest,
      outcome: 'The proposed text is sent. The edit on the service is lost.',
      parts: partsOf(lostTexts(texts.base, { lost: texts.live, kept: texts.manifest }), 'on the service'),
      command: remedyText(commands.overwrite),
    },
  ];
}

/** The maximum number of quoted parts of a text, and the length of each. */
const most = { parts: 6, characters: 300 } as const;

function partsOf({ gone, back }: LostTexts, side: string): ConflictChoice['parts'] {
  return [
    { heading: 'Lost', texts: quoted(gone) },
    { heading: `Removed ${side}, and back again`, texts: quoted(back) },
  ].filter(({ texts }) => texts.length > 0);
}

function quoted(texts: readonly string[]): string[] {
  const shown = texts.slice(0, most.parts).map((text) => `“${shorten(text, most.characters)}”`);
  const left = texts.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${counted(left, 'more sentence')}`];
}

interface LostTexts {
  /** Sentences that only the losing side has. */
  readonly gone: readonly string[];
  /** Sentences that it removed, and that the other side still has. */
  readonly back: readonly string[];
}

/** The loss of one side's edit, if the other is kept. Common lines are not part of it. */
function lostTexts(
  base: readonly string[],
  { lost, kept }: { readonly lost: readonly string[]; readonly kept: readonly string[] },
): LostTexts {
  const [inBase, inLost, inKept] = [new Set(base), new Set(lost), new Set(kept)];
  const added = sentencesOf(lost.filter((line) => !inKept.has(line) && !inBase.has(line)));
  const elsewhere = new Set(sentencesOf([...kept, ...base].filter((line) => !inLost.has(line))));
  const removed = sentencesOf(base.filter((line) => !inLost.has(line) && inKept.has(line)));
  const still = new Set(added);
  return {
    gone: added.filter((sentence) => !elsewhere.has(sentence)),
    back: removed.filter((sentence) => !still.has(sentence)),
  };
}

/**
 * In a quotation, the mark of a list item or heading does not count as a word; the number of an item would count as a
 * sentence.
 */
function withoutMark(line: string): string {
  return line.replace(/^\s*(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+/, '');
}

function sentencesOf(lines: readonly string[]): string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  const sentences = lines.flatMap((line) =>
    [...segmenter.segment(withoutMark(line))].map(({ segment }) => segment.trim()),
  );
  return sentences.filter((sentence) => sentence !== '');
}
