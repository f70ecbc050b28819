import { describe, expect, test } from '@jest/globals';
import { databaseAddress } from '../../../src/record/postgres/address.ts';
import { ConnectionLost, databaseError, sqlState } from '../../../src/record/postgres/database.ts';

const address = databaseAddress({
  record: { store: 'postgres', url: '${secret.RECORDS_URL}' },
  env: { RECORDS_URL: 'postgres://someone:hunter22@db.example.com/d' },
});

/** An error as the client throws it for a message of the server. */
const fromServer = (code: string, message = 'said someone') =>
  Object.assign(new Error(message), { severity: 'ERROR', code });
/** An error as sockets and TLS throw it. */
const fromSocket = (code: string | undefined, message = 'it broke at db.example.com') =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

const subject = 'the record database (RECORDS_URL)';

describe('refusals of the database server', () => {
  test.each([
    [
      '28P01',
      'the user or the password in the URL is wrong, or the server does not accept that user from this machine',
    ],
    [
      '28000',
      'the user or the password in the URL is wrong, or the server does not accept that user from this machine',
    ],
    ['3D000', 'the database that the URL names does not exist'],
    ['25006', 'it is read-only, perhaps because it is a standby; use the URL of the primary server'],
    ['53300', 'it has too many connections'],
    ['42P01', 'one of its tables is missing; restore the tables from a backup'],
    ['55P03', 'another session locked its tables for more than 30 seconds; run the command again'],
    ['42601', 'said (sensitive) (42601)'],
  ])('A refusal with the state %s is not a lost connection, and names its remedy.', (state, why) => {
    const failure = databaseError(fromServer(state), address);
    expect(failure).not.toBeInstanceOf(ConnectionLost);
    expect(failure).toMatchObject({
      code: 'record-unreachable',
      message: `${subject} refused the request: ${why}`,
      facts: { state },
    });
  });

  test('A refusal for lack of rights names the docs that list them.', () => {
    expect(databaseError(fromServer('42501', 'permission denied\nfor someone'), address)).toMatchObject({
      code: 'record-denied',
      message: `${subject} denied the request: permission denied for (sensitive); grant the user the rights that docs/records.md lists`,
      facts: { state: '42501' },
    });
  });
});

describe('lost database connections', () => {
  test.each(['08006', '08P01', '57P01', '57P03'])('A connection is lost if the server reports %s.', (state) => {
    const failure = databaseError(fromServer(state, 'going down'), address);
    expect(failure).toBeInstanceOf(ConnectionLost);
    expect(failure).toMatchObject({ code: 'record-unreachable', message: `${subject} cannot be reached: going down` });
  });

  test.each([
    ['ECONNREFUSED', 'the connection was refused'],
    ['ECONNRESET', 'the connection was reset'],
    ['EPIPE', 'the connection was closed'],
    ['EAI_AGAIN', 'its host name could not be resolved; try again'],
    ['ETIMEDOUT', 'it did not respond in time'],
    ['EHOSTUNREACH', 'there is no route to its host'],
    ['ENETUNREACH', 'there is no route to its network'],
    ['EOTHER', 'it broke at (sensitive)'],
    [undefined, 'it broke at (sensitive)'],
  ])('A connection is lost by %s: %s', (code, why) => {
    const failure = databaseError(fromSocket(code), address);
    expect(failure).toBeInstanceOf(ConnectionLost);
    expect(failure).toMatchObject({ code: 'record-unreachable', message: `${subject} cannot be reached: ${why}` });
  });

  test('A connection is lost if the client timed out.', () => {
    const failure = databaseError(fromSocket(undefined, 'Connection terminated due to connection Timeout'), address);
    expect(failure.message).toBe(`${subject} cannot be reached: it did not respond in time`);
  });
});

describe('permanent database errors', () => {
  test.each([
    ['ENOTFOUND', 'x', 'its host name is unknown'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'x', 'its certificate is for a different host name than the one in the URL'],
    [
      undefined,
      'The server does not support SSL connections',
      'it does not offer TLS; turn TLS on, or add ?sslmode=disable to the URL if the network can be trusted',
    ],
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_X'].map((code) => [
      code,
      'x',
      `its certificate cannot be verified (${code}); set NODE_EXTRA_CA_CERTS to a file with the authority's certificate`,
    ]),
  ])('A permanent error is not repeated: %s, %s', (code, message, why) => {
    const failure = databaseError(fromSocket(code, message), address);
    expect(failure).not.toBeInstanceOf(ConnectionLost);
    expect(failure).toMatchObject({ code: 'record-unreachable', message: `${subject} cannot be reached: ${why}` });
  });
});

test('Only an error of the server has a state.', () => {
  expect(sqlState(fromServer('42P01'))).toBe('42P01');
  for (const error of [fromSocket('42P01'), fromServer('x42P01'), fromServer('42P011'), fromServer('42p01')]) {
    expect(sqlState(error)).toBeUndefined();
  }
  for (const thrown of ['42P01', null, undefined, { severity: 'ERROR' }]) expect(sqlState(thrown)).toBeUndefined();
});
