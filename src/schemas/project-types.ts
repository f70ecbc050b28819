// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * agentform.yaml: which manifests the project has, and where its environments are.
 */
export interface ProjectFile {
  /**
   * The version of this format.
   */
  apiVersion: 'agentform/v1';
  /**
   * What the file is.
   */
  kind: 'Project';
  /**
   * Glob patterns of the manifests, relative to this file.
   *
   * @minItems 1
   */
  manifests: [string, ...string[]];
  /**
   * The environment of commands that are given none.
   */
  defaultEnvironment?: string;
  /**
   * Resources whose manifests were removed for good, as Kind/name. The next apply in each environment drops their records; the service keeps them.
   *
   * @maxItems 1000
   */
  removed?: string[];
  /**
   * Where the record of what was applied is kept: by default in files under .agentform/records, to be committed.
   */
  record?: {
    /**
     * `file`: files below the project folder, to be committed; `git`: a branch of their own; `postgres`: a PostgreSQL database.
     */
    store: 'file' | 'git' | 'postgres';
    /**
     * With `store: git`, the branch that holds the records.
     */
    branch?: string;
    /**
     * With `store: git`, where the branch is: the name of a remote, a URL without credentials, or a path from the project folder.
     */
    remote?: string;
    /**
     * With `store: postgres`, the URL of the database, only ever as ${secret.NAME}: postgres://USER:PASSWORD@HOST:PORT/DATABASE. Connections are encrypted and verified except to this machine; `?sslmode=disable` turns that off.
     */
    url?: string;
    /**
     * With `store: postgres`, the schema in the database; one for each project.
     */
    schema?: string;
  };
  /**
   * Guards against a run that does more than was meant.
   */
  limits?: {
    /**
     * The most resources that one run may create; --allow-creates N overrides it.
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
           * `off`, `warn` or `error`; the rule's usual one if left out.
           */
          level?: 'off' | 'warn' | 'error';
          /**
           * The limit of a rule that has one.
           */
          max?: number;
        };
  };
  /**
   * What deployments of the service do differently.
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
     * Names of query parameters that the specification leaves open.
     */
    parameters?: {
      /**
       * For createOrganization: the reseller under which the organization is created.
       */
      resellerId?: string;
      /**
       * For conversations: whether to answer page by page.
       */
      pagination?: string;
      /**
       * For conversations: the number of the page, from 0.
       */
      page?: string;
      /**
       * For conversations: how many rooms a page has.
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
 * One deployment: where the service is, the credentials, and the variables of the manifests.
 *
 * This interface was referenced by `ProjectFile`'s JSON-Schema
 * via the `definition` "Environment".
 */
export interface Environment {
  /**
   * Base URL of the service, without /api/v2; `emulator` starts the embedded emulator.
   */
  baseUrl: string;
  /**
   * The API token, only ever as ${secret.NAME}. The embedded emulator needs none.
   */
  token?: string;
  /**
   * Extra query parameters of every call.
   */
  query?: {
    [k: string]: string | number | boolean;
  };
  /**
   * The reseller under which organizations are created, unless their manifest names another.
   */
  resellerId?: string | number;
  /**
   * Values of ${var.NAME} in the manifests.
   */
  variables?: {
    [k: string]: string | number | boolean;
  };
  /**
   * The environment to which the content of a manifest must be applied before it may be applied here; as an object, also for how long it must have been there.
   */
  requires?:
    | string
    | {
        /**
         * The environment.
         */
        environment: string;
        /**
         * How long the content must have been there: minutes, hours or days.
         */
        for?: string;
      };
  /**
   * `required`: `plan` plays the Tests that are meant for the environment, and `apply` refuses while a case does not pass.
   */
  tests?: 'required';
  /**
   * What to do about settings that cannot be read when the agent was touched since the last apply: `set` sends them again, `report` lists them.
   */
  unverified?: 'set' | 'report';
}
