// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * Rules of the team about manifests, changes and plans. A pattern under `manifests` must match the file. A Policy is not a resource.
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
   * The name of the policy, unique among the policies of the project.
   */
  name: string;
  /**
   * The resources that the policy applies to; everything if omitted. All members must match.
   */
  match?: {
    /**
     * The kinds of resources that the policy is about; every kind if omitted.
     *
     * @minItems 1
     */
    kinds?: [
      'Agent' | 'Organization' | 'Member' | 'AgentUrl' | 'PhoneNumber' | 'Context',
      ...('Agent' | 'Organization' | 'Member' | 'AgentUrl' | 'PhoneNumber' | 'Context')[]
    ];
    /**
     * Names of environments, or globs such as prod-*.
     *
     * @minItems 1
     * @maxItems 100
     */
    environments?: [string, ...string[]];
    /**
     * The names of resources that the policy is about, or globs such as us-*; every name if omitted.
     *
     * @minItems 1
     * @maxItems 1000
     */
    names?: [string, ...string[]];
    /**
     * A condition for the labels of a resource, as in `-l`.
     */
    selector?: string;
  };
  /**
   * The rules. Each has either `deny` or `warn`.
   *
   * @minItems 1
   * @maxItems 50
   *
   * Items: A rule: the condition that breaks it, and a message.
   */
  rules: [
    {
      /**
       * A CEL expression that is true if the rule is broken. A resource that breaks the rule is blocked. A plan that breaks it is refused.
       */
      deny?: string;
      /**
       * A CEL expression that is true if the rule is broken, which causes only a warning.
       */
      warn?: string;
      /**
       * One sentence for the author of the change.
       */
      message: string;
    },
    ...{
      /**
       * A CEL expression that is true if the rule is broken. A resource that breaks the rule is blocked. A plan that breaks it is refused.
       */
      deny?: string;
      /**
       * A CEL expression that is true if the rule is broken, which causes only a warning.
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
     * Name of the resource, or a glob.
     */
    name: string;
    /**
     * Kind of the resource; every kind if omitted.
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
