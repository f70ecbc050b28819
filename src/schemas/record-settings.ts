// Generated from schemas/ by `npm run generate`. Do not edit.
import type { ProjectFile } from './project-types.ts';

/** The default of `record` in agentform.yaml. */
export const usualRecord: NonNullable<ProjectFile['record']> = { store: 'file' };

/** The names of all record stores. */
export const recordStores: readonly string[] = ['file', 'git', 'postgres'];

/** The defaults of the settings of `record`. */
export const recordDefaults = {
  branch: 'agentform-records',
  remote: 'origin',
  schema: 'agentform',
} as const;

/** The only store to which each setting of `record` belongs. */
export const storeOfSetting: Readonly<Record<string, string>> = {
  branch: 'git',
  remote: 'git',
  url: 'postgres',
  schema: 'postgres',
};
