import { AgentformError } from '../errors.ts';

/** The sentence of an expected failure. Anything else is a bug, and is not to be swallowed. */
export function messageOf(error: unknown): string {
  if (error instanceof AgentformError) return error.message;
  throw error;
}

/** A bug of ours in one resource is not to take the ledger of the others with it. */
export function bugMessage(error: unknown): string {
  const stack = error instanceof Error ? error.stack : String(error);
  return `this is a bug in agentform; please report it: ${stack}`;
}
