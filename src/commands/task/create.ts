import { AgentformError, ServiceError } from '../../errors.ts';
import { attended } from '../../interruption.ts';
import { type Json, mapTexts } from '../../json/json.ts';
import type { TaskFields } from '../../schemas/option-types.ts';
import {
  type EnvironmentOptions,
  type OpenEnvironment,
  openEnvironment,
  withService,
} from '../../session/environment.ts';
import type { Host } from '../../session/host.ts';
import { counted } from '../../text/wording.ts';
import { hasErrors, type Problem, ProblemsError } from '../../yaml/problem.ts';
import { checkTask, loadTargetChecks, type TaskBody } from './checks.ts';
import { draftOfFlags, type TaskDraft } from './draft.ts';
import { readTaskFile } from './task-file.ts';

export interface CreateTaskOptions extends EnvironmentOptions {
  readonly file?: string | undefined;
  /** Settings from options. These settings override the settings in the file. */
  readonly flags: TaskFields;
  readonly signal: AbortSignal;
  /** Asks before the task is sent. A result of false ends the run. */
  readonly confirm: (task: ReadyTask) => Promise<boolean>;
}

/** A valid task that has not been sent yet. Secrets in its texts are redacted, except in attachments. */
export interface ReadyTask {
  readonly environment: string;
  readonly task: Json;
  /** The scheduled time in the zone that the user wrote. This member is absent if the time has no zone. */
  readonly wall?: string;
  readonly warnings: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
}

export interface TaskResult {
  readonly environment: string;
  readonly task: Json;
  /** `failed`: certainly not queued. `unclear`: possibly queued, so the task is not sent again. */
  readonly outcome: 'queued' | 'failed' | 'unclear';
  /** The service's response for a queued task. */
  readonly answer?: Json;
  /** Why the task was not queued, or may not have been queued. */
  readonly message?: string;
}

/** Builds and checks a task, and sends it once. */
export async function createTask(host: Host, options: CreateTaskOptions): Promise<TaskResult> {
  const environment = await openEnvironment(host, options);
  const { body, ...ready } = await checkedTask(environment, options, host);
  if (!(await options.confirm(ready))) throw new AgentformError('declined', 'nothing was sent');
  if (options.signal.aborted) throw new AgentformError('interrupted', 'interrupted before anything was sent');
  return withService(host, environment, async (service, connection) => {
    const { task } = ready;
    const sent = { environment: environment.name, task };
    try {
      const answer: Json = await attended(options.signal, () => service.createTask(connection, body));
      return { ...sent, outcome: 'queued', answer: mapTexts(answer, environment.redact) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { ...sent, outcome: error.outcome === 'clear' ? 'failed' : 'unclear', message: error.message };
    }
  });
}

async function checkedTask(
  environment: OpenEnvironment,
  { file, flags }: CreateTaskOptions,
  host: Host,
): Promise<ReadyTask & { readonly body: TaskBody }> {
  const { project, scope, redact, name } = environment;
  const read = file === undefined ? undefined : await readTaskFile(file, { project, scope });
  const given = await draftOfFlags(flags);
  const draft: TaskDraft = { ...read?.draft, ...given.draft };
  const known = [...(read?.problems ?? []), ...given.problems];
  const options = { targets: await loadTargetChecks(), now: host.now().getTime() / 1000 };
  // Skips the checks if some values cannot be read, because the checks would report these values as missing.
  const { body, problems, wall } = hasErrors(known) ? { problems: [] } : checkTask(draft, options);
  const all = [...known, ...problems];
  const sourceOf = (path: string) => read?.sourceOf(path) ?? project.sourceOf(path);
  if (body === undefined) {
    const errors = all.filter(({ severity }) => severity === 'error').length;
    const message = `the task has ${counted(errors, 'error')}; nothing was sent`;
    throw new ProblemsError('tasks-invalid', message, { problems: all, sourceOf });
  }
  return {
    environment: name,
    body,
    // Attachments are not decoded, so secrets inside their base64 content are not redacted.
    task: mapTexts(body, redact),
    ...(wall && { wall: redact(wall) }),
    warnings: all,
    sourceOf,
  };
}
