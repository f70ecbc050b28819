import { canonicalJson } from '../json/json.ts';
import { type Labels, matchesSelector, parseSelector, type Requirement } from '../kinds/labels.ts';
import type { Case, TestFile } from '../schemas/test-types.ts';
import { testFile } from '../schemas/test-validators.js';
import { matchesAny } from '../text/wildcard.ts';
import { joinWithOr } from '../text/wording.ts';
import { errorAt, hasErrors, type Problem, problemsOfEach, type Span } from '../yaml/problem.ts';
import { headOf, keyAt, type MapNode, nodeAt, toJson } from '../yaml/tree.ts';
import { limitProblems, problemsOfViolations } from '../yaml/violations.ts';

/** A valid Test manifest. */
export interface ProjectTest {
  readonly file: TestFile;
  /** The source span of each case, in file order. */
  readonly cases: readonly Span[];
  /** The names, globs and selector of the included agents. Empty if the Test includes every agent. */
  readonly choices: readonly Choice[];
  /** The content as canonical JSON. Two Tests are equal if their `content` is equal. */
  readonly content: string;
  /** Set if the Test is from the base commit, and was changed or removed in the checkout. */
  readonly fromBase?: true;
  /**
   * For a Test from the base commit, finds an agent's identity at that commit. The Test also selects agents by this
   * earlier identity.
   */
  readonly formerOf?: ((agent: AgentIdentity) => AgentIdentity | undefined) | undefined;
}

interface AgentIdentity extends ChosenAgent {
  readonly kind: string;
}

interface Choice {
  /** The name, glob or selector as written. */
  readonly text: string;
  readonly at: Span;
  readonly includes: (agent: ChosenAgent) => boolean;
}

interface ChosenAgent {
  readonly name: string;
  readonly labels?: Labels;
}

/** The possible events of a case, each with the expectations that it allows. */
const happenings = {
  call: ['answer', 'reject', 'transfer'],
  silence: ['asks', 'hangUpAfter'],
  interruption: ['interrupts'],
  interruptions: ['delay'],
  transfer: ['bridged'],
  text: ['contains', 'notContains', 'matches', 'words'],
} as const satisfies Readonly<Partial<Record<keyof Case, readonly (keyof Case['expect'])[]>>>;

export type Happening = keyof typeof happenings;

/** The events of a case. Empty if the case only checks settings. */
export function happeningsIn(one: Case): Happening[] {
  return (Object.keys(happenings) as Happening[]).filter((name) => one[name] !== undefined);
}

function choicesOf(
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

/** Whether a Test includes an agent, by the agent's current or earlier identity. */
export function includesAgent({ choices, formerOf }: ProjectTest, agent: AgentIdentity): boolean {
  const former = formerOf?.(agent);
  const isChosen = ({ includes }: Choice) => includes(agent) || (former !== undefined && includes(former));
  return choices.length === 0 || choices.some(isChosen);
}

export function testsFor(tests: readonly ProjectTest[], environment: string): ProjectTest[] {
  return tests.filter(({ file: { onlyIn } }) => onlyIn === undefined || onlyIn.includes(environment));
}

interface CheckedTest {
  /** The Test. Absent if the file has errors. */
  readonly test?: ProjectTest;
  readonly problems: readonly Problem[];
}

interface AuthoredTest {
  readonly root: MapNode;
  /** The environments in agentform.yaml. */
  readonly environments: readonly string[];
}

/** Checks a Test file. If the file has problems, returns no Test. */
export function checkTestFile({ root, environments }: AuthoredTest): CheckedTest {
  const json: unknown = toJson(root);
  const limits = limitProblems({ root, environments });
  if (!isTestFile(json)) {
    return { problems: [...problemsOfViolations({ kind: 'Test', root }, testFile.errors ?? []), ...limits] };
  }
  const { selector } = json;
  const parsed = selector === undefined ? undefined : parseSelector(selector);
  const problems = [
    ...limits,
    ...(parsed?.problem === undefined ? [] : [errorAt(keyAt(root, ['selector']), 'test-selector', parsed.problem)]),
    ...(selector === undefined || json.agents === undefined ? [] : [bothChoices(root)]),
    ...problemsOfEach(json.cases.entries(), ([index, one]) => problemsOfCase(one, index, root)),
  ];
  if (hasErrors(problems)) return { problems };
  const placeOf = (steps: readonly string[]): Span => headOf(nodeAt(root, steps) ?? root);
  const test: ProjectTest = {
    file: json,
    cases: json.cases.map((_, index) => placeOf(['cases', String(index)])),
    choices: choicesOf(
      json,
      parsed !== undefined && 'requirements' in parsed ? parsed.requirements : undefined,
      placeOf,
    ),
    content: canonicalJson(json),
  };
  return { test, problems };
}

function isTestFile(json: unknown): json is TestFile {
  return testFile(json);
}

function bothChoices(root: MapNode): Problem {
  const message = 'a Test cannot have both agents and a selector; split it into two files';
  return errorAt(keyAt(root, ['selector']), 'test-selector', message);
}

function problemsOfCase(one: Case, index: number, root: MapNode): Problem[] {
  const steps = ['cases', String(index)];
  const [first, second] = happeningsIn(one);
  if (second !== undefined) {
    const message = `cases[${index}] has both ${first} and ${second}; split it into two cases`;
    return [errorAt(headOf(nodeAt(root, steps) ?? root), 'test-case', message)];
  }
  const [reference] = /\$\{(?:var|secret)\.[^}]{0,80}\}?/.exec(canonicalJson({ ...one, name: '' })) ?? [];
  if (reference !== undefined) {
    const message = `cases[${index}] has ${reference}, but a Test cannot use references; write the value, and limit the Test with onlyIn`;
    return [errorAt(headOf(nodeAt(root, steps) ?? root), 'test-case', message)];
  }
  const known: readonly string[] = first === undefined ? ['settings'] : happenings[first];
  const others = Object.keys(one.expect).filter((name) => !known.includes(name));
  return others.map((name) => {
    const subject = first === undefined ? 'a case without an event' : `a case with ${first}`;
    const message = `cases[${index}] expects ${name}, but ${subject} can only expect ${joinWithOr(known)}`;
    return errorAt(keyAt(root, [...steps, 'expect', name]), 'test-case', message);
  });
}
