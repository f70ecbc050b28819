/** The options of `record forget` that select records. `--exclude` only narrows a selection. */
export interface ForgetSelection {
  readonly names: readonly string[];
  readonly selector?: string | undefined;
  /** Whether to select only records of creates whose outcome is unknown. */
  readonly unclear?: boolean | undefined;
}

/**
 * Whether no option selects records. On the command line and in the action, `record forget` then deletes all records of
 * an environment that is no longer in agentform.yaml.
 */
export function selectsNothing({ names, selector, unclear }: ForgetSelection): boolean {
  return names.length === 0 && selector === undefined && !unclear;
}
