import { FormData } from 'undici';
import type { JsonObject } from '../../kinds/json.ts';
import { checkedBy } from '../../kinds/shape.ts';
import type { components } from '../../schemas/service-types.ts';
import { serviceTaskCreated, serviceTasksUploaded } from '../../schemas/service-validators.js';
import type { Call } from '../call.ts';

export type TaskCreated = components['schemas']['TaskCreated'];
export type TasksUploaded = components['schemas']['TasksUploaded'];

/** A CSV file of tasks with a header row. */
export interface TaskUpload {
  /** May lie on a disk, as one of openAsBlob: it is streamed. */
  readonly csv: Blob;
  readonly fileName: string;
  /** The service is to validate only. */
  readonly dryRun: boolean;
}

const checkTaskCreated = checkedBy<TaskCreated>(serviceTaskCreated, { showTexts: false });
const checkTasksUploaded = checkedBy<TasksUploaded>(serviceTasksUploaded, { showTexts: false });

/** What a slow line carries, or a slow service takes in, in bytes a millisecond. */
const slowestRate = 100;

/** Done twice, it would call, write to or mail somebody twice. */
export function createTask(body: JsonObject): Call<TaskCreated> {
  return {
    operation: 'createTask',
    words: 'creating the task',
    method: 'POST',
    path: '/api/v2/tasks',
    body,
    repeatable: false,
    check: checkTaskCreated,
    isAnswerOpen: true,
  };
}

export function uploadTasks({ csv, fileName, dryRun }: TaskUpload): Call<TasksUploaded> {
  const form = new FormData();
  form.append('csv', csv.slice(0, csv.size, 'text/csv'), fileName);
  form.append('dryRun', String(dryRun));
  return {
    operation: 'uploadTasks',
    words: `${dryRun ? 'validating' : 'uploading'} the tasks of ${fileName}`,
    method: 'POST',
    path: '/api/v2/tasks/csv',
    body: form,
    repeatable: dryRun,
    check: checkTasksUploaded,
    isAnswerOpen: true,
    extraMs: Math.ceil(csv.size / slowestRate),
  };
}
