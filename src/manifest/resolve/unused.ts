import { addressOf } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import { type ProjectTest, testsFor } from '../../testing/project-test.ts';
import { nearest } from '../../text/suggest.ts';
import { hasWildcard } from '../../text/wildcard.ts';
import { listSome, quote } from '../../text/wording.ts';
import { meantBy, type Suggestion, suggested } from '../../yaml/fix.ts';
import { errorAt, hasErrors, type Problem, type Span } from '../../yaml/problem.ts';
import type { Gathered } from '../fleet/gather-manifests.ts';
import { isOwnColumn } from '../fleet/member-table.ts';
import type { Unit } from '../fleet/units.ts';
import type { Project } from '../project/project.ts';
import { mayBeUsedAnywhere, mayBeUsedElsewhere, type VariableUse } from '../project/variables.ts';
import type { Facts, Found } from './facts.ts';
import type { ManifestIdentity } from './resolution.ts';
import { processVariables } from './values/scope.ts';

interface Choosing {
  /** The agents of the environment. */
  readonly agents: readonly ManifestIdentity[];
  readonly environment: string;
  /** The environment requires its Tests to pass. */
  readonly isRequired: boolean;
}

/**
 * Problems of Tests that name agents which the environment does not have: their cases would pass without running. This
 * is an error for a name that no environment has, and for a required Test without any agent.
 */
export function unmatchedChoices(
  { tests, elsewhere }: Pick<Gathered, 'tests' | 'elsewhere'>,
  { agents: named, environment, isRequired }: Choosing,
): Problem[] {
  const meant = testsFor(tests, environment);
  if (meant.length === 0) return [];
  const agents = named.filter((one) => kindOf(one)?.takesCalls);
  const others = elsewhere.map(({ head }) => head).filter((one) => kindOf(one)?.takesCalls);
  const names = [...agents, ...others].map(({ name }) => name);
  const meantAt = (at: Span, found: string): Suggestion => {
    const renamed = agents.find(({ renamedFrom }) => renamedFrom.some(({ name }) => name === found))?.name;
    return renamed === undefined ? meantBy({ at, found }, names) : suggested({ at, found }, renamed);
  };
  const problemsOf = ({ file, choices }: ProjectTest): Problem[] => {
    const missing = choices.filter(({ includes }) => !agents.some(includes));
    const isUnplayed = isRequired && missing.length === choices.length && missing.length > 0;
    const unplayed = `so the cases of ${addressOf(file)} are not played`;
    return missing.map(({ text, at }): Problem => {
      const isName = file.selector === undefined && !hasWildcard(text);
      const isElsewhere = isName ? others.some(({ name }) => name === text) : others.length > 0;
      if (isName && !isElsewhere) {
        const problem = errorAt(at, 'test-agent', `no environment has an Agent ${quote(text)}, ${unplayed}`);
        return { ...problem, ...meantAt(at, text) };
      }
      const message = `no Agent of the environment matches ${quote(text)}, ${unplayed}`;
      if (isUnplayed && !isElsewhere) {
        return errorAt(at, 'test-agent', `${message}, and ${environment} requires its Tests`);
      }
      return { severity: 'warning', rule: 'test-unmatched', message, at };
    });
  };
  return meant.flatMap(problemsOf);
}

interface TableUse {
  /** One of its members. */
  readonly unit: Unit;
  readonly used: Set<string>;
  readonly variables: Set<VariableUse>;
  /** Every member was checked, and no problem hides the variables that it uses. */
  isWhole: boolean;
}

/** Columns that no member of any fleet with the table uses; reported only if every member was checked. */
export function unusedColumns(found: readonly Found[]): Problem[] {
  // An environment has one table of each file.
  const tables = new Map<string, TableUse>();
  for (const { unit, head, here, variables, resolved } of found) {
    if (head.table === undefined) continue;
    const use = tables.get(head.table) ?? { used: new Set(), variables: new Set(), isWhole: true, unit };
    tables.set(head.table, use);
    use.isWhole &&= resolved !== undefined && !hasErrors(resolved.problems);
    if (!use.isWhole) continue;
    use.variables.add(variables);
    for (const name of here.asked.columns) use.used.add(name);
  }
  return [...tables.values()].flatMap(({ used, variables, isWhole, unit }): Problem[] => {
    const table = isWhole ? unit.row()?.table : undefined;
    if (table === undefined) return [];
    const { columns } = table;
    for (const name of table.used) used.add(name);
    const unasked = [...columns].filter(([name]) => !isOwnColumn(name) && !used.has(name));
    const unused = unasked.filter(([name]) => ![...variables].some((use) => mayBeUsedElsewhere(use, name)));
    const [first] = unused;
    if (first === undefined) return [];
    return [
      { severity: 'warning', rule: 'column-unused', message: messageAbout(unused.map(([name]) => name)), at: first[1] },
    ];
  });
}

/** An exported table may have dozens of columns that no template needs. */
function messageAbout(names: readonly string[]): string {
  const [name] = names;
  if (names.length === 1)
    return `nothing uses the column ${quote(name ?? '')}: no template, override or label refers to \${var.${name}}`;
  return `nothing uses ${names.length} of the columns: ${listSome(names, 5)}`;
}

interface UnusedProcessVariablesInput {
  readonly project: Project;
  readonly env: Parameters<typeof processVariables>[0];
  readonly found: readonly Found[];
  /** Manifests that the environment does not have. */
  readonly elsewhere: readonly Facts[];
}

/**
 * Process variables for manifests that no manifest uses, usually because they are misspelt. They are only reported if
 * every manifest was checked, and if no other environment may use them.
 */
export function unusedProcessVariables({ project, env, found, elsewhere }: UnusedProcessVariablesInput): Problem[] {
  const given = processVariables(env);
  if (given.length === 0) return [];
  if (found.some(({ resolved }) => resolved === undefined || hasErrors(resolved.problems))) return [];
  const asked = new Set(found.flatMap(({ here }) => here.asked.others));
  // Only tables set columns, and process variables never override them.
  const columns = new Set(found.flatMap(({ here }) => here.asked.columns));
  const wanting = [...asked].filter((name) => !given.includes(name));
  const projectText = project.files.source(project.file)?.text ?? '';
  const isUsed = (name: string) =>
    asked.has(name) ||
    projectText.includes(`\${var.${name}}`) ||
    (!columns.has(name) && found.some(({ variables }) => mayBeUsedElsewhere(variables, name))) ||
    (!columns.has(name) && elsewhere.some(({ variables }) => mayBeUsedAnywhere(variables, name)));
  return given
    .filter((name) => !isUsed(name))
    .map((name): Problem => {
      const variable = `AGENTFORM_VAR_${name}`;
      const meant = nearest(name, wanting);
      const message = columns.has(name)
        ? `${variable} is set, but only tables of fleets give '${name}', which no process variable overrides`
        : `${variable} is set, but no manifest refers to \${var.${name}}`;
      const problem: Problem = { severity: 'warning', rule: 'process-variable-unused', message };
      if (meant === undefined || columns.has(name)) return problem;
      return { ...problem, ...suggested({ at: undefined, found: variable }, `AGENTFORM_VAR_${meant}`) };
    });
}
