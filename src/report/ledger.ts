import {
  type FieldResult,
  isNotTaken,
  type Ledger,
  type LedgerEntry,
  type MissingParts,
  type PublishEntry,
  type PublishLedger,
} from '../apply/events.ts';
import { type Group, withoutUndefined } from '../json/json.ts';
import { addressOf, commandIn } from '../kinds/desired.ts';
import { kindOf } from '../kinds/kind.ts';
import type { FormRule } from '../kinds/service-forms.ts';
import type { Notice } from '../notices/notice.ts';
import type { Publishing, WaitingDrafts } from '../plan/publishing.ts';
import type { Change, Plan } from '../schemas/plan-types.ts';
import { joined } from '../text/lines.ts';
import {
  counted,
  formatNumber,
  isOrAre,
  joinWithAnd,
  listCounts,
  listNames,
  listSome,
  present,
} from '../text/wording.ts';
import { alike, keyOfCauses, noticeForAll } from './alike.ts';
import {
  type Document,
  isGood,
  type Mark,
  type NotePart,
  noticeSection,
  type Part,
  type Result,
  type Results,
} from './blocks.ts';
import { changeParts, conflictPart } from './changes.ts';
import { detailsOf, joinedSentences, type PlainNames, plainSentenceOf, sentenceOf, sentencesOf } from './notices.ts';
import { editCounts, editCountText, editNoun } from './plan/edits.ts';
import { documentText, type TerminalOptions } from './terminal/text.ts';
import { settingTitle } from './values.ts';
import { locationOf, titleOfResource, titlesOf, titlesTogether, withDistinctTitles } from './wording.ts';

// These documents show the results of an apply or of publishing: the result of each resource, and what remains to be
// done.

export function renderLedgerText(ledger: Ledger, { planAbove, ...options }: LedgerOptions & TerminalOptions): string {
  return joined(documentText(ledgerDocument(ledger, { planAbove, isExact: true }), options));
}

export function renderPublishLedgerText(ledger: PublishLedger, options: TerminalOptions): string {
  return joined(documentText(publishDocument(ledger, { isExact: true }), options));
}

export function renderPublishPlanText(
  { environment, publishing }: { readonly environment: string; readonly publishing: readonly Publishing[] },
  options: TerminalOptions,
): string {
  const told = publishing.map((one) => {
    const reasons = one.reasons.length > 0 ? one.reasons : undefined;
    return { ...one, outcome: plannedWords[one.action], about: locationOf(one), reasons };
  });
  const verdict = `Publish in ${environment}: ${outcomeCounts(told, Object.values(plannedWords))}.`;
  const results = resultsOf(told, plannedEndings, { isExact: true });
  return joined(documentText(resultDocument({ about: 'Publish in', environment, results, verdict }), options));
}

interface LedgerOptions {
  /** The plan that is shown above. It already explains why its resources are blocked or could not be read. */
  readonly planAbove?: Pick<Plan, 'resources'> | undefined;
  /** Whether to show names and settings as in the files, for a terminal. The default shows titles. */
  readonly isExact?: boolean | undefined;
}

export function ledgerDocument(ledger: Ledger, options: LedgerOptions = {}): Document {
  const { environment, entries, publishing, outdated = [], unshared } = ledger;
  const draft = publishing === undefined ? publishSentence(ledger) : undefined;
  const left = (options.planAbove?.resources ?? []).filter(({ action }) => action === 'blocked' || action === 'failed');
  const explained = new Map(left.map((one) => [addressOf(one), one.action]));
  const shown = entries.filter(({ outcome, warnings }) => outcome !== 'unchanged' || warnings.length > 0);
  const told = shown.map((entry): Told => {
    // Answers that were given below the plan may block further resources.
    const isExplained = explained.get(addressOf(entry)) === entry.action;
    const { published: _, ...written } = entry;
    // The result of publishing the draft follows below.
    const shownEntry = publishing === undefined ? entry : written;
    return { ...toldOf(shownEntry, options), ...(isExplained && { reasons: [] }) };
  });
  return resultDocument({
    about: ledger.isRollback ? 'Rollback in' : 'Apply in',
    environment,
    results: [...resultsOf(told, appliedEndings, options), ...resultsOf(publishing ?? [], publishedEndings, options)],
    notes: present(draft && note('changed', draft), ...sentencesOf(outdated).map((text) => note('warning', text))),
    unshared,
    verdict: ledgerVerdict(ledger),
  });
}

export function publishDocument(
  { environment, publishing, unshared, interrupted }: PublishLedger,
  options: LedgerOptions = {},
): Document {
  const verdict = `${interrupted ? 'Interrupted. ' : ''}${publishCounts(publishing)}`;
  const results = resultsOf(publishing, publishedEndings, options);
  return resultDocument({ about: 'Publish in', environment, results, unshared, verdict });
}

const plannedWords: Readonly<Record<Publishing['action'], string>> = {
  publish: 'to publish',
  published: 'already published',
  blocked: 'refused',
  failed: 'failed',
};

interface Ended {
  readonly about: string;
  readonly environment: string;
  readonly results: readonly Results[];
  readonly notes?: readonly NotePart[];
  readonly unshared?: string | undefined;
  readonly verdict: string;
}

function resultDocument({ about, environment, results, notes = [], unshared, verdict }: Ended): Document {
  const told = present(...notes, unshared !== undefined && note('failed', unsharedSentence(unshared)));
  const isClean = unshared === undefined && results.every(({ mark }) => isGood(mark));
  const isHeld = results.some(({ mark }) => mark === 'held') && !results.some(({ mark }) => mark === 'done');
  const mark = !isClean ? 'failed' : isHeld ? 'held' : 'done';
  return {
    head: {
      about,
      environment,
      title: `${about} ${environment}`,
      state: { text: stateWords[mark], mark },
      verdict: [verdict],
    },
    sections: [
      { id: 'results', title: 'Results', blocks: results },
      { ...noticeSection, blocks: told.map((one) => ({ type: 'notes', items: [one] })) },
    ],
    sides: ['Before', 'Now'],
    closing: [verdict],
  };
}

const stateWords = { failed: 'Incomplete', held: 'On hold', done: 'Done' } as const;

function note(mark: Mark, text: string): NotePart {
  return { type: 'note', mark, text };
}

interface Ending {
  readonly outcome: string;
  readonly title: string;
  readonly mark: Mark;
}

/** The outcomes to list, with problems last, so that they are next to the verdict. */
const appliedEndings: readonly Ending[] = [
  { outcome: 'applied', title: 'Applied', mark: 'done' },
  { outcome: 'unchanged', title: 'Unchanged', mark: 'same' },
  { outcome: 'waiting', title: 'Waiting', mark: 'waiting' },
  { outcome: 'left out', title: 'Left out', mark: 'same' },
  { outcome: 'on hold', title: 'On hold', mark: 'held' },
  { outcome: 'not attempted', title: 'Not attempted', mark: 'warning' },
  { outcome: 'unknown', title: 'Unknown: the write may have succeeded', mark: 'unknown' },
  { outcome: 'failed', title: 'Failed', mark: 'failed' },
];

const publishedEndings: readonly Ending[] = [
  { outcome: 'published', title: 'Published', mark: 'done' },
  { outcome: 'already published', title: 'Already published', mark: 'same' },
  { outcome: 'not attempted', title: 'Not published', mark: 'warning' },
  { outcome: 'unknown', title: 'Unknown: the publish may have succeeded', mark: 'unknown' },
  { outcome: 'failed', title: 'Publishing failed', mark: 'failed' },
];

const plannedEndings: readonly Ending[] = [
  { outcome: 'to publish', title: 'To publish', mark: 'changed' },
  { outcome: 'refused', title: 'Refused', mark: 'stopped' },
  { outcome: 'failed', title: 'Failed', mark: 'failed' },
];

interface Told extends Pick<LedgerEntry, 'kind' | 'name' | 'labels' | 'title' | 'id' | 'refused'> {
  readonly outcome: string;
  readonly reasons?: readonly Notice[] | undefined;
  /** The completed work, such as `updated, 1 setting changed, 24 sent`. */
  readonly done?: string;
  /** The details of a single entry on a terminal. Defaults to the id and `done`. */
  readonly about?: string;
  /** Entries with different keys are never shown together. */
  readonly key?: readonly unknown[];
  readonly partsOf?: (sayingOf: (notice: Notice) => Notice) => readonly Part[];
}

/** Prepares an entry for display. Entries with conflicts are never grouped, because each needs a decision. */
function toldOf(entry: LedgerEntry, { isExact }: LedgerOptions): Told {
  const { conflicts = [], undone, warnings } = entry;
  const notes = fieldNotes(entry, { isExact });
  const whose = conflicts.length > 0 ? addressOf(entry) : undefined;
  return {
    ...entry,
    done: doneText(entry, isExact),
    key: [whose, undone, entry.isUnclear, notes, keyOfCauses(warnings, entry)],
    partsOf: (sayingOf) => [
      ...notes,
      ...warnings.map(sayingOf).map((one) => {
        // A person or the project decided that these edits stay.
        const mark = one.code === 'settings-kept' || one.code === 'drift-left' ? 'held' : 'warning';
        return note(mark, isExact ? sentenceOf(one) : plainSentenceOf(one, plainNames(entry)));
      }),
      ...differencesOf(entry),
    ],
  };
}

const maxTitles = 10;

function plainNames(entry: Told): PlainNames {
  return { kind: entry.kind, titleOf: titlesOf(new Map([[addressOf(entry), entry]])) };
}

/** The maximum number of equal results to show separately, with their ids. */
const maxApart = 3;

/** The outcomes of resources that were left out. Such resources are shown without ids. */
const noIds = ['not attempted', 'on hold', 'left out'];

function resultsOf(told: readonly Told[], endings: readonly Ending[], { isExact }: LedgerOptions): Results[] {
  const entries = withDistinctTitles(told);
  return endings.flatMap(({ outcome, title, mark }) => {
    const members = entries.filter((entry) => entry.outcome === outcome);
    if (members.length === 0) return [];
    const groups = alike(members, ({ key, done, ...entry }) =>
      JSON.stringify([entry.refused, entry.reasons && keyOfCauses(entry.reasons, entry), done, key]),
    );
    const isTogether = (group: readonly Told[]) => group.length > maxApart || noIds.includes(outcome);
    const shown = groups.flatMap((group) => (isTogether(group) ? [group] : group.map((entry): Group<Told> => [entry])));
    const items = shown.map((group) => resultOf(group, entries, isExact));
    return [{ type: 'results', mark, title: `${title} (${formatNumber(members.length)})`, items }];
  });
}

/** Returns the result that all entries of a group share. Commands in its reasons cover the whole group. */
function resultOf(group: Group<Told>, entries: readonly Told[], isExact = false): Result {
  const [first, ...more] = group;
  const { id = '', done = '', reasons, partsOf = () => [] } = first;
  const status = reasons?.some(({ code }) => ownStatus.includes(code)) ? '' : first.outcome;
  const sayingOf = (notice: Notice) => noticeForAll(notice, group, entries);
  const together = done === '' ? '' : `each of ${formatNumber(group.length)}: ${done}`;
  const about = more.length > 0 ? together : undefined;
  const [told, parts] = [reasons?.map(sayingOf), partsOf(sayingOf)];
  if (isExact) {
    const why = told && endingText({ ...first, reasons: told });
    const own = first.about ?? present(id, done).join(', ');
    return { names: listNames(group.map(addressOf)), status, about: about ?? own, why, parts };
  }
  const why = told?.map((one) => plainSentenceOf(one, plainNames(first))).join('; ') || undefined;
  const exact = present(...(told ?? []).map(detailsOf)).join('; ') || undefined;
  const { titles, ofKind } = titlesTogether(group);
  return { names: `${listNames(titles, maxTitles)}${ofKind}`, status, about: about ?? done, why, exact, parts };
}

/** The reasons that begin with the same words as the status of their result. */
const ownStatus: readonly Notice['code'][] = ['held', 'left-out', 'step-closed'];

function endingText({ outcome, refused, reasons = [] }: Told): string {
  const isRefused = refused && outcome !== 'on hold';
  if (reasons.length > 0) return `${isRefused ? 'refused: ' : ''}${joinedSentences(reasons)}`;
  return `${isRefused ? 'refused: blocked' : outcome}; the plan above says why`;
}

function fieldNotes({ kind, fields }: LedgerEntry, { isExact }: LedgerOptions): NotePart[] {
  const unverifiable = fields.filter(({ result }) => result === 'unverifiable').length;
  const was = unverifiable === 1 ? 'it was' : 'they were';
  return present<NotePart>(
    ...fields.flatMap((field) =>
      present(fieldText(field)).map((text): NotePart => {
        const name = { text: isExact ? field.path : settingTitle(kind, field.path), style: 'strong' } as const;
        return { type: 'note', mark: isNotTaken(field) ? 'failed' : 'done', text: [name, `: ${text}`] };
      }),
    ),
    unverifiable > 0 && note('same', `${counted(unverifiable, 'setting')} cannot be read back, so ${was} not verified`),
  );
}

/** Returns the note on one field, unless the field was stored as sent or is only counted. */
function fieldText({ result, readBack, rules = [], missing }: FieldResult): string | undefined {
  switch (result) {
    case 'normalised':
      return `stored with different ${joinWithAnd(rules.map((formRule) => formWords[formRule]))}: ${readBack ?? 'hidden value'}`;
    case 'another value':
      return `another value; ${missing === undefined ? '' : `${missingText(missing)}; `}the service stored ${readBack}`;
    case 'ignored':
      return `ignored; the service kept ${readBack ?? 'its value'}`;
    case 'lost':
      return `lost; it was not sent, and the service changed it${readBack === undefined ? '' : ` to ${readBack}`}`;
    case 'took over':
      return `taken over from the existing agent: ${readBack ?? 'a value'}; the files do not set it`;
    default:
      return undefined;
  }
}

const formWords: Readonly<Record<FormRule, string>> = {
  'html-escapes': 'special characters',
  unicode: 'Unicode forms of letters',
  quotes: 'quotation marks',
  url: 'spelling of URLs',
  'white-space': 'white space',
  'letter-case': 'upper and lower case',
};

/** Counts the missing parts of a value, as in `5 lines are missing, from line 4: "…"`. */
function missingText({ noun, count, line, first }: MissingParts): string {
  const from = line === undefined ? '' : count === 1 ? `, line ${line}` : `, from line ${line}`;
  return `${counted(count, noun)} ${isOrAre(count)} missing${from}: ${first}`;
}

/** Returns the conflicts of an entry, and the dashboard edits that the apply undid, below a label. */
function differencesOf({ kind, conflicts = [], undone = [], isUnclear }: LedgerEntry): Part[] {
  const lost = undone.map(({ path, lost: from, now: to }): Change => {
    const op = to === undefined ? 'unset' : 'set';
    return { op, path, ...withoutUndefined({ from, to }), cause: 'manifest', knowledge: 'compared' };
  });
  return [
    ...conflicts.map((change) => conflictPart(change, { kind })),
    ...(lost.length > 0 ? [note('undone', `${editNoun(isUnclear ?? false, lost.length)} undone:`)] : []),
    ...lost.flatMap((change) => changeParts(change, { kind })),
  ];
}

function doneText(entry: LedgerEntry, isExact = false): string {
  const { action, mayReplace, outcome, sent } = entry;
  if (outcome !== 'applied') return '';
  if (!sent) return sentText(entry);
  const created = mayReplace ? 'created, or replaced if the account already had an agent' : 'created';
  return `${action === 'create' ? created : 'updated'}, ${sentText(entry, isExact)}${draftText(entry)}`;
}

/** Says what callers hear, as far as it is known. The write itself changes only the draft. */
function draftText({ action, published }: LedgerEntry): string {
  if (published === undefined || (published && action === 'create')) return '';
  return published ? '; callers still hear the last published version' : '; callers do not hear it yet';
}

export function sentText(entry: LedgerEntry, isExact = true): string {
  const { kind, action, renamedFrom } = entry;
  if (action === 'forget') return 'no longer managed; it stays on the service';
  if (renamedFrom === undefined) return requestText(entry, isExact);
  const from = isExact ? addressOf({ kind, name: renamedFrom }) : titleOfResource({ name: renamedFrom });
  return `renamed from ${from}, ${requestText(entry, isExact)}`;
}

function requestText({ action, sent, settings, undone = [], isUnclear }: LedgerEntry, isExact: boolean): string {
  if (settings === undefined) return sent ? 'sent' : 'recorded, nothing sent';
  if (action === 'create') return `${counted(settings.sent, 'setting')} sent`;
  if (settings.changed === 0) return `${counted(settings.sent, 'setting')} sent again, no known changes`;
  const changed = settings.changed - undone.length;
  return present(
    changed > 0 && `${counted(changed, 'setting')} changed`,
    ...editCounts([{ count: undone.length, isUnclear }], 'undone').map(
      ({ count, text }) => `${formatNumber(count)} ${text}`,
    ),
    isExact && `${changed > 0 ? formatNumber(settings.sent) : counted(settings.sent, 'setting')} sent`,
  ).join(', ');
}

function publishSentence({ environment, entries, canPublish, isEmulated }: Ledger): string | undefined {
  const drafts = entries.filter((entry) => kindOf(entry)?.hasDrafts && entry.sent && entry.outcome === 'applied');
  if (drafts.length === 0) return undefined;
  const [noun, them] = drafts.length === 1 ? ['draft', 'it'] : ['drafts', 'them'];
  const subject = `The ${noun} of ${counted(drafts.length, 'agent')}`;
  const command = commandIn(environment, 'publish');
  // The emulator has no dashboard, so the sentence must not mention a dashboard.
  if (isEmulated) {
    const first = canPublish ? '' : 'add `service: { publish: /api/v2/agent/publish }` to agentform.yaml and ';
    return `${subject} changed. To publish ${them}, ${first}run ${command}.`;
  }
  const advice = canPublish ? `Run ${command}, or publish` : 'Publish';
  return `${subject} changed. ${advice} ${them} in the dashboard.`;
}

export function unsharedSentence(unshared: string): string {
  return `Records not shared: ${unshared}.`;
}

/** Returns the result in one line, such as `Interrupted. Apply: 3 applied, 1 failed. Publish: 3 published.` */
export function ledgerVerdict(ledger: Ledger): string {
  const published = ledger.publishing === undefined ? '' : ` ${publishCounts(ledger.publishing)}`;
  return `${ledger.interrupted ? 'Interrupted. ' : ''}${ledgerCounts(ledger)}${published}`;
}

/** Counts results, as in `Apply: 3 applied, 1 failed. 1 dashboard edit undone.` or `Rollback: 0 restored.` */
export function ledgerCounts({ entries, isRollback }: Pick<Ledger, 'entries' | 'isRollback'>): string {
  const edits = editCountText(
    entries.map(({ undone = [], isUnclear }) => ({ count: undone.length, isUnclear })),
    'undone',
  );
  const outcomes = countedOutcomes(appliedEndings);
  if (!isRollback) return `Apply: ${outcomeCounts(entries, outcomes)}.${edits}`;
  const words = entries.map(({ outcome, refused }) => {
    if (outcome === 'applied') return { outcome: 'restored' };
    return { outcome: outcome === 'not attempted' && refused ? 'refused' : outcome };
  });
  const restoring = outcomes.flatMap((outcome) => {
    if (outcome === 'applied') return ['restored'];
    return outcome === 'not attempted' ? ['refused', outcome] : [outcome];
  });
  return `Rollback: ${outcomeCounts(words, restoring)}.${edits}`;
}

export function publishCounts(entries: readonly PublishEntry[]): string {
  return `Publish: ${outcomeCounts(entries, countedOutcomes(publishedEndings))}.`;
}

/** Returns the outcomes in the order of their counts: what was done, and then problems first. */
function countedOutcomes([done, ...others]: readonly Ending[]): string[] {
  return [...(done === undefined ? [] : [done]), ...others.toReversed()].map(({ outcome }) => outcome);
}

/** Counts entries by outcome, in the given order. The first count is always included. */
function outcomeCounts(entries: readonly { readonly outcome: string }[], outcomes: readonly string[]): string {
  const countOf = (outcome: string) => entries.filter((entry) => entry.outcome === outcome).length;
  return listCounts(outcomes.map((outcome) => [countOf(outcome), outcome]));
}

const maxNamed = 10;

/** Says which agents `--publish` includes, and which it leaves out until someone decides about their edits. */
export function waitingDraftsSentence({
  writes,
  unchanged,
  undecided,
}: WaitingDrafts & { readonly writes: boolean }): string {
  const parts = present(
    writes && 'the agents in this plan',
    unchanged.length > 0 && `${listSome(unchanged, maxNamed)} (unchanged, but not published yet)`,
  );
  const included =
    parts.length === 0 ? 'No draft will be published.' : `Will be published after the apply: ${parts.join(', and ')}.`;
  if (undecided.length === 0) return included;
  const whose = undecided.length === 1 ? 'its' : 'their';
  const left = `${listSome(undecided, maxNamed)} ${isOrAre(undecided.length)} left out`;
  return `${included} ${left}, because ${whose} edits need a decision.`;
}
