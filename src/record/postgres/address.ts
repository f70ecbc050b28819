import { AgentformError } from '../../errors.ts';
import { recordDefaults } from '../../schemas/record-settings.ts';
import { type Redact, redactor } from '../../secrets/redact.ts';
import { isAllowed, isLoopback, referredSecret, Secret } from '../../secrets/secret.ts';
import { secretValue } from '../../secrets/secret-values.ts';
import { joinWithOr } from '../../text/wording.ts';
import type { RecordSettings, StoreContext } from '../store.ts';

/** Returns the settings of the Postgres store, including defaults. */
export function databaseSettings(record: RecordSettings): { readonly url: string; readonly schema: string } {
  const { url = '', schema = recordDefaults.schema } = record;
  return { url, schema };
}

/** The data for a connection to the database. Messages may show only `variable`. */
export interface DatabaseAddress {
  /** The process variable that contains the URL. Messages name the database by this variable. */
  readonly variable: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret | undefined;
  readonly database: string;
  /** Whether the connection is encrypted and the server's certificate is verified. */
  readonly tls: boolean;
  /** Session options such as `-c search_path=x`, which some hosting providers add to URLs. */
  readonly options: string | undefined;
  /** Texts that all output must hide. */
  readonly secrets: readonly Secret[];
  /** Removes the URL, the password, and a distinctive host or user from a text. */
  readonly redact: Redact;
}

/**
 * Parses the URL that `record.url` refers to. Throws `project-invalid` if `record.url` is not set, `secret-unset` if its
 * secret is not set or not allowed, and `record-unreachable` for an invalid URL.
 */
export function databaseAddress({ record, env, allowedSecrets }: Omit<StoreContext, 'root'>): DatabaseAddress {
  const variable = referredSecret(databaseSettings(record).url);
  if (variable === undefined) throw new AgentformError('project-invalid', 'record.url is not set in agentform.yaml');
  if (allowedSecrets !== undefined && !isAllowed(allowedSecrets, variable)) {
    const why = `record.url may not use the secret ${variable}, because ${allowedSecrets.from} does not name it`;
    throw new AgentformError('secret-unset', why);
  }
  const url = secretValue(env, variable);
  if (!url) {
    const why = `record.url needs the process variable ${variable}, which is not set, so the records cannot be read`;
    throw new AgentformError('secret-unset', why);
  }
  return parseDatabaseAddress(url.trim(), variable);
}

const example = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';

function parseDatabaseAddress(text: string, variable: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol))
    throw unusable(variable, `it must have the form ${example}`);
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map((part) =>
    decoded(part, variable),
  );
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!host || !user || !database) throw unusable(variable, `it lacks a user, a host or a database; write ${example}`);
  const { tls = host !== '::1' && !isLoopback(host), options } = parameters(url, variable);
  const secrets = [text, password].filter((part): part is string => !!part).map((part) => new Secret(part));
  // Short host and user names occur in ordinary words, so they are not redacted.
  const named = [host, user].filter((part) => part.length > 3);
  return {
    variable,
    host,
    port: Number(url.port || 5432),
    user,
    password: password ? new Secret(password) : undefined,
    database,
    tls,
    options,
    secrets,
    redact: redactor([...secrets, ...named]),
  };
}

function decoded(part: string, variable: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw unusable(variable, 'part of it is not valid percent-encoding');
  }
}

/** Parses the libpq parameters that hosting providers add to URLs. */
function parameters(url: URL, variable: string): { readonly tls?: boolean; readonly options?: string } {
  let found: { tls?: boolean; options?: string } = {};
  for (const [name, value] of url.searchParams) {
    if (name === 'options') found = { ...found, options: value };
    else if (name === 'sslmode') found = { ...found, tls: modeOf(value, variable) };
    else if (!ignored.has(name)) throw unusable(variable, `it has the unsupported parameter ${shownParameter(name)}`);
  }
  return found;
}

/** Parameters that can be ignored, because they have no effect or agentform already does more than they require. */
const ignored: ReadonlySet<string> = new Set(['channel_binding', 'application_name', 'connect_timeout']);
const verified = ['require', 'verify-ca', 'verify-full'];

/**
 * Parses `sslmode`. With `require`, also verifies the server, because encryption alone does not protect against a wrong
 * server.
 */
function modeOf(value: string, variable: string): boolean {
  if (value === 'disable') return false;
  if (verified.includes(value)) return true;
  throw unusable(variable, `its sslmode is not supported: expected ${joinWithOr([...verified, 'disable'])}`);
}

/**
 * Returns the name of a parameter as messages show it. An unusual name is hidden, because it may be part of a password.
 */
function shownParameter(name: string): string {
  return /^[a-z_]{1,30}$/.test(name) ? name : '(a name that cannot be shown)';
}

function unusable(variable: string, why: string): AgentformError {
  return new AgentformError('record-unreachable', `the URL in ${variable} cannot be used: ${why}`);
}
