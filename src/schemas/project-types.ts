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
   * Name of the project, shown above its plans; by default the name of the repository.
   */
  name?: string;
  /**
   * Glob patterns of the manifests, relative to this file.
   *
   * @minItems 1
   */
  manifests: [string, ...string[]];
  /**
   * The environment of commands without --environment.
   */
  defaultEnvironment?: string;
  /**
   * Resources whose manifests were removed, as Kind/name. The next apply in each environment drops their records. The service keeps the resources.
   *
   * @maxItems 1000
   */
  removed?: string[];
  /**
   * Where records are kept; by default in files under .agentform/records, which you commit.
   */
  record?: {
    /**
     * `file`: files in the project folder, which you commit. `git`: a separate branch. `postgres`: a PostgreSQL database.
     */
    store: 'file' | 'git' | 'postgres';
    /**
     * With `store: git`, the branch that holds the records.
     */
    branch?: string;
    /**
     * With `store: git`, the repository of the branch: the name of a remote, a URL without credentials, or a path from the project folder.
     */
    remote?: string;
    /**
     * With `store: postgres`, the URL of the database, always as ${secret.NAME}: postgres://USER:PASSWORD@HOST:PORT/DATABASE. Connections are encrypted and verified, except to this machine. `?sslmode=disable` turns encryption off.
     */
    url?: string;
    /**
     * With `store: postgres`, the schema in the database; one for each project.
     */
    schema?: string;
  };
  /**
   * Limits that keep a run from doing more than intended.
   */
  limits?: {
    /**
     * The maximum number of resources that one run may create. --allow-creates N overrides this limit.
     */
    creates?: number;
  };
  /**
   * Level of each lint rule: `off`, `warn` or `error`, or `{ level, max }` for a rule with a limit.
   */
  lint?: {
    [k: string]:
      | 'off'
      | 'warn'
      | 'error'
      | {
          /**
           * `off`, `warn` or `error`; by default the level of the rule.
           */
          level?: 'off' | 'warn' | 'error';
          /**
           * The limit of a rule that has one.
           */
          max?: number;
        };
  };
  /**
   * Differences between deployments of the service.
   */
  service?: {
    /**
     * Path of the operation that publishes a draft, for `publish` and `apply --publish`; none by default.
     */
    publish?: string;
    /**
     * How long reads may lag behind writes, at most 10m. After a write, `apply` and `publish` read again until the write shows. 0 reads once.
     */
    readBack?: string | number;
    /**
     * Names of query parameters that the specification does not define.
     */
    parameters?: {
      /**
       * For createOrganization: the reseller under which the organization is created.
       */
      resellerId?: string;
      /**
       * For conversations: whether to return pages.
       */
      pagination?: string;
      /**
       * For conversations: the number of the page, from 0.
       */
      page?: string;
      /**
       * For conversations: the number of rooms on a page.
       */
      pageSize?: string;
      /**
       * For conversations: only rooms with unread messages.
       */
      unread?: string;
    };
  };
  /**
   * The deployments of this project, by name.
   */
  environments: {
    [k: string]: Environment;
  };
}
/**
 * One deployment: the base URL of the service, credentials, and variables for the manifests.
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
   * The API token, always as ${secret.NAME}. The embedded emulator needs none.
   */
  token?: string;
  /**
   * Extra query parameters of every call.
   */
  query?: {
    [k: string]: string | number | boolean;
  };
  /**
   * The reseller under which organizations are created, unless their manifest has another one.
   */
  resellerId?: string | number;
  /**
   * Values of ${var.NAME} in the manifests.
   */
  variables?: {
    [k: string]: string | number | boolean;
  };
  /**
   * The environment to which a change must be applied before this one. An object also sets how long it must have been applied there.
   */
  requires?:
    | string
    | {
        /**
         * The name of the required environment.
         */
        environment: string;
        /**
         * How long the change must have been applied there: minutes, hours or days.
         */
        for?: string;
      };
  rollout?: Rollout;
  /**
   * `required`: `plan` runs the Tests of the environment, and `apply` refuses if a case does not pass.
   */
  tests?: 'required';
  /**
   * What happens to edits on the service that no person decided about: `undo` applies the values of the manifest, `leave` keeps the edits and lists them.
   */
  unanswered?: 'undo' | 'leave';
  /**
   * What to do about settings that cannot be read back if the agent was edited since the last apply: `set` sends them again, `report` lists them.
   */
  unverified?: 'set' | 'report';
}
/**
 * The order in which agents get a change: `apply` writes the agents of a step once those of all earlier steps have it.
 *
 * This interface was referenced by `ProjectFile`'s JSON-Schema
 * via the `definition` "Rollout".
 */
export interface Rollout {
  /**
   * The steps, first to last. An agent belongs to the first step that selects it. An agent that no step selects belongs to the last step.
   *
   * @minItems 1
   * @maxItems 100
   */
  steps: [RolloutStep, ...RolloutStep[]];
  /**
   * The number of agents in earlier steps that may lack the change without stopping the rollout.
   */
  stop?: {
    /**
     * The maximum number of failed agents: failed applies, failed reads, conflicts and blocks.
     */
    failed?: number;
    /**
     * The maximum number of agents on hold.
     */
    held?: number;
  };
}
/**
 * The agents of one step, either by their labels or as a share.
 *
 * This interface was referenced by `ProjectFile`'s JSON-Schema
 * via the `definition` "RolloutStep".
 */
export interface RolloutStep {
  /**
   * A condition for the labels of agents, as in `-l`.
   */
  select?: string;
  /**
   * A share of the agents that no `select` matches, including earlier shares. A larger share contains a smaller one.
   */
  share?: string;
  /**
   * How long the agents of all earlier steps must have had the change: minutes, hours or days. By default, the step does not wait.
   */
  after?: string;
}
