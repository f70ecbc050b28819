import { AgentformError } from '../errors.ts';

/** Why the emulator cannot do what its options, its data file or its control ask for; one sentence, never a token. */
export function emulatorError(message: string, cause?: unknown): AgentformError {
  return new AgentformError('emulator-unusable', message, cause === undefined ? {} : { cause });
}

/** A request that the service turns down: the status and the message of its answer. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}
