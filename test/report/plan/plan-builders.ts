import { notice } from '../../../src/notices/notice.ts';
import { questionsOf } from '../../../src/plan/questions.ts';
import type { Change, Plan, Question, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { saying } from '../../support/notices.ts';

type Values = { readonly from?: unknown; readonly to?: unknown; readonly lastApplied?: unknown };
type ChangeParts = Partial<Omit<Change, keyof Values>> & Values;

/** A change of settings.title from "Old" to "New", except for the given members. */
export function change(parts: ChangeParts = {}): Change {
  const values = 'from' in parts || 'to' in parts ? {} : { from: 'Old', to: 'New' };
  return { op: 'set', path: 'settings.title', cause: 'manifest', knowledge: 'compared', ...values, ...parts } as Change;
}

/** An update of Agent/front-desk, except for the given members. */
export function resource(parts: Partial<ResourcePlan> = {}): ResourcePlan {
  return {
    kind: 'Agent',
    name: 'front-desk',
    ...(parts.action === 'create' ? {} : { id: 'camp_1' }),
    action: 'update',
    digest: 'd',
    target: { host: 'service.example.com', query: {} },
    coverage: { compared: 1, blind: 0, assumed: 0 },
    reasons: [],
    warnings: [],
    changes: [],
    ...parts,
  };
}

/** A plan for production with these resources. The counts are computed from the resources. */
export function plan(resources: readonly ResourcePlan[], parts: Partial<Plan> = {}): Plan {
  const actions = (action: ResourcePlan['action']) => resources.filter((each) => each.action === action).length;
  const changes = resources.flatMap((each) => each.changes);
  const covered = (how: keyof ResourcePlan['coverage']) => resources.reduce((sum, each) => sum + each.coverage[how], 0);
  return {
    formatVersion: 1,
    environment: 'production',
    digest: 'd',
    refusals: [],
    questions: questionsOf({ environment: 'production', ...parts, resources: [...resources] }),
    resources: [...resources],
    summary: {
      create: actions('create'),
      update: actions('update'),
      unchanged: actions('none'),
      blocked: actions('blocked'),
      failed: actions('failed'),
      orphans: actions('orphan'),
      forget: actions('forget'),
      waiting: actions('waiting'),
      drift: changes.filter(({ cause }) => cause === 'drift').length,
      conflicts: changes.filter(({ cause }) => cause === 'conflict').length,
      blind: covered('blind'),
      compared: covered('compared'),
      assumed: covered('assumed'),
    },
    ...parts,
  };
}

/** A question about all changes of these resources. */
export function asking(
  number: number,
  kind: Question['kind'],
  resources: readonly string[],
  choices: Question['choices'],
  paths: readonly string[] = ['settings.welcomeMessage'],
): Question {
  const digests = resources.map((address) => `part of ${address}`);
  return {
    id: resources[0] ?? kind,
    digest: 'd',
    number,
    kind,
    resources: [...resources],
    digests,
    paths: [...paths],
    choices,
  };
}

export function unchanged(name: string): ResourcePlan {
  return resource({ name, id: `camp_${name}`, action: 'none', coverage: { compared: 4, blind: 0, assumed: 5 } });
}

/** A value that the plan masked. */
export const sensitive = (fingerprint: string) => ({ sensitive: true, fingerprint });

const prompt = [
  'You are the front desk of the Elm Street clinic.',
  '',
  'Greet the caller politely and ask for their name.',
  'Never give medical advice.',
  '',
  'When the caller wants an appointment:',
  '1. Ask for the day.',
  '2. Ask for the doctor.',
  '3. Offer two times.',
  '',
  'When the caller is in pain, transfer to the nurse.',
];

/** A plan with an example of every action, cause and notice. */
export function richPlan(): Plan {
  const after = prompt.with(2, 'Greet the caller warmly and ask for their name.').concat('Say goodbye by name.');
  return plan(
    [
      resource({
        changes: [
          change({ from: 'Front desk', to: 'Front desk (Elm Street)' }),
          change({ path: 'settings.description', from: 'Answers', to: 'Answers the phone', knowledge: 'blind' }),
          change({ path: 'settings.timezone', from: 'Europe/Berlin', to: 'America/New_York', cause: 'drift' }),
          change({ path: 'settings.agentInstructions', from: prompt.join('\n'), to: after.join('\n') }),
          change({
            path: 'settings.links',
            from: ['https://a.example', 'https://b.example', 'https://c.example'],
            to: ['https://a.example', 'https://c.example', 'https://d.example'],
          }),
          change({ path: 'settings.agentLang', from: 'es-ES', to: 'en-US', op: 'unset' }),
          change({
            path: 'settings.publicInstructions',
            from: 'Be brief.',
            to: 'Be kind.',
            lastApplied: 'Be polite.',
            cause: 'conflict',
          }),
          change({ op: 'release', path: 'settings.agentVoice', from: 'nova' }),
          change({ path: 'settings.postAnswerDtmf', from: sensitive('a'), to: sensitive('b'), knowledge: 'blind' }),
          change({
            op: 'unset',
            path: 'skills[billing]',
            from: {
              slug: 'billing',
              instructions: `Take payments by card.\nNever by cheque.\n${'Ask again. '.repeat(8)}`,
            },
            cause: 'adopt',
          }),
        ],
        warnings: [saying('skill "calendar" is not usable: it is not installed')],
        coverage: { compared: 10, blind: 2, assumed: 8 },
      }),
      resource({
        name: 'night-line',
        action: 'create',
        target: { host: 'service.example.com', query: { targetAccountId: '17' } },
        changes: [
          change({ path: 'settings.title', to: 'Night line' }),
          change({ path: 'settings.description', to: 'Answers at night', knowledge: 'blind' }),
          change({ path: 'settings.agentInstructions', to: Array(20).fill(prompt.join('\n')).join('\n') }),
          change({
            path: 'backgroundAudio',
            to: { url: 'https://cdn.example.com/office-night-quiet.mp3', loop: true, gain: -6 },
            knowledge: 'blind',
          }),
        ],
        warnings: [saying('no id is known: an agent already under this token would be overwritten unseen')],
        coverage: { compared: 2, blind: 2, assumed: 0 },
      }),
      resource({
        name: 'sales',
        id: 'camp_2',
        changes: [
          change({ path: 'settings.description', to: 'Sells', cause: 'unverified', knowledge: 'blind' }),
          change({ path: 'settings.agentModel', to: 'large', cause: 'unverified', knowledge: 'blind' }),
        ],
        coverage: { compared: 4, blind: 2, assumed: 0 },
      }),
      resource({
        name: 'support',
        id: 'camp_3',
        action: 'blocked',
        reasons: [
          saying(
            'the record belongs to a different agent (camp_9): run `record adopt Agent/support camp_3` or `record forget Agent/support`',
          ),
        ],
      }),
      resource({ name: 'lobby', action: 'failed', reasons: [saying('the service did not respond within 30 s')] }),
      resource({
        name: 'old-desk',
        action: 'orphan',
        reasons: [saying('there is a record and no manifest; nothing is sent')],
      }),
      unchanged('a'),
      unchanged('b'),
    ],
    { refusals: [notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 }, [['--allow-creates', '51']])] },
  );
}
