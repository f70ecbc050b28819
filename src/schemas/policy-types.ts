// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * Rules of the team: what manifests, changes and plans must not be. It lies under `manifests` and is no resource.
 */
export interface PolicyFile {
  /**
   * The version of this format.
   */
  apiVersion: 'agentform/v1';
  /**
   * What the file is.
   */
  kind: 'Policy';
  /**
   * The name of the policy, unique among the policies of the project.
   */
  name: string;
  /**
   * What the policy is about; everything if left out. All members must fit.
   */
  match?: {
    /**
     * Kinds of resources.
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
     * Names of resources, or globs such as us-*.
     *
     * @minItems 1
     * @maxItems 1000
     */
    names?: [string, ...string[]];
    /**
     * What the labels of a resource have to meet, as in `-l`.
     */
    selector?: string;
  };
  /**
   * What must not be. Each rule has either `deny` or `warn`.
   *
   * @minItems 1
   * @maxItems 50
   *
   * Items: A rule: when it is broken, and what to say then.
   */
  rules: [
    {
      /**
       * A CEL expression that is true if the rule is broken. A resource that breaks it is blocked; a plan that breaks it is refused.
       */
      deny?: string;
      /**
       * A CEL expression that is true if the rule is broken, which is only said.
       */
      warn?: string;
      /**
       * One sentence for whoever breaks the rule.
       */
      message: string;
    },
    ...{
      /**
       * A CEL expression that is true if the rule is broken. A resource that breaks it is blocked; a plan that breaks it is refused.
       */
      deny?: string;
      /**
       * A CEL expression that is true if the rule is broken, which is only said.
       */
      warn?: string;
      /**
       * One sentence for whoever breaks the rule.
       */
      message: string;
    }[]
  ];
  /**
   * Resources that the policy does not hold for.
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
     * Kind of the resource; every kind if left out.
     */
    kind?: 'Agent' | 'Organization' | 'Member' | 'AgentUrl' | 'PhoneNumber' | 'Context';
    /**
     * Why.
     */
    reason: string;
    /**
     * The day on which the exception ends, at 00:00 UTC, as YYYY-MM-DD. A warning says so in the week before.
     */
    until?: string;
  }[];
}
