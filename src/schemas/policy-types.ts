// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * The team's rules for manifests, changes and plans. A pattern under `manifests` must match the file. A Policy is not a resource.
 */
export interface PolicyFile {
  /**
   * The version of this format.
   */
  apiVersion: 'agentform/v1';
  /**
   * The kind of file.
   */
  kind: 'Policy';
  /**
   * The name of the policy, unique among the project's policies.
   */
  name: string;
  /**
   * The resources that the policy applies to. A resource must match all these conditions. Defaults to all resources.
   */
  match?: {
    /**
     * The kinds that the policy applies to. Defaults to all kinds.
     *
     * @minItems 1
     */
    kinds?: [
      'Agent' | 'Organization' | 'Member' | 'AgentUrl' | 'PhoneNumber' | 'Context',
      ...('Agent' | 'Organization' | 'Member' | 'AgentUrl' | 'PhoneNumber' | 'Context')[]
    ];
    /**
     * The names of environments, or globs such as prod-*. Defaults to all environments.
     *
     * @minItems 1
     * @maxItems 100
     */
    environments?: [string, ...string[]];
    /**
     * The names of resources, or globs such as us-*. Defaults to all names.
     *
     * @minItems 1
     * @maxItems 1000
     */
    names?: [string, ...string[]];
    /**
     * A label selector, as in `-l`.
     */
    selector?: string;
  };
  /**
   * The rules. Each has either `deny` or `warn`.
   *
   * @minItems 1
   * @maxItems 50
   *
   * Items: A rule: a condition that is true if the rule is violated, and a message.
   */
  rules: [
    {
      /**
       * A CEL expression that is true if the rule is violated. A resource that violates the rule is blocked. A plan that violates the rule is refused.
       */
      deny?: string;
      /**
       * A CEL expression that is true if the rule is violated. The plan then shows a warning.
       */
      warn?: string;
      /**
       * One sentence for the author of the change.
       */
      message: string;
    },
    ...{
      /**
       * A CEL expression that is true if the rule is violated. A resource that violates the rule is blocked. A plan that violates the rule is refused.
       */
      deny?: string;
      /**
       * A CEL expression that is true if the rule is violated. The plan then shows a warning.
       */
      warn?: string;
      /**
       * One sentence for the author of the change.
       */
      message: string;
    }[]
  ];
  /**
   * Resources that are exempt from the policy.
   *
   * @maxItems 1000
   *
   * Items: One exception, with its reason.
   */
  exceptions?: {
    /**
     * The name of the resource, or a glob.
     */
    name: string;
    /**
     * The kind of the resource. Defaults to all kinds.
     */
    kind?: 'Agent' | 'Organization' | 'Member' | 'AgentUrl' | 'PhoneNumber' | 'Context';
    /**
     * Why the resource is exempt.
     */
    reason: string;
    /**
     * The day on which the exception ends, at 00:00 UTC, as YYYY-MM-DD. You get a warning in the week before.
     */
    until?: string;
  }[];
}
