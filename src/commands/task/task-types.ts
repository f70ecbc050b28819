import type { components } from '../../schemas/service-types.ts';

export type TaskType = components['schemas']['TaskBody']['type'];

/** The types of tasks. They are in a small file, so that `--help` does not load the checks. */
export const taskTypes: readonly TaskType[] = ['call', 'text', 'email', 'ping'];

export function isTaskType(text: string): text is TaskType {
  return taskTypes.some((type) => type === text);
}
