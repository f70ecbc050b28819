import { agentOperations } from './agent.ts';
import { agentUrlOperations } from './agent-url.ts';
import { contextOperations } from './context.ts';
import { conversationOperations } from './conversations.ts';
import { memberOperations } from './member.ts';
import type { Operation } from './operation.ts';
import { organizationOperations } from './organization.ts';
import { phoneNumberOperations } from './phone-number.ts';
import { taskOperations } from './tasks.ts';

/** Every operation that the emulator serves; one file per part of the service. */
export const operations: readonly Operation[] = [
  ...agentOperations,
  ...taskOperations,
  ...organizationOperations,
  ...memberOperations,
  ...contextOperations,
  ...agentUrlOperations,
  ...phoneNumberOperations,
  ...conversationOperations,
];
