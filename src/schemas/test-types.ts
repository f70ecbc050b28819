// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * A number with its unit: 500ms, 52s or 2m.
 *
 * This interface was referenced by `TestFile`'s JSON-Schema
 * via the `definition` "Duration".
 */
export type Duration = string;

/**
 * What callers must meet and what texts must hold, checked without a call. Patterns under `manifests` match it. It is not a resource.
 */
export interface TestFile {
  /**
   * The version of this format.
   */
  apiVersion: 'agentform/v1';
  /**
   * What the file is.
   */
  kind: 'Test';
  /**
   * The name of the test, unique among the tests of the project.
   */
  name: string;
  /**
   * Names of Agents, or globs such as clinic-*; every Agent if left out.
   *
   * @minItems 1
   * @maxItems 1000
   */
  agents?: [string, ...string[]];
  /**
   * The labels that an Agent needs, as in `-l`.
   */
  selector?: string;
  /**
   * The environments to test in; all of them if left out.
   *
   * @minItems 1
   */
  onlyIn?: [string, ...string[]];
  /**
   * What happens, and what the agent must do then.
   *
   * @minItems 1
   * @maxItems 1000
   */
  cases: [Case, ...Case[]];
}
/**
 * One thing that happens, or a look at texts and settings, and what is expected of it.
 *
 * This interface was referenced by `TestFile`'s JSON-Schema
 * via the `definition` "Case".
 */
export interface Case {
  /**
   * What the case shows, in a few words.
   */
  name: string;
  /**
   * A voice call that comes in.
   */
  call?: {
    /**
     * The name that the caller's line shows.
     */
    callerName?: string;
  };
  /**
   * The caller says nothing.
   */
  silence?: true;
  /**
   * The caller speaks while the agent does.
   */
  interruption?: {
    /**
     * Words that the caller speaks.
     */
    words: number;
    /**
     * How long the agent has been speaking.
     */
    speakingFor: string;
  };
  /**
   * How often the caller interrupted the agent lately.
   */
  interruptions?: number;
  /**
   * A transfer that the agent attempts.
   */
  transfer?: {
    /**
     * Whether somebody answers it.
     */
    answered: boolean;
    /**
     * What the answerer says.
     */
    says?: string;
    /**
     * The key that the answerer presses.
     */
    presses?: string;
    /**
     * How long after the answer; at once if left out.
     */
    after?: string;
  };
  /**
   * The setting whose text is looked at, by its name or as plans write it.
   */
  text?: string;
  expect: Expectation;
}
/**
 * What must come of it.
 *
 * This interface was referenced by `TestFile`'s JSON-Schema
 * via the `definition` "Expectation".
 */
export interface Expectation {
  /**
   * For a call: the agent answers it.
   */
  answer?: true;
  /**
   * For a call: it is rejected with this SIP code.
   */
  reject?: number;
  /**
   * For a call: it is transferred to this destination.
   */
  transfer?: string;
  /**
   * For silence: how often the agent asks whether the caller is still there.
   */
  asks?: number;
  /**
   * For silence: when the call is hung up.
   */
  hangUpAfter?: string;
  /**
   * For an interruption: whether it counts as one.
   */
  interrupts?: boolean;
  /**
   * For interruptions: how long processed speech waits for the model.
   */
  delay?: string;
  /**
   * For a transfer: whether it takes place.
   */
  bridged?: boolean;
  /**
   * For a text: literal text that it must contain.
   *
   * @minItems 1
   * @maxItems 100
   */
  contains?: string | [string, ...string[]];
  /**
   * For a text: literal text that it must not contain.
   *
   * @minItems 1
   * @maxItems 100
   */
  notContains?: string | [string, ...string[]];
  /**
   * For a text: a JavaScript regex that must match in it; (?i) at its beginning ignores case.
   */
  matches?: string;
  /**
   * For a text: how many words it may have.
   */
  words?: {
    /**
     * The fewest.
     */
    atLeast?: number;
    /**
     * The most.
     */
    atMost?: number;
  };
  /**
   * The values that settings must have, by their names or as plans write them.
   */
  settings?: {};
}
