import { type Labels, matchesSelector, type Requirement } from '../kinds/labels.ts';
import type { Case, TestFile } from '../schemas/test-types.ts';
import { matchesAny } from '../text/wildcard.ts';
import type { Span } from '../yaml/problem.ts';

/** A valid Test manifest. */
export interface ProjectTest {
  readonly file: TestFile;
  /** The places of its cases, in order. */
  readonly cases: readonly Span[];
  /** The places of its agents: each name or glob, or the selector. */
  readonly choices: readonly Choice[];
  /** Its content as JSON text: equal for equal Tests. */
  readonly content: string;
  /** Whether it comes from the base commit, and the checkout has a different one or none. */
  readonly fromBase?: true;
  /** For a Test of the base commit: finds the earlier state of an agent, by which the Test also selects it. */
  readonly formerOf?: ((agent: AgentIdentity) => AgentIdentity | undefined) | undefined;
}

interface AgentIdentity extends ChosenAgent {
  readonly kind: string;
}

/** One selection of agents in a Test. */
export interface Choice {
  /** The literal text. */
  readonly text: string;
  readonly at: Span;
  readonly includes: (agent: ChosenAgent) => boolean;
}

/** An agent with the properties that Tests select by. */
interface ChosenAgent {
  readonly name: string;
  readonly labels?: Labels;
}

/** The event of a case, and the possible expectations. */
export const happenings = {
  call: ['answer', 'reject', 'transfer'],
  silence: ['asks', 'hangUpAfter'],
  interruption: ['interrupts'],
  interruptions: ['delay'],
  transfer: ['bridged'],
  text: ['contains', 'notContains', 'matches', 'words'],
} as const satisfies Readonly<Partial<Record<keyof Case, readonly (keyof Case['expect'])[]>>>;

export type Happening = keyof typeof happenings;

/** The event of a case; none if it checks settings. */
export function happeningsIn(one: Case): Happening[] {
  return (Object.keys(happenings) as Happening[]).filter((name) => one[name] !== undefined);
}

/** The selections of agents in a Test; none if it includes every agent. */
export function choicesOf(
  { agents, selector }: TestFile,
  requirements: readonly Requirement[] | undefined,
  placeOf: (steps: readonly string[]) => Span,
): Choice[] {
  const named = (agents ?? []).map((text, index) => ({
    text,
    at: placeOf(['agents', String(index)]),
    includes: ({ name }: ChosenAgent) => matchesAny([text], name),
  }));
  if (selector === undefined || requirements === undefined) return named;
  const includes = ({ labels = {} }: ChosenAgent) => matchesSelector(requirements, labels);
  return [...named, { text: selector, at: placeOf(['selector']), includes }];
}

/** Whether a Test includes an agent in an environment. */
export function isAbout({ choices, formerOf }: ProjectTest, agent: AgentIdentity): boolean {
  const former = formerOf?.(agent);
  const isChosen = ({ includes }: Choice) => includes(agent) || (former !== undefined && includes(former));
  return choices.length === 0 || choices.some(isChosen);
}

/** The Tests of an environment. */
export function testsFor(tests: readonly ProjectTest[], environment: string): ProjectTest[] {
  return tests.filter(({ file: { onlyIn } }) => onlyIn === undefined || onlyIn.includes(environment));
}
