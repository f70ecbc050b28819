import { AgentformError } from '../../../errors.ts';
import { type BatchLine, type LedgerLines, unclearBatches } from './ledger.ts';

/** Rows of the file, both ends included; the first row after the header is 1. */
export interface RowRange {
  readonly firstRow: number;
  readonly lastRow: number;
}

/** What the user found out about rows whose outcome was unclear; `all` decides the only range there is. */
export interface Assumed {
  readonly queued?: readonly RowRange[] | 'all' | undefined;
  readonly notQueued?: readonly RowRange[] | 'all' | undefined;
}

/** A batch whose outcome was unclear, as the user decided. */
export type Decision = BatchLine & { readonly state: 'done' | 'failed' };

interface Claim extends RowRange {
  readonly state: Decision['state'];
}

const flags = { done: '--assume-queued', failed: '--assume-not-queued' } as const;

/**
 * The batches that the user decided about. Throws unless every row that was named belongs to a batch whose outcome is
 * unclear, and every such batch is named whole and once: its rows went in one request, so that all of them were queued
 * or none. Without rows, an option decides only where a single batch is unclear. Two lost answers may differ.
 */
export function decisionsOf(ledger: Pick<LedgerLines, 'batches'>, assumed: Assumed): Decision[] {
  const unclear = unclearBatches(ledger);
  const claims = claimsOf(assumed, unclear);
  const decisions: Decision[] = [];
  let next = 0;
  for (const claim of claims) {
    while ((unclear[next]?.lastRow ?? Number.POSITIVE_INFINITY) < claim.firstRow) next += 1;
    for (let row = claim.firstRow; row <= claim.lastRow; next += 1) {
      const batch = unclear[next];
      if (batch === undefined || batch.firstRow > row) throw decidedAlready(claim, row, unclear);
      if (batch.firstRow < row || batch.lastRow > claim.lastRow) throw cutting(claim, batch);
      decisions.push({ ...batch, state: claim.state });
      row = batch.lastRow + 1;
    }
  }
  return decisions;
}

/** What was asked for, in the order of rows. */
function claimsOf({ queued, notQueued }: Assumed, unclear: readonly BatchLine[]): Claim[] {
  const asked = [
    { state: 'done', rows: queued },
    { state: 'failed', rows: notQueued },
  ] as const;
  const given = asked.filter(({ rows }) => rows !== undefined);
  if (given.length > 0 && unclear.length === 0) {
    const names = given.map(({ state }) => flags[state]).join(' and ');
    throw usage(
      `${names} ${given.length === 1 ? 'is' : 'are'} for rows whose outcome is unclear, and there are none; use --resume alone`,
    );
  }
  if (given.length > 1 && given.some(({ rows }) => rows === 'all')) {
    throw usage('--assume-queued and --assume-not-queued can be combined only if both name rows, such as 9-12,20');
  }
  const claims = given.flatMap(({ state, rows = [] }) =>
    (rows === 'all' ? onlyRange(state, unclear) : rows).map(({ firstRow, lastRow }) => ({ state, firstRow, lastRow })),
  );
  claims.sort((a, b) => a.firstRow - b.firstRow);
  const twice = claims.find((claim, index) => claim.firstRow <= (claims[index - 1]?.lastRow ?? 0));
  if (twice !== undefined)
    throw usage(`row ${twice.firstRow} is named twice, in ${optionText(twice)} and in an earlier range`);
  return claims;
}

function onlyRange(state: Decision['state'], unclear: readonly BatchLine[]): readonly BatchLine[] {
  if (unclear.length === 1) return unclear;
  throw new AgentformError(
    'upload-refused',
    `${flags[state]} without rows would decide ${unclear.length} requests at once, but some may have been queued and others not; check each on the service, and name its rows: ${listed(unclear)}`,
  );
}

function decidedAlready(claim: Claim, row: number, unclear: readonly BatchLine[]): AgentformError {
  return usage(
    `${optionText(claim)} names row ${row}, whose outcome is known; the rows with an unclear outcome are ${listed(unclear)}`,
  );
}

function cutting(claim: Claim, batch: BatchLine): AgentformError {
  return usage(
    `${optionText(claim)} names only some of the rows ${rangeText(batch)}, which were sent in one request; name all of them`,
  );
}

function optionText(claim: Claim): string {
  return `${flags[claim.state]} ${rangeText(claim)}`;
}

const mostListed = 20;

function listed(ranges: readonly RowRange[]): string {
  const more = ranges.length > mostListed ? ` and ${ranges.length - mostListed} more` : '';
  return `${ranges.slice(0, mostListed).map(rangeText).join(',')}${more}`;
}

/** As an option takes it: `7`, or `5-12`. */
export function rangeText({ firstRow, lastRow }: RowRange): string {
  return firstRow === lastRow ? String(firstRow) : `${firstRow}-${lastRow}`;
}

function usage(message: string): AgentformError {
  return new AgentformError('usage', message);
}
