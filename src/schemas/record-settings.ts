// Generated from schemas/ by `npm run generate`. Do not edit.
import type { ProjectFile } from './project-types.ts';

/** What holds where agentform.yaml says nothing of records. */
export const usualRecord: NonNullable<ProjectFile['record']> = { store: 'file' };

/** The names of all stores of records. */
export const recordStores: readonly string[] = ['file', 'git', 'postgres'];

/** The settings of `record` that go with one store only, and which. */
export const storeOfSetting: Readonly<Record<string, string>> = {
  branch: 'git',
  remote: 'git',
  url: 'postgres',
  schema: 'postgres',
};
