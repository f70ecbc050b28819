import type { ImportEntry } from '../apply/import-ledger.ts';
import { AgentformError } from '../errors.ts';
import type { ImportRow } from '../manifest/index.ts';
import { ProblemsError } from '../manifest/problems-error.ts';

/** The failure of one of many is an entry; that of a single one is the failure of the run. */
export async function attempt(
  { id, name }: Pick<ImportRow, 'id' | 'name'>,
  { isList }: { readonly isList: boolean },
  work: () => Promise<Omit<ImportEntry, 'kind' | 'id' | 'name'>>,
): Promise<ImportEntry> {
  try {
    return { kind: 'Agent', id, name, ...(await work()) };
  } catch (error) {
    if (!isList || !(error instanceof AgentformError)) throw error;
    return { kind: 'Agent', id, name, outcome: 'failed', message: messageOf(error) };
  }
}

function messageOf(error: AgentformError): string {
  if (!(error instanceof ProblemsError)) return error.message;
  const [first] = error.problems;
  return first === undefined ? error.message : `the manifest would not be valid: ${first.message}`;
}
