import { AgentformError } from '../errors.ts';

/** The error for invalid options, data files or control requests: one sentence, never with a token. */
export function emulatorError(message: string, cause?: unknown): AgentformError {
  return new AgentformError('emulator-unusable', message, cause === undefined ? {} : { cause });
}

/** A refused request, with the status and the message of its answer. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}
