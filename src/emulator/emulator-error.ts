import { AgentformError } from '../errors.ts';

/** Why the emulator cannot do what its options, its data file or its control ask for; one sentence, never a token. */
export function emulatorError(message: string, cause?: unknown): AgentformError {
  return new AgentformError('emulator-unusable', message, cause === undefined ? {} : { cause });
}
