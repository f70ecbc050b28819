import type { RecordSettings } from '../store.ts';

/** The settings of the store, with what applies where agentform.yaml says nothing. */
export function databaseSettings(record: RecordSettings): { readonly url: string; readonly schema: string } {
  const { url = '', schema = 'agentform' } = record;
  return { url, schema };
}
