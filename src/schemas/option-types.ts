// Generated from the options of the command line by `npm run generate`. Do not edit.

/** Options that select resources. */
export interface SelectionOptions {
  /** Resources to select, by name, Kind/name or glob (default: all). */
  readonly names?: readonly string[] | undefined;
  /** Select by labels, as kubectl does: 'ring=canary,country!=us', 'ring in (a,b)', '!ring'. */
  readonly selector?: string | undefined;
  /** Leave out these resources, by name, Kind/name or glob. */
  readonly exclude?: readonly string[] | undefined;
}

/** The option that limits concurrency. */
export interface ConcurrencyOptions {
  /** Maximum number of resources and requests at a time; 16 by default. */
  readonly concurrency?: number | undefined;
}

/** The option that selects resources by commit. */
export interface SinceOptions {
  /** Select only resources whose manifests changed since this commit. */
  readonly changedSince?: string | undefined;
}

/** Options that make decisions for a run. */
export interface DecisionOptions {
  /** Apply even if a resource was last applied from a newer or unknown commit, or its record is outdated. */
  readonly allowOlder?: boolean | undefined;
  /** Maximum number of resources to create; overrides limits.creates in agentform.yaml. */
  readonly allowCreates?: number | undefined;
  /** Apply even if a policy denies a change; the result and the records name the policies. */
  readonly skipPolicies?: boolean | undefined;
  /** Apply even if a case of a required Test fails; the result and the records name the Tests. */
  readonly skipTests?: boolean | undefined;
  /** Skip the `requires` check; the result and the records name what was skipped. */
  readonly skipRequires?: boolean | undefined;
  /** Apply all rollout steps without waiting; the result and the records name the skipped steps. */
  readonly skipRollout?: boolean | undefined;
  /** Resolve this resource's conflicts by applying the manifest; a name, Kind/name or glob. */
  readonly overwrite?: readonly string[] | undefined;
  /** Create these agents in accounts that have none: a name, Kind/name, glob or 'all'. */
  readonly new?: readonly string[] | undefined;
}

/** Options that set the fields of a task. */
export interface TaskFields {
  /** Type of the task: call, text, email or ping. */
  readonly type?: string | undefined;
  /** Recipient: an E.164 number for a call or text, or an address for an email. */
  readonly target?: string | undefined;
  /** For an email: the subject. */
  readonly subject?: string | undefined;
  /** For an email: the body, which can be raw HTML. */
  readonly message?: string | undefined;
  /** For an email: a file with the body, such as an HTML page. */
  readonly messageFile?: string | undefined;
  /** Context for the task. */
  readonly context?: string | undefined;
  /** File with the context. */
  readonly contextFile?: string | undefined;
  /** Greeting for the task. */
  readonly greeting?: string | undefined;
  /** Time: "2026-12-01 09:00 Europe/Berlin", ISO 8601 with an offset, or seconds since 1970. */
  readonly at?: string | undefined;
  /** For a call: the number to connect to after the target answers. */
  readonly bridgeTo?: string | undefined;
  /** For an email: a file to attach; can be repeated. */
  readonly attach?: readonly string[] | undefined;
  /** Wait before the greeting. */
  readonly waitToGreet?: boolean | undefined;
  /** Account to create the task for. */
  readonly accountId?: number | undefined;
  /** For a call: keep monitoring the bridged call. */
  readonly bridgeMonitor?: boolean | undefined;
}
