import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { reasonOf } from '../../errors.ts';
import { cached, isJsonObject } from '../../json/json.ts';
import { decodeText } from '../../text/encoding.ts';
import { emulatorError, Refusal } from '../errors.ts';
import { queryParameter } from '../request.ts';

export interface DeclaredAccount {
  readonly id: string;
  readonly token: string;
  /** Whether the account has access to its child accounts. */
  readonly reseller?: boolean;
  /** The id of the account's reseller. */
  readonly parent?: string;
  /** The id of an agent without settings that the account has when the emulator starts. */
  readonly agentId?: string;
}

/** An account as operations see it, without its token. */
export interface Account {
  readonly id: string;
  readonly reseller: boolean;
  readonly parent: string | null;
}

export interface Accounts {
  ofToken(token: string): Account | undefined;
  /** Finds the account's child with this `targetAccountId`. */
  childOf(account: Account, targetAccountId: string): Account | undefined;
  /** Whether the caller may act as the given reseller. */
  isReseller(caller: Account, resellerId: string): boolean;
  /**
   * Creates a child account. The reseller addresses the child account with `targetAccountId=ID`. Returns undefined if
   * the id is taken.
   */
  addChild(reseller: Account, id: string): Account | undefined;
  list(): readonly Account[];
}

/** The account to which the token belongs, and the account on which the operation acts. */
interface RequestAccounts {
  readonly caller: Account;
  readonly account: Account;
}

/**
 * Finds the sender of a request by its `token`, and the account on which the operation acts by `targetAccountId`.
 * Throws a Refusal: 400 for an empty `targetAccountId` or a repeated parameter, 401 for a missing or unknown token, and
 * 403 for an inaccessible account.
 */
export function requestAccountsOf(accounts: Accounts, query: unknown): RequestAccounts {
  const token = queryParameter(query, 'token');
  if (!token) throw new Refusal(401, 'the query parameter token is missing');
  const caller = accounts.ofToken(token);
  if (!caller) throw new Refusal(401, 'the token is unknown');
  const target = queryParameter(query, 'targetAccountId');
  const isOwn = target === undefined || target === caller.id;
  return { caller, account: isOwn ? caller : childAccount(accounts, caller, target) };
}

function childAccount(accounts: Accounts, caller: Account, target: string): Account {
  if (target === '') throw new Refusal(400, 'the query parameter targetAccountId is empty');
  if (!caller.reseller) throw new Refusal(403, 'targetAccountId needs a reseller token');
  const child = accounts.childOf(caller, target);
  if (!child) throw new Refusal(403, `account ${target} is not a child of account ${caller.id}`);
  return child;
}

const openId = /^(acct_[0-9a-f]{12})(?:\/.+)?$/;

/**
 * Returns the accounts of an emulator that was started without declared accounts. Every token belongs to a separate
 * reseller, and a child exists as soon as a request names it. Ids are derived from tokens, so they stay the same after
 * a restart. `known` contains the ids of the accounts that have stored data.
 */
export function openAccounts(known: readonly string[]): Accounts {
  const seen = new Map<string, Account>();
  const meet = (id: string): Account => {
    const parent = openId.exec(id)?.[1] ?? id;
    return cached(seen, id, () => ({ id, reseller: parent === id, parent: parent === id ? null : parent }));
  };
  for (const id of known) meet(id);
  return {
    ofToken: (token) => meet(`acct_${shortHash(token)}`),
    childOf: (account, target) => meet(`${account.id}/${target}`),
    isReseller: () => true,
    addChild: ({ id: parent }, id) => (seen.has(`${parent}/${id}`) ? undefined : meet(`${parent}/${id}`)),
    list: () => [...seen.values()],
  };
}

/**
 * Returns the declared accounts, and the accounts created later (`created`, from the data file). Throws if declarations
 * contradict each other or the created accounts.
 */
export function declaredAccounts(declared: readonly DeclaredAccount[], created: readonly Account[] = []): Accounts {
  checkDeclarations(declared);
  for (const { id } of created) checkUndeclared(id, declared);
  const byToken = new Map(declared.map((account) => [account.token, toAccount(account)]));
  const byId = new Map([...byToken.values(), ...created].map((account) => [account.id, account]));
  return {
    ofToken: (token) => byToken.get(token),
    childOf: (account, target) => {
      const child = byId.get(target);
      return child?.parent === account.id ? child : undefined;
    },
    isReseller: (caller, resellerId) => caller.id === resellerId,
    addChild: ({ id: parent }, id) => {
      if (byId.has(id)) return undefined;
      const child = { id, reseller: false, parent };
      byId.set(id, child);
      return child;
    },
    list: () => [...byId.values()],
  };
}

function toAccount({ id, reseller = false, parent = null }: Pick<Account, 'id'> & Partial<Account>): Account {
  return { id, reseller, parent };
}

/** Returns the accounts, or throws an error with the number of the first account that has a wrong form. */
function accountsIn(values: readonly unknown[], path?: string): DeclaredAccount[] {
  return values.map((value, index) => {
    if (isAccount(value)) return value;
    const name = path === undefined ? `emulator account ${index + 1}` : `account ${index + 1} in ${path}`;
    throw emulatorError(
      `${name} is invalid: id, token, parent and agentId must be strings, and reseller true or false; only id and token are required`,
    );
  });
}

function checkDeclarations(given: readonly DeclaredAccount[]): void {
  const declared = accountsIn(given);
  const ids = new Set<string>();
  const tokens = new Set<string>();
  for (const { id, token } of declared) {
    if (id === '' || token === '') throw emulatorError('an emulator account needs an id and a token');
    if (ids.has(id)) throw emulatorError(`the emulator account ${id} is declared twice`);
    if (tokens.has(token)) throw emulatorError(`the emulator account ${id} has the token of another account`);
    ids.add(id);
    tokens.add(token);
  }
  for (const account of declared) checkParent(account, declared);
}

function checkUndeclared(id: string, declared: readonly DeclaredAccount[]): void {
  if (declared.every((account) => account.id !== id)) return;
  throw emulatorError(
    `the emulator account ${id} has the id of an organization in the data file; give the account a different id`,
  );
}

function checkParent({ id, parent }: DeclaredAccount, declared: readonly DeclaredAccount[]): void {
  if (parent === undefined) return;
  const reseller = declared.find((account) => account.id === parent);
  if (!reseller) throw emulatorError(`the emulator account ${id} has the parent ${parent}, which is not declared`);
  if (!reseller.reseller)
    throw emulatorError(
      `the emulator account ${id} has the parent ${parent}, which is not a reseller; set "reseller": true there`,
    );
}

/** Reads the emulator's accounts from a JSON file: a list of DeclaredAccount. */
export async function readAccounts(path: string): Promise<DeclaredAccount[]> {
  const value = await parsedFile(path);
  if (!Array.isArray(value)) throw emulatorError(`the accounts file ${path} must be a list of accounts`);
  return accountsIn(value, path);
}

async function parsedFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(decodeText(await readFile(path)));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error);
    throw emulatorError(`the accounts file ${path} cannot be read: ${why}`);
  }
}

function isAccount(value: unknown): value is DeclaredAccount {
  if (!isJsonObject(value)) return false;
  const { id, token, reseller, parent, agentId } = value;
  const optional = [
    reseller === undefined || typeof reseller === 'boolean',
    parent === undefined || typeof parent === 'string',
    agentId === undefined || typeof agentId === 'string',
  ];
  return typeof id === 'string' && typeof token === 'string' && optional.every(Boolean);
}

/** Returns the SHA-256 hash of a text, shortened to twelve hexadecimal digits. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
