import { AgentformError } from '../errors.ts';

/** Returns an error about invalid options, a data file or a control request. The message contains no token. */
export function emulatorError(message: string, cause?: unknown): AgentformError {
  return new AgentformError('emulator-unusable', message, cause === undefined ? {} : { cause });
}

export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}
