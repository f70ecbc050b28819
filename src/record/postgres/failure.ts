import { AgentformError, errorCodeOf, reasonOf } from '../../errors.ts';
import { visibleLine } from '../../text/visible.ts';
import type { DatabaseAddress } from './address.ts';

/** The connection is gone, or never existed: the last statement may have been carried out. */
export class ConnectionLost extends AgentformError {}

/** The message of a failure. It contains no part of the URL, whatever the server quotes. */
export function failureOf(error: unknown, address: DatabaseAddress): AgentformError {
  const { variable, redact } = address;
  const state = sqlState(error);
  const subject = `the database of the records (${variable})`;
  if (state === undefined || isLoss(state)) {
    const lasting = lastingReason(error);
    if (lasting !== undefined)
      return new AgentformError('record-unreachable', `${subject} cannot be reached: ${lasting}`);
    return new ConnectionLost('record-unreachable', `${subject} cannot be reached: ${redact(networkReason(error))}`);
  }
  const said = redact(visibleLine(reasonOf(error)));
  if (state === '42501') {
    const remedy = 'grant the user the rights that docs/records.md lists';
    return new AgentformError('record-denied', `${subject} denies it: ${said}; ${remedy}`, { facts: { state } });
  }
  const why = refusals[state] ?? (state.startsWith('28') ? refusedLogin : `${said} (${state})`);
  return new AgentformError('record-unreachable', `${subject} refuses: ${why}`, { facts: { state } });
}

/** The meaning of a server's error code in the standard; undefined for connection errors. */
export function sqlState(error: unknown): string | undefined {
  const code = errorCodeOf(error);
  const isServers = typeof error === 'object' && error !== null && 'severity' in error;
  return isServers && code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The server ended the connection, or is about to start or to stop. */
function isLoss(state: string): boolean {
  return state.startsWith('08') || state.startsWith('57P');
}

const refusedLogin =
  'the user or the password in the URL is wrong, or the server lets that user in from elsewhere only';

const refusals: Readonly<Record<string, string>> = {
  '3D000': 'the database that the URL names does not exist',
  '25006': 'it is read-only, as a standby is; use the URL of the primary server',
  '53300': 'it has too many connections',
};

/** A permanent problem; undefined for a temporary one. */
function lastingReason(error: unknown): string | undefined {
  const code = errorCodeOf(error) ?? '';
  if (code === 'ENOTFOUND') return 'the name of its host is unknown';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another host name than the URL has';
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `its certificate cannot be verified (${code}); name a file with the certificate of its authority in NODE_EXTRA_CA_CERTS`;
  }
  if (!reasonOf(error).includes('does not support SSL')) return undefined;
  return 'it offers no TLS; turn TLS on there, or add ?sslmode=disable to the URL if the network can be trusted';
}

function networkReason(error: unknown): string {
  const message = visibleLine(reasonOf(error));
  const words = networkWords.get(errorCodeOf(error) ?? '');
  return words ?? (/timeout/i.test(message) ? late : message);
}

const late = 'it does not answer in time';

const networkWords: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was closed'],
  ['EAI_AGAIN', 'the name of its host cannot be looked up at the moment'],
  ['ETIMEDOUT', late],
  ['EHOSTUNREACH', 'there is no route to its host'],
  ['ENETUNREACH', 'there is no route to its network'],
]);
