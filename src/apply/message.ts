import { AgentformError } from '../errors.ts';

/** The sentence of an expected failure. Anything else is a bug, and is not to be swallowed. */
export function messageOf(error: unknown): string {
  if (error instanceof AgentformError) return error.message;
  throw error;
}
