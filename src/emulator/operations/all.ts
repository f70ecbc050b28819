import { agentOperations } from './agent.ts';
import type { Operation } from './operation.ts';

/** Every operation that the emulator serves; one file per part of the service. */
export const operations: readonly Operation[] = [...agentOperations];
