import { addressOf } from '../../kinds/desired.ts';
import type { Notice } from '../../notices/notice.ts';
import { isPromptLoss } from '../../plan/verdicts/shrunk-prompts.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { listNames } from '../../text/ranges.ts';
import { counted, formatNumber, listSome } from '../../text/wording.ts';
import { alike } from '../alike.ts';
import { lossOf, sentenceOf, sentencesOf } from '../notices.ts';
import { appearanceOf, sideHeads } from '../plan/change-view.ts';
import { conflictChoices, waitingSentence } from '../plan/conflict-choices.ts';
import { editsSentence } from '../plan/edits.ts';
import { adviceOf, type Highlight, noticesOf, type SettingOf } from '../plan/notices.ts';
import {
  countsOf,
  groupLocation,
  groupNames,
  groupTitle,
  hasOwn,
  type PlanSection,
  sectionsOf,
  valueSentences,
} from '../plan/sections.ts';
import { coverageInWords, knowledgeTerms, planTerms } from '../plan/terms.ts';
import { settingName } from '../plan/value-text.ts';
import {
  causesSentence,
  changedSinceSentences,
  changesByOrigin,
  countedByKind,
  countsSentence,
  coverageSentences,
  isEmptyPlan,
  isOnlyDrift,
  isOnlySentAgain,
  isUneventful,
  keepSentence,
  noChangesSentence,
  notesOn,
  onlyDriftHeading,
  renameNote,
  resourceLocation,
  testsSentence,
  unverifiedNote,
  verdictSentence,
} from '../plan/wording.ts';
import { type DifferenceStyle, differenceBlock, sentAgain, sentence } from './difference.ts';
import { type PageSection, renderPage, sentencesList, terms, wordsPart } from './page.ts';
import { type Fragment, html, prose } from './template.ts';

export interface PlanHtmlOptions {
  /** Heading, as plain text; by default it names the environment. */
  readonly title?: string | undefined;
  /** Sentences about the plan as a whole, for its head. */
  readonly remarks?: readonly string[];
}

/** A plan as a separate page, for people who approve it and do not use a terminal. */
export function renderPlanHtml(plan: Plan, { title, remarks = [] }: PlanHtmlOptions = {}): string {
  const what = plan.offline === undefined ? 'Plan' : 'Offline plan';
  const eventful = plan.resources.filter((resource) => !isUneventful(resource));
  const shown = [...eventful.filter((one) => !isOnlyDrift(one)), ...eventful.filter(isOnlyDrift)];
  const style = { heads: headsOf(plan), budget: { left: mostUnchanged } };
  const notices = noticesOf(plan, namedSetting);
  return renderPage({
    title: title ?? `${what} for ${plan.environment}`,
    state: stateOf(plan, notices),
    verdict: isEmptyPlan(plan) ? noChangesSentence(plan, plan.environment) : verdictSentence(plan),
    advice: adviceOf(plan, notices),
    facts: [
      [countsSentence(plan, 0), unchangedSentence(plan)].join(' ').trim(),
      causesSentence(plan),
      plan.changedSince && changedSinceSentences(plan.changedSince),
      html`${coverageInWords(plan)} <a href="#checked">What was checked</a>`,
    ],
    notices: [...remarks.map((remark) => prose(remark)), ...noticeItems(notices)],
    sections: sectionsOf(shown).map((section) => sectionOf(section, plan, style)),
    closing: [unchangedPart(plan), knowledgePart(plan), wordsPart(planTerms(plan))],
    end: `Digest of this plan, for the person who applies it: ${plan.digest}`,
  });
}

/** In a fleet with long prompts, unchanged text would make the page slow. */
const mostUnchanged = 4_000_000;

function stateOf(plan: Plan, notices: readonly Highlight[]): 'refused' | 'mind' | 'ready' | 'nothing' {
  if (plan.refusals.length > 0) return 'refused';
  if (isEmptyPlan(plan)) return 'nothing';
  return notices.some(({ ask }) => ask !== undefined) ? 'mind' : 'ready';
}

/** If agents change, unchanged resources of other kinds look like agents that were left out. */
function unchangedSentence({ resources }: Plan): string {
  const unchanged = resources.filter(isUneventful);
  const changed = new Set(resources.filter((one) => !isUneventful(one)).map(({ kind }) => kind));
  const isOther = unchanged.length > 0 && unchanged.every(({ kind }) => !changed.has(kind));
  return isOther && changed.size > 0 ? `Unchanged are ${countedByKind(unchanged)}.` : '';
}

/**
 * The captions of the two sides of a text. A setting that cannot be read back is compared with the last applied value.
 */
function headsOf({ offline }: Plan): DifferenceStyle['heads'] {
  return ({ knowledge, op }) => {
    const { lastApplied, live, desired } = sideHeads;
    const before = offline !== undefined ? 'Before (base commit)' : knowledge === 'compared' ? live : lastApplied;
    return [before, op === 'unset' ? 'After the apply' : desired];
  };
}

/** A warning with the display name in place of a path. */
function plainWarning(warning: Notice, { kind, changes }: ResourcePlan): string {
  const lost = isPromptLoss(warning) ? changes.find(({ path }) => path === warning.facts.path) : undefined;
  return lost === undefined || !isPromptLoss(warning)
    ? sentenceOf(warning)
    : `${namedSetting(lost, kind).name} ${lossOf(warning)}`;
}

/** The number of list items shown immediately. */
const mostNotices = 20;

/** The name that people know, or the path as code, in which no backtick may end it. */
function namedSetting({ path }: Change, kind: string): ReturnType<SettingOf> {
  const words = settingName(kind, path);
  return {
    name: words === undefined ? `\`${path.replaceAll('`', "'")}\`` : `“${words.title.replaceAll('`', "'")}”`,
    words,
  };
}

/** The sections to check: a question is shown once, above everything that it concerns. */
function noticeItems(notices: readonly Highlight[]): Fragment[] {
  const grave = notices.filter(({ isCalm }) => !isCalm);
  const items = alike(grave, ({ ask, text }) => ask?.question ?? text).map((group) => {
    const facts = group.map(factOf);
    const ask = group[0]?.ask;
    if (ask === undefined) return html`${facts}`;
    return html`<b>${ask.question}</b><ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul><p class="ask">${ask.how}</p>`;
  });
  const rest = items.slice(mostNotices);
  if (rest.length === 0) return items;
  const more = html`<details><summary>and ${formatNumber(rest.length)} more</summary><ul>${rest.map((item) => html`<li>${item}</li>`)}</ul></details>`;
  return [...items.slice(0, mostNotices), more];
}

function factOf({ resources, label, text }: Highlight): Fragment {
  const addresses = resources.map(addressOf);
  const names = listNames(addresses);
  const who = names === '' ? '' : html`<b>${names}</b>: `;
  const end = /[.!?]$/.test(text) ? '' : '.';
  return html`${who}${label === undefined ? '' : html`<strong class="label">${label}</strong>`}${prose(`${text}${end}`)}${allNames(addresses, names)}`;
}

/** Every name, if a list leaves some out or there is no list. */
function allNames(names: readonly string[], shown: string): Fragment | undefined {
  const all = names.join(', ');
  if (names.length < 3 || listNames(names, names.length) === shown) return undefined;
  return html`<details><summary>Show all ${formatNumber(names.length)} names</summary><p>${all}</p></details>`;
}

/** How the differences of a plan are shown, for all resources. */
type PlanStyle = Omit<DifferenceStyle, 'kind' | 'choices'>;

/** The maximum number of settings in the table of contents. */
const mostSettings = 4;

/** The settings that change, by the names that people know. */
function settingsText({ kind, changes }: ResourcePlan): string {
  const titles = changes
    .filter(({ cause }) => cause !== 'unverified')
    .map(({ path }) => settingName(kind, path)?.title ?? path);
  return listSome([...new Set(titles)], mostSettings);
}

/** The replacement for the differing parts in a text of several resources. */
function variablesNote({ changes }: ResourcePlan): Fragment | undefined {
  const isUsed = changes.some((change) => appearanceOf(change).text.includes('${var.'));
  return isUsed
    ? html`<p class="source">$${'{var.…}'} stands for a value that each of them has for itself.</p>`
    : undefined;
}

function actionWord(resource: ResourcePlan): string {
  if (isOnlyDrift(resource)) return 'revert';
  return isOnlySentAgain(resource) ? 'send again' : resource.action;
}

function sectionOf(section: PlanSection, plan: Plan, style: PlanStyle): PageSection {
  const { common, members, resources } = section;
  const isGroup = members.length > 0;
  const own = members.filter(hasOwn).map((member) => {
    const heading = `${addressOf(member)} also, one of these ${formatNumber(members.length)}`;
    return html`<h4>${heading}</h4>${resourceBlocks(member, plan, style)}`;
  });
  const names = groupNames(section, plan);
  return {
    action: actionWord(common),
    name: isGroup ? groupTitle(resources) : addressOf(common),
    about: `${countsOf(section, 'setting').join(', ')}${isGroup ? ' each' : ''}`,
    settings: settingsText(common),
    group: isOnlyDrift(common) ? onlyDriftHeading : undefined,
    content: html`${editsPart(resources)}${isGroup ? html`<div class="names"><p>${names}</p>${allNames(namesOf(resources), names)}</div>` : ''}
${resourceBlocks(common, plan, { ...style, isShared: isGroup })}
${isGroup ? variablesNote(common) : ''}${sentencesList(valueSentences(section))}${own}`,
    location: isGroup ? groupLocation(resources) : resourceLocation(common),
  };
}

/** Even a single one is not a change, and does not look like one. */
function withoutDoubts({ changes, ...resource }: ResourcePlan): ResourcePlan {
  return { ...resource, changes: changes.filter(({ cause }) => cause !== 'unverified') };
}

function namesOf(resources: readonly ResourcePlan[]): string[] {
  return resources.map(({ name }) => name);
}

/** The last edit and its time: a reviewer asks that first. */
function editsPart(resources: readonly ResourcePlan[]): Fragment | undefined {
  const edits = editsSentence(resources);
  return edits === undefined ? undefined : html`<p class="source">${sentence(edits)}</p>`;
}

/** Why a resource is left out, what changes, what to mind. */
function resourceBlocks(shown: ResourcePlan, { environment }: Plan, planStyle: PlanStyle): Fragment {
  // Its changes are asked for again and again, and would be made each time.
  const resource = { ...shown };
  const { kind } = resource;
  const doubted = resource.changes.filter(({ cause }) => cause === 'unverified');
  const { decided, drifted } = changesByOrigin(withoutDoubts(resource));
  const choices = (change: Change) => conflictChoices(environment, resource, change);
  const style = { ...planStyle, kind, choices };
  const block = (change: Change) => differenceBlock(change, notesOn(change, resource), style);
  const waiting = waitingSentence(resource);
  const remarks = [
    renameNote(resource),
    ...sentencesOf(resource.reasons),
    ...resource.warnings.map((warning) => `warning: ${plainWarning(warning, resource)}`),
  ];
  return html`${sentencesList(remarks.filter((remark) => remark !== undefined))}${decided.map(block)}${waiting === undefined ? '' : html`<p class="note">${waiting}</p>`}
${decided.length > 0 && drifted.length > 0 ? html`<p class="origin">${onlyDriftHeading}:</p>` : ''}${drifted.map(block)}${drifted.length === 0 || style.isShared ? '' : html`<p class="source">For the person who applies it: ${prose(keepSentence(environment, resource, drifted))}</p>`}
${doubted.length === 0 ? '' : html`<p class="note">${sentence(unverifiedNote(doubted.length))} Callers notice nothing, unless that edit changed what is listed here: then it is lost.</p><ul>${doubted.map((change) => sentAgain(change, style))}</ul>`}`;
}

function unchangedPart(plan: Plan): Fragment | undefined {
  const unchanged = plan.resources.filter(isUneventful);
  if (unchanged.length === 0) return undefined;
  const names = unchanged.map(addressOf);
  return html`<details class="quiet"><summary>${countedByKind(unchanged)} unchanged</summary><p>${listNames(names, names.length)}</p></details>`;
}

/** How much is known, in numbers and in plain words. */
function knowledgePart(plan: Plan): Fragment {
  const told = knowledgeTerms(plan);
  const tested = plan.tests === undefined ? '' : testsSentence(plan.tests);
  const sentences = told.length === 0 ? coverageSentences(plan) : tested;
  return html`<section aria-labelledby="checked"><h2 id="checked">What was checked</h2>${sentences === '' ? '' : html`<p>${prose(sentences)}</p>`}${terms(told)}${assumedPart(plan)}</section>`;
}

/** Settings that cannot be read back, by name. */
function assumedPart({ assumed = [], summary }: Plan): Fragment | undefined {
  if (assumed.length === 0) return undefined;
  const items = assumed.map(({ kind, names, paths }) => {
    const who = listNames(names.map((name) => addressOf({ kind, name })));
    return html`<li><b>${who}</b>: ${paths.map((path) => settingName(kind, path)?.title ?? path).join(', ')}</li>`;
  });
  return html`<details><summary>Show the ${counted(summary.assumed, 'setting')} that ${summary.assumed === 1 ? 'is' : 'are'} assumed</summary><ul>${items}</ul></details>`;
}
