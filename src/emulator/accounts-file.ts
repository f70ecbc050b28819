import { readFile } from 'node:fs/promises';
import { reasonOf } from '../errors.ts';
import { isJsonObject } from '../kinds/json.ts';
import type { DeclaredAccount } from './accounts.ts';
import { emulatorError } from './emulator-error.ts';

/** Reads the accounts that the emulator is to know from a JSON file: a list of DeclaredAccount. */
export async function readAccounts(path: string): Promise<DeclaredAccount[]> {
  const value = await parsedFile(path);
  if (Array.isArray(value) && value.every(isAccount)) return value;
  throw emulatorError(`the accounts file ${path} is not a list of { id, token, reseller, parent, agentId }`);
}

async function parsedFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
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
