import { keyOfNotices, type Notice } from '../../notices/notice.ts';
import { isAboutReplacing } from '../../plan/verdicts/new-agents.ts';
import { isPromptLoss } from '../../plan/verdicts/shrunk-prompts.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { counted, formatNumber, listSome, shorten } from '../../text/wording.ts';
import { alike } from '../alike.ts';
import { joinedSentences, lossOf, sentenceOf } from '../notices.ts';
import { viewChange } from './change-view.ts';
import type { ValueWords } from './value-text.ts';
import { isEmptyPlan, unverifiedNote } from './wording.ts';

/** A notice for reviewers: `blocked; no id is known`. */
export interface Highlight {
  /** Whom it is about; none if it is the plan as a whole. */
  readonly resources: readonly ResourcePlan[];
  /** A one-word label, if action is needed. */
  readonly label?: string;
  /** The text after the label, or the whole sentence; code is in backticks. */
  readonly text: string;
  /** A question to answer before an approval. */
  readonly ask?: Question | undefined;
  /** No action is needed: it only explains how something is known. */
  readonly isCalm?: true;
}

const most = { characters: 500, paths: 4, pathCharacters: 80, valueCharacters: 60 } as const;

/** All notices, the most severe first; shared notices are shown once. */
export function noticesOf(plan: Plan, settingOf: SettingOf = pathInCode): Highlight[] {
  const named: Named = (changes, { kind }, endOf = () => '') =>
    listSome(
      changes.map((change) => {
        const { name, words } = settingOf(change, kind);
        return `${name}${endOf(change, words)}`;
      }),
      most.paths,
    );
  return [
    ...plan.refusals.map((refusal) => ({
      resources: [],
      label: 'Refused',
      text: ` (${refusal.code}): ${shorten(sentenceOf(refusal), most.characters)}`,
      ask: asks.obstacle,
    })),
    ...each(plan, ({ action, reasons }) => reasonNotice(['blocked', 'failed'].includes(action), action, reasons)),
    ...each(plan, (resource) => conflictNotice(resource, named)),
    ...each(plan, (resource) => lossNotice(resource, named)),
    ...each(plan, unreadNotice),
    ...each(plan, warningNotice),
    ...each(plan, (resource) => driftNotice(resource, named)),
    ...each(plan, (resource) => unsetNotice(resource, named)),
    ...each(plan, (resource) => blindNotice(resource, named)),
    ...each(plan, sentAgainNotice),
    ...each(plan, ({ action, reasons }) => reasonNotice(action === 'forget', action, reasons)),
    ...each(plan, ({ action, reasons }) => reasonNotice(action === 'orphan', action, reasons)),
  ];
}

/** How an output shows the name of a setting, with text in backticks as code, and whether it explains values. */
export type SettingOf = (
  change: Change,
  kind: string,
) => { readonly name: string; readonly words?: ValueWords | undefined };

type Named = (
  changes: readonly Change[],
  resource: ResourcePlan,
  endOf?: (change: Change, words: ValueWords | undefined) => string,
) => string;

/** What a resource has to say. Resources share it if `about` is equal, which is data: codes, facts, settings. */
interface Saying extends Omit<Highlight, 'resources'> {
  readonly about: unknown;
  /** The text if all resources that share it have the same changes, and these. */
  readonly withValues?: { readonly changes: readonly Change[]; readonly text: () => string };
}

type Said = Saying | undefined;

/** With more resources, values are not compared: their sections show them. */
const mostCompared = 20;

/** The question, in words for people who do not know agentform. */
export interface Question {
  readonly question: string;
  /** Whom to ask, and what follows from each answer. */
  readonly how: string;
}

const asks = {
  obstacle: {
    question: 'Who will resolve this obstacle?',
    how: 'Tell the person who sent you this page. Until it is resolved, this is left out.',
  },
  conflict: {
    question: 'Which version is right?',
    how:
      'Compare the versions under “Changes”, and tell the person who sent you this page which of the choices you take. If you ' +
      'do not know who edited the service, ask everybody who uses its dashboard.',
  },
  loss: {
    question: 'Should this much text be removed?',
    how: 'Read what is removed under “Changes”. If you want to keep it, tell the person who sent you this page.',
  },
  unread: {
    question: 'Does the account already have an agent?',
    how:
      'The service does not tell. Reply with the answer: if the account has an agent, its settings are kept; if it has ' +
      'none, a new one is created. Without an answer, nothing is applied to it.',
  },
  drift: {
    question: 'Was the edit on the service meant to last?',
    how:
      'Ask everybody who uses the dashboard. If it was, tell the person who sent you this page to keep it. If it was not, ' +
      'approve: applying the plan undoes it.',
  },
  unseen: {
    question: 'Did someone change one of these settings in the dashboard?',
    how:
      'The service does not show them, so ask everybody who uses the dashboard. If someone did, tell the person who sent you ' +
      'this page, because the values listed below replace that edit. If no one did, there is nothing to do.',
  },
} as const satisfies Record<string, Question>;

function each({ resources }: Plan, noticeOf: (resource: ResourcePlan) => Said): Highlight[] {
  const noticed = resources.flatMap((resource) => {
    const said = noticeOf(resource);
    return said === undefined ? [] : [{ resource, said }];
  });
  return alike(noticed, ({ said: { about } }) => JSON.stringify(about)).flatMap((group) =>
    group.slice(0, 1).map(({ said: { withValues, about: _, ...said } }) => {
      const compared = group.length > mostCompared ? [] : group;
      const values = new Set(compared.map((one) => JSON.stringify(one.said.withValues?.changes.map(valuesOf))));
      const isSame = withValues !== undefined && values.size === 1;
      return { ...said, ...(isSame && { text: withValues.text() }), resources: group.map(({ resource }) => resource) };
    }),
  );
}

function valuesOf({ path, from, to }: Change) {
  return [path, from, to];
}

/** Settings have other names in another kind. */
function settingsOf({ kind }: ResourcePlan, changes: readonly Change[]) {
  return [kind, ...changes.map(({ path }) => path)];
}

function reasonNotice(isOne: boolean, label: ResourcePlan['action'], reasons: readonly Notice[]): Said {
  if (!isOne) return undefined;
  const text = shorten(joinedSentences(reasons), most.characters);
  const isObstacle = label === 'blocked' || label === 'failed';
  const ask = isObstacle ? asks.obstacle : undefined;
  return { about: [label, keyOfNotices(reasons)], label, text: text === '' ? '' : `; ${text}`, ask };
}

function conflictNotice(resource: ResourcePlan, named: Named): Said {
  const conflicts = resource.changes.filter(({ cause }) => cause === 'conflict');
  if (conflicts.length === 0) return undefined;
  return {
    about: settingsOf(resource, conflicts),
    label: 'conflict',
    text: `: ${named(conflicts, resource)} changed on the service and in the manifest`,
    ask: asks.conflict,
  };
}

/** Prompts that lose much are asked about: a reader of the new text would not miss the removed parts. */
function lossNotice(resource: ResourcePlan, named: Named): Said {
  const { changes } = resource;
  const losses = resource.warnings.filter(isPromptLoss);
  if (losses.length === 0) return undefined;
  const subjectOf = (path: string) =>
    named(
      changes.filter((change) => change.path === path),
      resource,
    );
  const text = losses.map((loss) => `${subjectOf(loss.facts.path)} ${lossOf(loss)}`).join('; ');
  const about = [resource.kind, keyOfNotices(losses)];
  return { about, text: shorten(text, most.characters), ask: asks.loss };
}

function unreadNotice({ warnings }: ResourcePlan): Said {
  const found = warnings.find(isAboutReplacing);
  if (found === undefined) return undefined;
  return { about: keyOfNotices([found]), text: sentenceOf(found), ask: asks.unread };
}

function warningNotice({ warnings }: ResourcePlan): Said {
  const others = warnings.filter((warning) => !isAboutReplacing(warning) && !isPromptLoss(warning));
  if (others.length === 0) return undefined;
  return { about: keyOfNotices(others), text: shorten(joinedSentences(others), most.characters) };
}

function driftNotice(resource: ResourcePlan, named: Named): Said {
  const drifted = resource.changes.filter(({ cause }) => cause === 'drift');
  if (drifted.length === 0) return undefined;
  const since = 'changed on the service since the last apply and will be reverted';
  const back = `will be reverted, because ${drifted.length === 1 ? 'it' : 'they'} changed on the service since the last apply`;
  return {
    about: settingsOf(resource, drifted),
    text: `drift: ${named(drifted, resource)} ${since}`,
    withValues: { changes: drifted, text: () => `drift: ${named(drifted, resource, movedText)} ${back}` },
    ask: asks.drift,
  };
}

/** The direction of an edit on the service is that of the change itself: the live value returns to the applied one. */
function movedText({ from: live, to: applied }: Change, words: ValueWords | undefined): string {
  const { from, to, summary } = viewChange({ from: live, to: applied }, { words });
  if (summary !== undefined) return ` (${summary})`;
  if (from === undefined && to === undefined) return '';
  const [before, after] = [from, to].map((value = 'nothing') =>
    shorten(value, most.valueCharacters).replaceAll('`', "'"),
  );
  return ` (${before} → ${after})`;
}

function unsetNotice(resource: ResourcePlan, named: Named): Said {
  const taken = resource.changes.filter(({ op, cause }) => op === 'unset' && cause === 'manifest');
  return taken.length === 0
    ? undefined
    : {
        about: settingsOf(resource, taken),
        text: `${named(taken, resource)} will be unset, because the manifest no longer declares ${taken.length === 1 ? 'it' : 'them'}`,
      };
}

/** A create sends everything without having read anything; that goes without saying. */
function blindNotice(resource: ResourcePlan, named: Named): Said {
  const blind = resource.changes.filter(
    ({ op, cause, knowledge }) => op !== 'release' && cause !== 'unverified' && knowledge === 'blind',
  );
  if (resource.action === 'create' || blind.length === 0) return undefined;
  const text = `${counted(blind.length, 'setting')} will be sent but cannot be read back: ${named(blind, resource)}`;
  const isCalm = resource.lastApply?.edited === 'no';
  const about = [isCalm, ...settingsOf(resource, blind)];
  return isCalm ? { about, text, isCalm } : { about, text, ask: asks.unseen };
}

/** It probably does not change, so it is counted and not named. */
function sentAgainNotice({ changes }: ResourcePlan): Said {
  const { length } = changes.filter(({ cause }) => cause === 'unverified');
  return length === 0 ? undefined : { about: length, text: unverifiedNote(length), ask: asks.unseen };
}

/** A backtick would end the code. */
function pathInCode({ path }: Change): ReturnType<SettingOf> {
  return { name: `\`${shorten(path, most.pathCharacters).replaceAll('`', "'")}\`` };
}

/** The next step for the approver of the plan; undefined if there is nothing to approve. */
export function adviceOf(plan: Plan, notices: readonly Highlight[]): string | undefined {
  if (isEmptyPlan(plan)) return undefined;
  if (plan.offline !== undefined)
    return 'Read the changes below. This plan cannot be applied: it only shows what the files ask for.';
  const { create, update, forget } = plan.summary;
  if (plan.refusals.length > 0 || create + update + forget === 0)
    return 'There is nothing to approve yet. Pass on what is listed under “Check first” to the person who applies this plan.';
  const questions = new Set(notices.flatMap(({ ask }) => ask ?? [])).size;
  const isCalm = notices.every((notice) => notice.isCalm);
  const nothingYet = 'Nothing changes on the service before someone applies the plan.';
  const read = isCalm ? 'Read the changes below.' : 'Read the items under “Check first” and the changes below.';
  if (questions === 0)
    return `${read} If you want all of them, tell the person who sent you this page that you approve; if not, tell them which ones, or ask. ${nothingYet}`;
  const which = questions === 1 ? 'the question' : `the ${formatNumber(questions)} questions`;
  return `Answer ${which} under “Check first”, read the changes, and tell the person who sent you this page what you decided. ${nothingYet}`;
}
