import { AgentformError, exitCodes } from '../errors.ts';
import { foundBy } from '../report/failure-text.ts';

/** The values of the output `failure-reason`, and what each means. */
export const failureReasons = {
  invalid: 'The inputs, agentform.yaml or the manifests have errors.',
  'secret-unset': 'A secret that a manifest needs has no value.',
  'host-not-allowed': 'A token would go to a host that is not one of those it may be sent to.',
  'changes-pending': 'Changes are pending, and the input fail-on-changes is true.',
  drift: 'Something moved on the service, and the input fail-on-changes is true.',
  'not-approved': 'What would be written is not what the comment on the pull request shows.',
  conflict: 'A setting changed both in a manifest and on the service.',
  stale: 'An agent moved on the service between the plan and the write.',
  blocked: 'Nothing safe can be done about an agent until somebody decides.',
  refused: 'A guard refuses the whole run.',
  failed: 'A read or a write failed.',
  interrupted: 'The run was cancelled.',
  internal: 'This is a bug in agentform.',
} as const;

export type FailureReason = keyof typeof failureReasons;

const byCode: Readonly<Record<string, FailureReason>> = {
  usage: 'invalid',
  'project-invalid': 'invalid',
  'manifests-invalid': 'invalid',
  'environment-unknown': 'invalid',
  'selection-empty': 'invalid',
  'emulator-unusable': 'invalid',
  'secret-unset': 'secret-unset',
  'host-not-allowed': 'host-not-allowed',
  'plan-not-approved': 'not-approved',
  interrupted: 'interrupted',
};

/** What an error comes to; a problem of a manifest counts as an unset secret if it is nothing else. */
export function reasonOfError(error: unknown): FailureReason {
  if (!(error instanceof AgentformError)) return 'internal';
  const errors = (foundBy(error)?.problems ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0 && errors.every(({ rule }) => rule === 'secret-unset')) return 'secret-unset';
  return byCode[error.code] ?? (error.exitCode === exitCodes.refused ? 'refused' : 'failed');
}
