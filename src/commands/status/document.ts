import { cached, grouped } from '../../json/json.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import { kindOf, nounOf } from '../../kinds/kind.ts';
import type { Labels } from '../../kinds/labels.ts';
import type { Bar, Bars, Chip, Document, Mark, Section, Table } from '../../report/blocks.ts';
import { notesSection } from '../../report/blocks.ts';
import { renderPage } from '../../report/html/page.ts';
import { documentText, type TerminalOptions } from '../../report/terminal/text.ts';
import { heldSince } from '../../report/wording.ts';
import type { ResourceStatus } from '../../schemas/status-types.ts';
import { csvText } from '../../text/csv.ts';
import { joined } from '../../text/lines.ts';
import { minuteOf, momentOf } from '../../text/time.ts';
import { counted, formatNumber, isOrAre, joinWithAnd, listSome, present, shortVersion } from '../../text/wording.ts';
import { countStates, type StatusStep } from './state.ts';
import type { StatusResult } from './status.ts';

export function renderStatusText(result: StatusResult, options: TerminalOptions): string {
  return joined(documentText(statusDocument(result), options));
}

export function renderStatusHtml(result: StatusResult): string {
  return renderPage(statusDocument(result));
}

const csvColumns = [
  ...['kind', 'name', 'title', 'labels', 'state', 'step', 'revision', 'commit', 'appliedAt', 'since', 'by'],
  ...['published', 'heldBy', 'heldAt', 'heldReason'],
];

export function renderStatusCsv({ status: { resources } }: StatusResult): string {
  const rows = resources.map((one) => [
    ...[one.kind, one.name, one.title, labelsText(one.labels), one.state, one.step, one.revision, one.commit],
    ...[one.appliedAt, one.since, one.by, one.published, one.held?.by, one.held?.at, one.held?.reason],
  ]);
  return csvText(csvColumns, rows);
}

function labelsText(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

type State = ResourceStatus['state'];

const stateTexts: Readonly<Record<State, { readonly mark: Mark; readonly text: string }>> = {
  missing: { mark: 'stopped', text: 'missing on the service' },
  unfinished: { mark: 'unknown', text: 'in an unfinished apply' },
  failed: { mark: 'failed', text: 'failed at the last apply' },
  conflict: { mark: 'question', text: 'in conflict' },
  drifted: { mark: 'undone', text: 'edited in the dashboard' },
  held: { mark: 'held', text: 'on hold' },
  pending: { mark: 'changed', text: 'pending' },
  waiting: { mark: 'waiting', text: 'waiting for a step' },
  'never applied': { mark: 'new', text: 'never applied' },
  unknown: { mark: 'unknown', text: 'unknown' },
  'in sync': { mark: 'done', text: 'in sync' },
  applied: { mark: 'done', text: 'applied' },
};

function statusDocument(result: StatusResult): Document {
  const { status, current } = result;
  const { environment, resources } = status;
  const counts = countsOf(resources);
  const verdict = verdictOf(result);
  const clients = clientsIn(resources);
  const newest = clients.filter((one) => current.has(addressOf(one))).length;
  return {
    head: {
      about: 'Status of',
      environment,
      title: `Versions in ${environment}`,
      state:
        current.size === resources.length
          ? { text: 'Up to date', mark: 'done' }
          : { text: `${formatNumber(newest)} of ${formatNumber(clients.length)} up to date`, mark: 'changed' },
      facts: [],
      chips: counts.map(({ state, count }): Chip => ({ ...stateTexts[state], count, to: 'resources' })),
      verdict: [verdict],
      remarks: remarksOf(result),
    },
    sections: [...shareSections(result), ...noteSections(result), ...tableSections(resources)],
    sides: ['', ''],
    signs: counts.map(({ state }) => stateTexts[state]),
    closing: [verdict],
    legend: [],
  };
}

/** Counts resources by state, in display order. Omits zero counts. */
function countsOf(resources: readonly ResourceStatus[]) {
  const states = Object.keys(stateTexts) as State[];
  const counts = countStates(resources);
  return states.flatMap((state) => {
    const count = counts.get(state) ?? 0;
    return count === 0 ? [] : [{ state, count }];
  });
}

/** Returns the agents or, if there are none, all resources. Only agents can be called. */
function clientsIn(resources: readonly ResourceStatus[]): readonly ResourceStatus[] {
  const agents = resources.filter((one) => kindOf(one)?.rollsOut === 'itself');
  return agents.length === 0 ? resources : agents;
}

function verdictOf({ status: { resources }, current }: StatusResult): string {
  if (resources.length === 0) return 'The files declare no resources for this environment.';
  const clients = clientsIn(resources);
  const noun = nounOf(clients);
  const { length: total } = clients;
  const count = clients.filter((one) => current.has(addressOf(one))).length;
  const own = new Set(clients);
  const rest = resources.filter((one) => !own.has(one));
  const [others, ofRest] = [unsettledIn(clients), unsettledIn(rest)];
  const newest =
    total === 1
      ? `The ${noun} ${count === 1 ? 'is' : 'is not'} up to date`
      : count === total
        ? `${total === 2 ? `Both ${noun}s` : `All ${counted(total, noun)}`} are up to date`
        : `${formatNumber(count)} of ${counted(total, noun)} ${isOrAre(count)} up to date`;
  const parts = [
    newest,
    ...(others.length === 0 ? [] : [joinWithAnd(others)]),
    ...(ofRest.length === 0 ? [] : [`${counted(rest.length, 'other resource')}: ${joinWithAnd(ofRest)}`]),
  ];
  return `${parts.join('; ')}.`;
}

/** Counts the resources that are neither applied nor in sync, by state, such as `30 on hold`. */
function unsettledIn(resources: readonly ResourceStatus[]): string[] {
  return countsOf(resources)
    .filter(({ state }) => state !== 'applied' && state !== 'in sync')
    .map(({ state, count }) => `${formatNumber(count)} ${stateTexts[state].text}`);
}

function remarksOf({ recordsCopy: copy }: StatusResult): string[] {
  if (copy === undefined) return [];
  return [`This status uses the records on this machine, from ${momentOf(copy.from)}, because ${copy.because}.`];
}

function noteSections({ status, orphans, ...result }: StatusResult): Section[] {
  const kept = `${counted(orphans.length, 'resource')} with a record ${isOrAre(orphans.length)}`;
  const left = `${kept} no longer in the files (${listSome(orphans, 3)}). To list all records, run ${commandIn(status.environment, 'record list')}`;
  const remarks = remarksOf({ status, orphans, ...result });
  return notesSection('warning', present(...remarks, unfinishedText(status, result.run), orphans.length > 0 && left));
}

/** Says whether an unfinished apply is still running, as far as the lock shows. */
function unfinishedText({ environment, resources }: StatusResult['status'], run: string | undefined): string | false {
  const unfinished = resources.filter(({ state }) => state === 'unfinished').map(addressOf);
  if (unfinished.length === 0) return false;
  if (run !== undefined)
    return `Another run is writing to ${environment} (${run}). To see the result, run ${commandIn(environment, 'status')} after it ends`;
  const why = 'It was interrupted, or is still running on another machine';
  return `The last apply of ${listSome(unfinished, 3)} did not finish. ${why}. To see what the service has, run ${commandIn(environment, 'plan')}`;
}

/** Returns a section with the share of up-to-date resources, by step or label, and the versions in use. */
function shareSections(result: StatusResult): Section[] {
  const resources = clientsIn(result.status.resources);
  if (resources.length < 2) return [];
  const blocks = [...sharesOf(resources, result), versionBars(resources, result)];
  return [{ id: 'shares', title: 'Up to date', blocks }];
}

/** The maximum number of values per label, and of labels and versions above the table. */
const limits = { values: 8, labels: 3, versions: 6 } as const;

function sharesOf(resources: readonly ResourceStatus[], { current, steps }: StatusResult): Bars[] {
  if (steps !== undefined) {
    const rows = steps.map((one) => stepShare(one, resources, current));
    return [{ type: 'bars', title: 'Up to date, by step', rows }];
  }
  return labelsToShow(resources).map(({ key, values }) => ({
    type: 'bars',
    title: `Up to date, by ${key}`,
    rows: values.map((value) =>
      shareOf(
        value ?? `(no ${key})`,
        resources.filter(({ labels }) => valueIn(labels, key) === value),
        current,
      ),
    ),
  }));
}

function stepShare(
  { step, title, notBefore }: StatusStep,
  resources: readonly ResourceStatus[],
  current: StatusResult['current'],
): Bar {
  const share = shareOf(
    `Step ${step}: ${title}`,
    resources.filter((one) => one.step === step),
    current,
  );
  const moment = share.mark === 'done' ? undefined : momentOf(notBefore);
  return moment === undefined ? share : { ...share, text: `${share.text}, not before ${moment}` };
}

function valueIn(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** Returns the labels that divide resources into few groups. Labels with the fewest groups come first. */
function labelsToShow(resources: readonly ResourceStatus[]) {
  const found = differingLabels(resources).map((key) => {
    const values = [...new Set(resources.map(({ labels }) => valueIn(labels, key)))];
    return { key, values: values.sort((one, other) => ((one ?? '\uffff') < (other ?? '\uffff') ? -1 : 1)) };
  });
  return found
    .filter(({ values }) => values.length <= limits.values && values.length < resources.length)
    .sort((one, other) => one.values.length - other.values.length)
    .slice(0, limits.labels);
}

/** Label keys whose values differ between resources, sorted. */
function differingLabels(resources: readonly ResourceStatus[]): string[] {
  const values = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const { labels } of resources) {
    for (const [key, value] of Object.entries(labels)) {
      cached(values, key, () => new Set()).add(value);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...values.keys()]
    .filter((key) => (values.get(key)?.size ?? 0) > 1 || counts.get(key) !== resources.length)
    .sort();
}

function shareOf(label: string, resources: readonly ResourceStatus[], current: StatusResult['current']): Bar {
  const count = resources.filter((one) => current.has(addressOf(one))).length;
  const text = [`${formatNumber(count)} of ${formatNumber(resources.length)}`, ...unsettledIn(resources)].join(', ');
  return { mark: count === resources.length ? 'done' : 'changed', label, count, total: resources.length, text };
}

/** The states in which an agent may have values that match no recorded version. */
const withoutVersion: readonly State[] = ['drifted', 'unfinished'];

/**
 * Bars for the versions in use: the newest version first, and the other versions by number of resources. Agents in
 * states without a recorded version share a bar for each state.
 */
function versionBars(resources: readonly ResourceStatus[], { current }: StatusResult): Bars {
  const groups: Map<string, ResourceStatus[]> = grouped(resources, (one) => {
    const { revision, commit, since } = one;
    const version = since === undefined ? '' : (revision ?? commit ?? '?');
    if (current.has(addressOf(one))) return 'newest';
    return withoutVersion.includes(one.state) ? one.state : `other ${version}`;
  });
  const newest = groups.get('newest') ?? [];
  const apart = withoutVersion.flatMap((state) => {
    const group = groups.get(state);
    return group === undefined ? [] : [{ ...stateTexts[state], group }];
  });
  for (const key of ['newest', ...withoutVersion]) groups.delete(key);
  // Versions with different content may come from the same commit.
  const labelled: Map<string, ResourceStatus[][]> = grouped(groups.values(), versionText);
  const others = [...labelled.values()].map((same) => same.flat()).sort((one, other) => other.length - one.length);
  const left = others.slice(limits.versions).flat();
  const total = resources.length;
  const barOf = (mark: Mark, label: string, group: readonly ResourceStatus[]): Bar => {
    const { length: count } = group;
    const since = momentOf(firstOf(group).since);
    const text = `${formatNumber(count)}${since === undefined ? '' : `, first applied ${since}`}`;
    return { mark, label, count, total, text };
  };
  return {
    type: 'bars',
    title: 'Versions in use',
    rows: [
      barOf('done', 'newest', newest),
      ...apart.map(({ mark, text, group }) => barOf(mark, text, group)),
      ...others.slice(0, limits.versions).map((group) => barOf('again', versionText(group), group)),
      ...(left.length === 0
        ? []
        : [barOf('again', `${counted(others.length - limits.versions, 'other version')}`, left)]),
    ],
  };
}

/** Names a version by the commit with which it was first applied or, if that is unknown, by its revision. */
function versionText(group: readonly ResourceStatus[]): string {
  const { commit, since, revision } = firstOf(group);
  if (since === undefined) return 'nothing applied';
  if (commit !== undefined) return shortVersion(commit);
  return revision === undefined ? 'unknown version' : shortVersion(revision.replace('sha256:', ''));
}

function firstOf(group: readonly ResourceStatus[]): Partial<ResourceStatus> {
  return group.reduce<Partial<ResourceStatus>>(
    (first, one) => (first.since === undefined || (one.since ?? '\uffff') < first.since ? one : first),
    {},
  );
}

function tableSections(resources: readonly ResourceStatus[]): Section[] {
  if (resources.length === 0) return [];
  const keys = resources.length === 1 ? Object.keys(resources[0]?.labels ?? {}) : differingLabels(resources);
  const has = (part: (one: ResourceStatus) => unknown) => resources.some((one) => part(one) !== undefined);
  const columns: readonly (readonly [name: string, cell: (one: ResourceStatus) => string, isShown: boolean])[] = [
    ['resource', addressOf, true],
    ['title', ({ title = '-' }) => title, has(({ title }) => title)],
    ['labels', ({ labels }) => labelsText(picked(labels, keys)) || '-', keys.length > 0],
    ['state', stateText, true],
    ['commit', ({ commit }) => (commit === undefined ? '-' : shortVersion(commit)), has(({ commit }) => commit)],
    ['applied (UTC)', ({ appliedAt }) => minuteOf(appliedAt) ?? '-', has(({ appliedAt }) => appliedAt)],
    [
      'since (UTC)',
      ({ since }) => minuteOf(since) ?? '-',
      resources.some(({ since, appliedAt }) => minuteOf(since) !== minuteOf(appliedAt)),
    ],
    ['by', ({ by = '-' }) => by, has(({ by }) => by)],
    // The service's flag may stay set after the draft changes, so only the record shows whether the draft is published.
    [
      'published by agentform',
      ({ published }) => (published === undefined ? '-' : published ? 'yes' : 'no'),
      has(({ published }) => published),
    ],
  ];
  const shown = columns.filter(([, , isShown]) => isShown);
  const table: Table = {
    type: 'table',
    columns: shown.map(([name]) => name),
    flexible: ['title', 'labels', 'state'],
    rows: resources.map((one) => ({ mark: stateTexts[one.state].mark, cells: shown.map(([, cell]) => cell(one)) })),
  };
  return [{ id: 'resources', title: 'Resources', aside: formatNumber(resources.length), blocks: [table] }];
}

function picked(labels: Labels, keys: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => keys.includes(key)));
}

function stateText({ state, step, held }: ResourceStatus): string {
  if (state === 'waiting' && step !== undefined) return `waiting for step ${step}`;
  if (state !== 'held' || held === undefined) return stateTexts[state].text;
  return `on hold by ${heldSince(held)}`;
}
