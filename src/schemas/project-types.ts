// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * agentform.yaml: the manifests and environments of the project.
 */
export interface ProjectFile {
  /**
   * The version of this format.
   */
  apiVersion: 'agentform/v1';
  /**
   * The kind of file.
   */
  kind: 'Project';
  /**
   * The name of the project, shown above its plans. Defaults to the repository's name.
   */
  name?: string;
  /**
   * Glob patterns that match the manifests, relative to this file.
   *
   * @minItems 1
   */
  manifests: [string, ...string[]];
  /**
   * The environment to use without --environment.
   */
  defaultEnvironment?: string;
  /**
   * Resources whose manifests were removed, as Kind/name. The next apply in each environment drops their records. The service keeps the resources.
   *
   * @maxItems 1000
   */
  removed?: string[];
  /**
   * Where to keep records. By default, records are files under .agentform/records, which you commit.
   */
  record?: {
    /**
     * `file`: files in the project folder, which you commit. `git`: a separate branch. `postgres`: a PostgreSQL database.
     */
    store: 'file' | 'git' | 'postgres';
    /**
     * With `store: git`, the branch with the records.
     */
    branch?: string;
    /**
     * With `store: git`, the repository that contains the branch. Write the name of a remote, a URL without credentials, or a path relative to the project folder.
     */
    remote?: string;
    /**
     * With `store: postgres`, the database URL, written as ${secret.NAME}. The secret has the form postgres://USER:PASSWORD@HOST:PORT/DATABASE. agentform encrypts and verifies connections, except connections to the same machine. `?sslmode=disable` turns encryption off.
     */
    url?: string;
    /**
     * With `store: postgres`, the database schema. Each project needs a separate schema.
     */
    schema?: string;
  };
  /**
   * Limits on the effects of one run.
   */
  limits?: {
    /**
     * The maximum number of resources that one run may create. --allow-creates N overrides this limit.
     */
    creates?: number;
  };
  /**
   * The level of each lint rule: `off`, `warn` or `error`, or `{ level, max }` for a rule with a limit.
   */
  lint?: {
    [k: string]:
      | 'off'
      | 'warn'
      | 'error'
      | {
          /**
           * `off`, `warn` or `error`. Defaults to the rule's level.
           */
          level?: 'off' | 'warn' | 'error';
          /**
           * The limit, for a rule that has one.
           */
          max?: number;
        };
  };
  /**
   * Differences between deployments of the service.
   */
  service?: {
    /**
     * The path of the operation that publishes a draft. `publish` and `apply --publish` need this path.
     */
    publish?: string;
    /**
     * How long reads may lag behind writes, at most 10m. After a write, `apply` and `publish` repeat the read until it shows the change. With 0, they read once.
     */
    readBack?: string | number;
    /**
     * Names of query parameters that the specification does not define.
     */
    parameters?: {
      /**
       * The createOrganization parameter for the reseller of the new organization.
       */
      resellerId?: string;
      /**
       * The `conversations` parameter that asks for pages.
       */
      pagination?: string;
      /**
       * The `conversations` parameter for the page number, counted from 0.
       */
      page?: string;
      /**
       * The `conversations` parameter for the number of rooms on a page.
       */
      pageSize?: string;
      /**
       * The `conversations` parameter that asks only for rooms with unread messages.
       */
      unread?: string;
    };
  };
  /**
   * The environments of the project, by name.
   */
  environments: {
    [k: string]: Environment;
  };
}
/**
 * An environment has the base URL of the service, credentials, and variables for the manifests.
 *
 * This interface was referenced by `ProjectFile`'s JSON-Schema
 * via the `definition` "Environment".
 */
export interface Environment {
  /**
   * Base URL of the service, without /api/v2. `emulator` starts the embedded emulator.
   */
  baseUrl: string;
  /**
   * The API token, written as ${secret.NAME}. The embedded emulator does not need one.
   */
  token?: string;
  /**
   * Query parameters to add to every call.
   */
  query?: {
    [k: string]: string | number | boolean;
  };
  /**
   * The reseller of new organizations, unless a manifest names another reseller.
   */
  resellerId?: string | number;
  /**
   * The values of ${var.NAME} in manifests.
   */
  variables?: {
    [k: string]: string | number | boolean;
  };
  /**
   * The environment to which a change must be applied before it can be applied to this environment. An object also sets how long the required environment must have had the change.
   */
  requires?:
    | string
    | {
        /**
         * The name of the required environment.
         */
        environment: string;
        /**
         * How long the required environment must have had the change, in minutes, hours or days.
         */
        for?: string;
      };
  rollout?: Rollout;
  /**
   * `required`: `plan` runs the environment's Tests, and `apply` writes nothing unless all cases pass.
   */
  tests?: 'required';
  /**
   * Whether apply undoes or keeps a dashboard edit if its question is not answered. `undo`: apply restores the values in the manifest. `leave`: apply keeps the edits and lists them.
   */
  unanswered?: 'undo' | 'leave';
  /**
   * What happens to settings that cannot be read back, if the agent was edited since the last apply. `set`: apply sends them again. `report`: the plan lists them, and apply sends them only if another setting of the agent changes.
   */
  unverified?: 'set' | 'report';
}
/**
 * The order in which agents get a change. `apply` writes the agents of a step once all agents of earlier steps have the change.
 *
 * This interface was referenced by `ProjectFile`'s JSON-Schema
 * via the `definition` "Rollout".
 */
export interface Rollout {
  /**
   * The steps in order. An agent belongs to the first step that selects it. An agent that no step selects belongs to the last step.
   *
   * @minItems 1
   * @maxItems 100
   */
  steps: [RolloutStep, ...RolloutStep[]];
  /**
   * How many agents in earlier steps may have failed, or may be on hold without the change. If there are more, the rollout stops.
   */
  stop?: {
    /**
     * The maximum number of failed agents. Failed applies, failed reads, conflicts and blocks count.
     */
    failed?: number;
    /**
     * The maximum number of agents that are on hold without the change.
     */
    held?: number;
  };
}
/**
 * The agents of one step, selected by label or as a share.
 *
 * This interface was referenced by `ProjectFile`'s JSON-Schema
 * via the `definition` "RolloutStep".
 */
export interface RolloutStep {
  /**
   * A label selector for agents, as in `-l`.
   */
  select?: string;
  /**
   * A percentage of the agents that no `select` matches, including the agents in earlier, smaller shares.
   */
  share?: string;
  /**
   * How long the agents of all earlier steps must have had the change, in minutes, hours or days. By default, the step does not wait.
   */
  after?: string;
}
