import { addressOf } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { listNames } from '../../text/ranges.ts';
import { counted, formatNumber } from '../../text/wording.ts';
import { noticesOf } from '../plan/notices.ts';
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
import { knowledgeTerms, planTerms } from '../plan/terms.ts';
import {
  causesSentence,
  changedSinceSentences,
  changesByOrigin,
  conflictNote,
  conflictsOf,
  countsSentence,
  coverageSentences,
  isEmptyPlan,
  isOnlyDrift,
  isUneventful,
  noChangesSentence,
  notesOn,
  onlyDriftHeading,
  renameNote,
  resourceLocation,
  unverifiedNote,
  verdictSentence,
} from '../plan/wording.ts';
import { type DifferenceStyle, differenceBlock, namedSetting } from './difference.ts';
import { type PageSection, renderPage, sentencesList, terms } from './page.ts';
import { type Fragment, html, prose } from './template.ts';

export interface PlanHtmlOptions {
  /** Heading, as plain text; by default it names the environment. */
  readonly title?: string | undefined;
  /** Sentences about the plan as a whole, for its head. */
  readonly remarks?: readonly string[];
}

/** A plan as a page of its own, for people who are to approve it and do not work in a terminal. */
export function renderPlanHtml(plan: Plan, { title, remarks = [] }: PlanHtmlOptions = {}): string {
  const what = plan.offline === undefined ? 'Plan' : 'Offline plan';
  const eventful = plan.resources.filter((resource) => !isUneventful(resource));
  const shown = [...eventful.filter((one) => !isOnlyDrift(one)), ...eventful.filter(isOnlyDrift)];
  const style = { heads: headsOf(plan), room: { left: mostUnchanged } };
  return renderPage({
    title: title ?? `${what} for ${plan.environment}`,
    state: stateOf(plan),
    verdict: isEmptyPlan(plan) ? noChangesSentence(plan, plan.environment) : verdictSentence(plan),
    facts: [countsSentence(plan), causesSentence(plan), plan.changedSince && changedSinceSentences(plan.changedSince)],
    notices: [...remarks.map((remark) => prose(remark)), ...noticeItems(plan)],
    sections: sectionsOf(shown).map((section) => sectionOf(section, plan, style)),
    closing: [unchangedPart(plan), knowledgePart(plan), wordsPart(plan)],
    end: `Digest of this plan: ${plan.digest}`,
  });
}

/** Of a fleet with long prompts, what did not change would make a page that takes long to open. */
const mostUnchanged = 4_000_000;

function stateOf(plan: Plan): 'refused' | 'mind' | 'ready' | 'nothing' {
  const { blocked, failed, conflicts } = plan.summary;
  if (plan.refusals.length > 0) return 'refused';
  if (isEmptyPlan(plan)) return 'nothing';
  return blocked + failed + conflicts > 0 ? 'mind' : 'ready';
}

/** What stands above the two sides of a text. What cannot be read is compared with what was applied last. */
function headsOf({ offline }: Plan): DifferenceStyle['heads'] {
  return ({ knowledge, op }) => {
    const before =
      offline !== undefined ? 'base commit' : knowledge === 'compared' ? 'on the service now' : 'last applied';
    return [before, op === 'unset' ? 'after the apply' : 'in the manifest'];
  };
}

/** So many of a list are shown at once. */
const mostNotices = 20;

function noticeItems(plan: Plan): Fragment[] {
  const items = noticesOf(plan).map(({ resources, label, text }) => {
    const names = listNames(resources.map(addressOf));
    const who = names === '' ? '' : html`<b>${names}</b>: `;
    return html`${who}${label === undefined ? '' : html`<strong class="label">${label}</strong>`}${prose(text)}`;
  });
  const rest = items.slice(mostNotices);
  if (rest.length === 0) return items;
  const more = html`<details><summary>and ${formatNumber(rest.length)} more</summary><ul>${rest.map((item) => html`<li>${item}</li>`)}</ul></details>`;
  return [...items.slice(0, mostNotices), more];
}

function sectionOf(section: PlanSection, plan: Plan, style: DifferenceStyle): PageSection {
  const { common, members, resources } = section;
  const isGroup = members.length > 0;
  const own = members.filter(hasOwn).map((member) => {
    const heading = `${addressOf(member)} also, one of these ${formatNumber(members.length)}`;
    return html`<h4>${heading}</h4>${resourceBlocks(member, plan, style)}`;
  });
  const location = isGroup ? groupLocation(resources) : resourceLocation(common);
  return {
    action: isOnlyDrift(common) ? 'revert' : common.action,
    name: isGroup ? groupTitle(resources) : addressOf(common),
    about: [countsOf(section).join(', '), location === undefined ? '' : `(${location})`]
      .filter((part) => part !== '')
      .join(' '),
    group: isOnlyDrift(common) ? onlyDriftHeading : undefined,
    content: html`${isGroup ? html`<p class="names">${groupNames(section, plan)}</p>` : ''}
${resourceBlocks(common, plan, { ...style, isShared: isGroup })}
${sentencesList(valueSentences(section))}${own}`,
  };
}

/** Why a resource is left out, what changes, what to mind. */
function resourceBlocks(resource: ResourcePlan, { environment }: Plan, style: DifferenceStyle): Fragment {
  const { decided, drifted, doubted } = changesByOrigin(resource);
  const block = (change: Change) => differenceBlock(change, notesOn(change, resource), style);
  const remarks = [
    renameNote(resource),
    ...resource.reasons,
    conflictNote(environment, resource, conflictsOf(resource)),
    ...resource.warnings.map((warning) => `warning: ${warning}`),
  ];
  return html`${sentencesList(remarks.filter((remark) => remark !== undefined))}${decided.map(block)}
${decided.length > 0 && drifted.length > 0 ? html`<p class="origin">${onlyDriftHeading}:</p>` : ''}${drifted.map(block)}
${doubted.length === 0 ? '' : html`<p class="note">${unverifiedNote(doubted.length)}</p><ul>${doubted.map(namedSetting)}</ul>`}`;
}

function unchangedPart(plan: Plan): Fragment | undefined {
  const unchanged = plan.resources.filter(isUneventful);
  if (unchanged.length === 0) return undefined;
  const names = unchanged.map(addressOf);
  return html`<details class="quiet"><summary>${counted(unchanged.length, nounOf(plan.resources))} unchanged</summary><p>${listNames(names, names.length)}</p></details>`;
}

/** How much of this is known, in numbers and in plain words. */
function knowledgePart(plan: Plan): Fragment {
  return html`<section aria-labelledby="checked"><h2 id="checked">What was checked</h2><p>${prose(coverageSentences(plan))}</p>${terms(knowledgeTerms(plan))}</section>`;
}

function wordsPart(plan: Plan): Fragment | undefined {
  const used = planTerms(plan);
  if (used.length === 0) return undefined;
  return html`<section aria-labelledby="words"><h2 id="words">What the words mean</h2>${terms(used)}</section>`;
}
