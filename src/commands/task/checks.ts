import { withoutUndefined } from '../../json/json.ts';
import type { components } from '../../schemas/service-types.ts';
import { lossIn } from '../../text/csv.ts';
import { nearest } from '../../text/suggest.ts';
import { joinWithOr, quote } from '../../text/wording.ts';
import { type MeantValue, valueMeant } from '../../yaml/fix.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';
import type { Rule } from '../../yaml/rules.ts';
import { isEmail, loadPhoneNumbers } from '../../yaml/values.ts';
import { type Given, isHeaderText, type TaskDraft } from './draft.ts';
import { readScheduledTime } from './scheduled-time.ts';
import { isTaskType, type TaskType, taskTypes } from './task-types.ts';

export type TaskBody = components['schemas']['TaskBody'];

/** Checks the text of a setting or cell. Returns undefined if the text is valid. */
export type TextCheck = (text: string) => TextProblem | undefined;

/** A problem with the text of a setting or cell. */
export interface TextProblem extends MeantValue {
  /** The problem as the end of a sentence that begins "X is 'text'". */
  readonly problem: string;
}

/** The target checks by task type. A ping can have any target or no target. */
export type TargetChecks = Readonly<Record<TaskType, TextCheck | undefined>>;

interface CheckedTask {
  /** The request body. This member is absent if there is an error. */
  readonly body?: TaskBody;
  /** The scheduled time in the zone that the user wrote. This member is absent if the time has no zone or is secret. */
  readonly wall?: string;
  readonly problems: readonly Problem[];
}

/** Converts a draft to a request body and reports all problems. `now` is in seconds since 1970. */
export function checkTask(
  draft: TaskDraft,
  { targets, now }: { readonly targets: TargetChecks; readonly now: number },
): CheckedTask {
  const time = checkedTime(draft.scheduledFor, now);
  const problems = [
    ...typeProblems(draft),
    ...targetProblems(draft, targets),
    ...misplacedProblems(draft),
    ...taskProblems(draft.subject, 'task-subject', subjectProblem),
    ...bridgeProblems(draft, targets.call),
    ...accountProblems(draft),
    ...time.problems,
  ];
  const type = draft.type?.value ?? '';
  if (hasErrors(problems) || !isTaskType(type)) return { problems };
  return { problems, body: bodyOf(type, draft, time.seconds), ...(time.wall !== undefined && { wall: time.wall }) };
}

function typeProblems({ type }: TaskDraft): Problem[] {
  if (type === undefined) {
    return [
      errorOf(undefined, 'task-type', `a task needs a type: set --type or settings.type to ${joinWithOr(taskTypes)}`),
    ];
  }
  return taskProblems(type, 'task-type', typeProblem);
}

function targetProblems({ type, target }: TaskDraft, targets: TargetChecks): Problem[] {
  const check = type !== undefined && isTaskType(type.value) ? targets[type.value] : undefined;
  if (type === undefined || check === undefined) return [];
  if (target !== undefined) return taskProblems(target, 'task-target', check);
  const message = `a task of type ${type.value} needs a target in --target or settings.target${check('')?.problem ?? ''}`;
  return [errorOf(type, 'task-target', message)];
}

function misplacedProblems({ type, subject, attachments, bridgeTo, bridgeMonitor }: TaskDraft): Problem[] {
  if (type === undefined || !isTaskType(type.value)) return [];
  const owned = [
    ...(type.value === 'email' ? [] : [subject, attachments].map((given) => ({ given, owner: 'email' }))),
    ...(type.value === 'call' ? [] : [bridgeTo, bridgeMonitor].map((given) => ({ given, owner: 'call' }))),
  ];
  return owned.flatMap(({ given, owner }) => {
    if (given === undefined) return [];
    const message = `${given.label} is only for tasks of type ${owner}; this task is of type ${type.value}`;
    return [errorOf(given, 'task-misplaced', message)];
  });
}

function bridgeProblems({ bridgeTo, bridgeMonitor }: TaskDraft, check: TextCheck | undefined): Problem[] {
  if (bridgeTo !== undefined) return check === undefined ? [] : taskProblems(bridgeTo, 'task-target', check);
  if (bridgeMonitor === undefined) return [];
  return [
    errorOf(bridgeMonitor, 'task-misplaced', `${bridgeMonitor.label} needs a number to bridge to: set --bridge-to`),
  ];
}

function accountProblems({ accountId }: TaskDraft): Problem[] {
  if (accountId === undefined || Number.isSafeInteger(accountId.value)) return [];
  const message = `${accountId.label} is ${accountId.value}: expected an integer of at most ${Number.MAX_SAFE_INTEGER}`;
  return [errorOf(accountId, 'task-account', message)];
}

interface CheckedTime {
  readonly seconds?: number;
  readonly wall?: string;
  readonly problems: readonly Problem[];
}

function checkedTime(given: Given<string> | undefined, now: number): CheckedTime {
  if (given === undefined) return { problems: [] };
  const time = readScheduledTime(given.value);
  if ('problem' in time && given.isSensitive) {
    const message = `${given.label} is ${shown(given)}: expected a time, such as 2026-12-01T09:00:00+01:00`;
    return { problems: [errorOf(given, 'task-time', message)] };
  }
  if ('problem' in time) {
    const problem = errorOf(given, 'task-time', `${given.label} is ${shown(given)}${time.problem}`);
    // The suggestion replaces the whole time, so the problem must cover the whole time.
    return { problems: [{ ...problem, ...valueMeant({ at: undefined, found: time.zone ?? given.value }, time) }] };
  }
  const { seconds, notice, wall } = time;
  const past = seconds < now ? [`${given.label} is ${shown(given)}, which is in the past`] : [];
  const said = [...(notice === undefined || given.isSensitive ? [] : [notice]), ...past];
  return {
    seconds,
    ...(wall !== undefined && !given.isSensitive && { wall }),
    problems: said.map((message) => ({ ...errorOf(given, 'task-time', message), severity: 'warning' })),
  };
}

function taskProblems(given: Given<string> | undefined, rule: Rule, check: TextCheck): Problem[] {
  const found = given && check(given.value);
  if (given === undefined || found === undefined) return [];
  const problem = errorOf(given, rule, `${given.label} is ${shown(given)}${found.problem}`);
  return [given.isSensitive ? problem : { ...problem, ...valueMeant({ at: given.at, found: given.value }, found) }];
}

function shown({ value, isSensitive }: Given<string>): string {
  return isSensitive ? 'a sensitive value' : quote(value);
}

function errorOf(given: Given<unknown> | undefined, rule: Rule, message: string): Problem {
  return { severity: 'error', rule, message, ...(given?.at !== undefined && { at: given.at }) };
}

function bodyOf(type: TaskType, draft: TaskDraft, scheduledFor: number | undefined): TaskBody {
  const { target, message, context, greeting, waitToGreet, accountId } = draft;
  const meta = metaOf(draft);
  return {
    type,
    ...withoutUndefined({
      target: target?.value,
      message: message?.value,
      context: context?.value,
      greeting: greeting?.value,
      waitToGreet: waitToGreet?.value,
      accountId: accountId?.value,
      scheduledFor,
    }),
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

function metaOf({ subject, attachments, bridgeTo, bridgeMonitor }: TaskDraft): NonNullable<TaskBody['meta']> {
  const email = withoutUndefined({
    subject: subject?.value,
    attachments: attachments?.value.map((one) => ({ ...one })),
  });
  const monitor = withoutUndefined({ monitor: bridgeMonitor?.value });
  return {
    ...(Object.keys(email).length > 0 && { email }),
    ...(bridgeTo !== undefined && { bridgeAfterAnswer: { destination: bridgeTo.value, ...monitor } }),
  };
}

export function typeProblem(text: string): TextProblem | undefined {
  if (isTaskType(text)) return undefined;
  const meant = nearest(text, taskTypes);
  return { problem: `: expected ${joinWithOr(taskTypes)}`, ...(meant !== undefined && { meant }) };
}

export function subjectProblem(text: string): TextProblem | undefined {
  return isHeaderText(text) ? undefined : { problem: ': expected one line without control characters' };
}

/** Loads the target checks. Loading takes a long time, but the checks themselves are synchronous. */
export async function loadTargetChecks(): Promise<TargetChecks> {
  const { isE164, meantBy } = await loadPhoneNumbers();
  const phone: TextCheck = (text) => {
    if (isE164(text)) return undefined;
    const loss = lossIn(text);
    if (loss !== undefined) return { problem: `: ${loss}` };
    const corrected = meantBy(text);
    return {
      problem: ': expected an E.164 number such as +14155550100',
      ...(corrected !== undefined && { corrected }),
    };
  };
  const email: TextCheck = (text) =>
    isEmail(text) ? undefined : { problem: ': expected one email address such as caller@example.com' };
  return { call: phone, text: phone, email, ping: undefined };
}
