import type { Plan } from '../../schemas/plan-types.ts';
import { counted, formatNumber } from '../../text/wording.ts';
import { coverageSentences, isOnlyDrift, isOnlySentAgain } from './wording.ts';

/** A word of a plan, and its meaning for a first-time reader. */
export interface Term {
  readonly word: string;
  readonly meaning: string;
}

/** The terms of every plan. */
const sides: readonly Term[] = [
  { word: 'plan', meaning: 'What an apply would do.' },
  { word: 'manifest', meaning: 'The file in which your team writes down the settings, and changes them.' },
  {
    word: 'on the service',
    meaning:
      'The draft on the service, with all edits made in the dashboard. Callers and visitors get the version that was published last.',
  },
  { word: 'apply', meaning: 'The run that sends the changes to the service. Until then nothing changes there.' },
];

/** Marks a change of a setting that is written only. */
const unreadable = 'cannot be read back';

/** Actions and causes, under their names in plans. */
const words: readonly Term[] = [
  { word: 'create', meaning: 'The service does not have it yet. An apply makes it.' },
  { word: 'update', meaning: 'It exists on the service. An apply changes the settings that are shown, and no others.' },
  { word: 'revert', meaning: 'Only someone in the dashboard changed it. An apply undoes that edit.' },
  {
    word: 'send again',
    meaning:
      'The manifest did not change. The service does not show these settings, and someone edited the agent, so an apply sends them as they were.',
  },
  { word: unreadable, meaning: 'The service takes this setting, and does not show afterwards what it has.' },
  { word: 'forget', meaning: 'Its record is dropped. The service keeps it as it is.' },
  { word: 'blocked', meaning: 'An apply leaves it out until someone decides. The reason names the command.' },
  { word: 'failed', meaning: 'It could not be read, so nothing is known about it.' },
  { word: 'orphan', meaning: 'It was applied once, and no manifest declares it any more. Nothing is sent.' },
  {
    word: 'drift',
    meaning:
      'Someone changed the setting on the service since the last apply. An apply restores what the manifest says.',
  },
  {
    word: 'conflict',
    meaning:
      'The setting changed on the service and in the manifest, differently. Someone has to choose before an apply: one of the two is lost, unless the manifest is given both.',
  },
  {
    word: 'unverified',
    meaning: 'The service does not show the setting, and someone edited the agent, so it may have changed.',
  },
  { word: 'adopt', meaning: 'The setting had a value before agentform managed it. An apply replaces it.' },
  { word: 'release', meaning: 'The manifest no longer declares the setting. The service keeps its current value.' },
];

/** The words that the plan uses; empty if there are no changes. */
export function planTerms({ resources }: Plan): readonly Term[] {
  const used = new Set<string>();
  for (const resource of resources) {
    used.add(isOnlyDrift(resource) ? 'revert' : isOnlySentAgain(resource) ? 'send again' : resource.action);
    for (const { cause, op, knowledge } of resource.changes) {
      used.add(cause === 'unverified' ? 'send again' : cause).add(op);
      if (knowledge === 'blind' && cause !== 'unverified') used.add(unreadable);
    }
  }
  return termsOf(used);
}

/** The special terms among these, after those of every comparison. */
export function termsOf(used: ReadonlySet<string>): readonly Term[] {
  const told = words.filter(({ word }) => used.has(word));
  return told.length === 0 ? [] : [...sides, ...told];
}

/**
 * What was compared and what could not be, in short and without the plan's terms; for an offline plan, what it leaves
 * open.
 */
export function coverageInWords(plan: Plan): string {
  const { compared, blind, assumed, created } = knowledgeOf(plan);
  const unread = blind + assumed;
  if (plan.offline !== undefined || compared + unread === 0) return coverageSentences(plan);
  const rest =
    created === 0
      ? []
      : [`There is no live value to compare with for ${counted(created, 'setting')} of new resources.`];
  const total = counted(compared + unread, 'setting');
  if (unread === 0) return [`All ${total} were compared with the service.`, ...rest].join(' ');
  const compares = `${formatNumber(compared)} of ${total} were compared with the service.`;
  const unseen = `The service does not show the other ${formatNumber(unread)}`;
  const sends = isUnedited(plan) ? 'sent' : 'sent over whatever is there now';
  const isAre = (count: number) => (count === 1 ? 'is' : 'are');
  const kept = `${isAre(assumed)} assumed to be as the last apply left ${assumed === 1 ? 'it' : 'them'}`;
  const sent = `${isAre(blind)} ${sends}`;
  const they = unread === 1 ? 'it' : 'they';
  const what =
    blind === 0
      ? `${they} ${kept}`
      : assumed === 0
        ? `${they} ${sent}`
        : `${formatNumber(blind)} ${sent} and ${formatNumber(assumed)} ${kept}`;
  return [compares, `${unseen}: ${what}.`, ...rest].join(' ');
}

/** The number of settings by knowledge; those of creates separately, because there is nothing to read. */
function knowledgeOf({ summary: { compared, blind, assumed }, resources }: Plan) {
  const creates = resources.filter(({ action }) => action === 'create');
  const created = creates.reduce((sum, { coverage }) => sum + coverage.blind, 0);
  return { compared, blind: blind - created, assumed, created };
}

/** Whether blind settings were certainly not edited. */
function isUnedited({ resources }: Plan): boolean {
  return resources.every(({ action, coverage, lastApply }) => {
    return action === 'create' || coverage.blind === 0 || lastApply?.edited === 'no';
  });
}

/** The meaning of compared, blind and assumed; empty for an offline plan, which does not read the service. */
export function knowledgeTerms(plan: Plan): readonly Term[] {
  const { compared, blind, assumed } = knowledgeOf(plan);
  if (plan.offline !== undefined) return [];
  const counts = [
    { word: 'compared', count: compared, meaning: 'read from the service and compared with the manifest.' },
    {
      word: 'sent unseen',
      count: blind,
      meaning: isUnedited(plan)
        ? 'will be sent without a look at the live value, which the service does not show. The service does tell when an agent was last edited: not since the last apply.'
        : 'will be sent without a look at the live value, which the service does not show. An edit in the dashboard is overwritten unseen.',
    },
    {
      word: 'assumed',
      count: assumed,
      meaning: `not shown by the service, and assumed to be as the last apply left ${assumed === 1 ? 'it' : 'them'}.`,
    },
  ];
  return counts
    .filter(({ count }) => count > 0)
    .map(({ word, count, meaning }) => ({ word, meaning: `${counted(count, 'setting')}: ${meaning}` }));
}
