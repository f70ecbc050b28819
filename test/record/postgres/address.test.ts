import { describe, expect, test } from '@jest/globals';
import { databaseAddress } from '../../../src/record/postgres/address.ts';

const record = { store: 'postgres', url: '${secret.RECORDS_URL}' } as const;
const addressOf = (url: string | undefined) => databaseAddress({ record, env: { RECORDS_URL: url } });

function refusalOf(url: string): unknown {
  try {
    return addressOf(url);
  } catch (error) {
    return error;
  }
}

describe('the database URL', () => {
  test('The database URL is parsed with percent-encoded parts and an optional port.', () => {
    const { password, ...address } = addressOf(' postgresql://us%40er:p%2Fw%25@db.example.com/re%20cords ');
    expect(address).toMatchObject({
      host: 'db.example.com',
      port: 5432,
      user: 'us@er',
      database: 're cords',
      tls: true,
      options: undefined,
    });
    expect(password?.reveal()).toBe('p/w%');
  });

  test.each<[string, boolean]>([
    ['db.example.com', true],
    ['10.0.0.7:6000', true],
    ['localhost.example.com', true],
    ['[2001:db8::1]', true],
    ['localhost', false],
    ['127.0.0.1:6000', false],
    ['127.10.200.255', false],
    ['[::1]', false],
    ['127.0.0.1.example.com', true],
    ['x127.0.0.1', true],
  ])('The database URL at %s uses verified TLS unless it is this machine: %s', (host, tls) => {
    expect(addressOf(`postgres://u:p@${host}/d`).tls).toBe(tls);
  });

  test.each<[string, boolean]>([
    ['sslmode=disable', false],
    ['sslmode=require&channel_binding=require', true],
    ['sslmode=verify-ca', true],
    ['sslmode=verify-full&application_name=x&connect_timeout=3', true],
  ])('The database URL with %s uses verified TLS: %s', (parameters, tls) => {
    for (const host of ['db.example.com', 'localhost']) {
      expect(addressOf(`postgres://u:p@${host}/d?${parameters}`).tls).toBe(tls);
    }
  });

  test('The database URL keeps the options that hosting services need.', () => {
    expect(addressOf('postgres://u:p@h/d?options=endpoint%3Dep-1').options).toBe('endpoint=ep-1');
  });

  test.each<[string, RegExp]>([
    ['tok-hunter2', /it must have the form postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE$/],
    ['https://u:hunter2@host/d', /it must have the form postgres:/],
    ['xpostgres://u:hunter2@host/d', /it must have the form postgres:/],
    ['postgresx://u:hunter2@host/d', /it must have the form postgres:/],
    ['postgres://u:hunter2@host:99999/d', /it must have the form postgres:/],
    ['postgres://u:hunter2@host', /it lacks a user, a host or a database/],
    ['postgres://host/d?x', /it lacks a user, a host or a database/],
    ['postgres://u:hunter2@/d', /it must have the form postgres:/],
    ['postgres://host/d', /it lacks a user, a host or a database/],
    ['postgres:///d?host=/run/hunter2', /it lacks a user, a host or a database/],
    ['postgres://u:hunter2%@host/d', /part of it is not valid percent-encoding/],
    ['postgres://u:p@host/d?sslmode=no-verify', /expected require, verify-ca, verify-full or disable/],
    ['postgres://u:p@host/d?sslcert=hunter2', /has the unsupported parameter sslcert$/],
    [`postgres://u:p@host/d?1hunter2`, /has the unsupported parameter \(a name that cannot be shown\)$/],
    [`postgres://u:p@host/d?hunter2`, /has the unsupported parameter \(a name that cannot be shown\)$/],
    ['postgres://u:p@host/d?Hunter2', /has the unsupported parameter \(a name that cannot be shown\)$/],
  ])('The database URL %s is refused without being repeated.', (url, message) => {
    const error = refusalOf(url);
    expect(error).toMatchObject({ code: 'record-unreachable', message: expect.stringMatching(message) });
    expect(String(error)).toContain('the URL in RECORDS_URL cannot be used');
    expect(String(error)).not.toMatch(/hunter2/i);
  });

  test.each([undefined, ''])('The error for the database URL %p only names its variable.', (url) => {
    expect(() => addressOf(url)).toThrow(
      expect.objectContaining({ code: 'secret-unset', message: expect.stringMatching(/process variable RECORDS_URL/) }),
    );
  });

  test('The database URL is refused if agentform.yaml names no secret for it.', () => {
    expect(() => databaseAddress({ record: { store: 'postgres' }, env: {} })).toThrow(
      expect.objectContaining({ code: 'project-invalid', message: 'record.url is not set in agentform.yaml' }),
    );
  });

  test('The database URL is only read from a variable that may be used as a secret.', () => {
    const allowedSecrets = { names: new Set(['AGENT_TOKEN']), from: 'AGENTFORM_SECRETS' };
    expect(() => databaseAddress({ record, env: { RECORDS_URL: 'postgres://u:p@h/d' }, allowedSecrets })).toThrow(
      expect.objectContaining({
        code: 'secret-unset',
        message: expect.stringMatching(
          /may not use the secret RECORDS_URL, because AGENTFORM_SECRETS does not name it/,
        ),
      }),
    );
  });

  test('The database URL is hidden as a whole, and so is its password.', () => {
    const url = 'postgres://someone:p%40ss-word@db.example.com/d';
    const { secrets, redact } = addressOf(url);
    expect(secrets.map((secret) => secret.reveal())).toEqual([url, 'p@ss-word']);
    expect(redact(`${url} someone p@ss-word at db.example.com`)).toBe(
      '(sensitive) (sensitive) (sensitive) at (sensitive)',
    );
  });

  test('The database URL without a password hides no short host or user.', () => {
    const url = 'postgres://bob@dbx/d';
    const { password, secrets, redact } = addressOf(url);
    expect(password).toBeUndefined();
    expect(secrets.map((secret) => secret.reveal())).toEqual([url]);
    expect(redact('bob at dbx, abcd')).toBe('bob at dbx, abcd');
    expect(addressOf('postgres://mary@host/d').redact('mary at host')).toBe('(sensitive) at (sensitive)');
  });

  test('The database URL may have white space around it, which is removed.', () => {
    expect(addressOf(' postgres://u:p@h/d ').secrets.map((secret) => secret.reveal())).toEqual([
      'postgres://u:p@h/d',
      'p',
    ]);
  });
});
