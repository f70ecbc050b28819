// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * A number with its unit: 500ms, 52s or 2m.
 *
 * This interface was referenced by `TestFile`'s JSON-Schema
 * via the `definition` "Duration".
 */
export type Duration = string;

/**
 * Expectations about calls, texts and settings, checked without a call. A pattern under `manifests` must match the file. A Test is not a resource.
 */
export interface TestFile {
  /**
   * The version of this format.
   */
  apiVersion: 'agentform/v1';
  /**
   * The kind of file.
   */
  kind: 'Test';
  /**
   * The name of the Test, unique among the project's Tests.
   */
  name: string;
  /**
   * The names of Agents, or globs such as clinic-*. Defaults to all Agents.
   *
   * @minItems 1
   * @maxItems 1000
   */
  agents?: [string, ...string[]];
  /**
   * A label selector for Agents, as in `-l`.
   */
  selector?: string;
  /**
   * The environments to test in. Defaults to all environments.
   *
   * @minItems 1
   */
  onlyIn?: [string, ...string[]];
  /**
   * The cases. Each has an event and the expected behaviour of the agent.
   *
   * @minItems 1
   * @maxItems 1000
   */
  cases: [Case, ...Case[]];
}
/**
 * An event, or texts and settings to check, with the expected result.
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
   * An incoming voice call.
   */
  call?: {
    /**
     * The caller's name, as shown on the line.
     */
    callerName?: string;
  };
  /**
   * The caller says nothing.
   */
  silence?: true;
  /**
   * The caller speaks while the agent is speaking.
   */
  interruption?: {
    /**
     * The number of words that the caller speaks.
     */
    words: number;
    /**
     * How long the agent has been speaking.
     */
    speakingFor: string;
  };
  /**
   * How often the caller recently interrupted the agent.
   */
  interruptions?: number;
  /**
   * A transfer that the agent attempts.
   */
  transfer?: {
    /**
     * Whether the call is answered.
     */
    answered: boolean;
    /**
     * The words of the person who answers.
     */
    says?: string;
    /**
     * The key that the person who answers presses.
     */
    presses?: string;
    /**
     * How long after the answer the person speaks or presses the key. By default, immediately.
     */
    after?: string;
  };
  /**
   * The setting with the text to check: its name, or its path in a plan.
   */
  text?: string;
  expect: Expectation;
}
/**
 * The expected result.
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
   * For an interruption: whether the caller interrupts the agent.
   */
  interrupts?: boolean;
  /**
   * For interruptions: how long the agent waits before it sends processed speech to the model.
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
   * For a text: a JavaScript regex that must match. (?i) at its start ignores case.
   */
  matches?: string;
  /**
   * For a text: the number of words.
   */
  words?: {
    /**
     * The minimum number of words.
     */
    atLeast?: number;
    /**
     * The maximum number of words.
     */
    atMost?: number;
  };
  /**
   * The values that settings must have, by name or by path in a plan.
   */
  settings?: {};
}
