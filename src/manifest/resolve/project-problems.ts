import { cached, grouped } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { kindNamed, kindOf } from '../../kinds/kind.ts';
import { mayBePastedSecret } from '../../secrets/secret.ts';
import { type ProjectTest, testsFor } from '../../testing/project-test.ts';
import { nearest } from '../../text/suggest.ts';
import { hasWildcard } from '../../text/wildcard.ts';
import { joinWithAnd, listSome, quote } from '../../text/wording.ts';
import { meantBy, type Suggestion, suggested } from '../../yaml/fix.ts';
import { errorAt, hasErrors, type Problem, type Span, withoutText } from '../../yaml/problem.ts';
import type { Gathered } from '../fleet/gather-manifests.ts';
import { isOwnColumn } from '../fleet/member-table.ts';
import type { Unit } from '../fleet/units.ts';
import type { Project } from '../project/project.ts';
import { unmatchedFiles } from '../project/unmatched-files.ts';
import { mayBeUsedAnywhere, mayBeUsedElsewhere, type VariableUse } from '../project/variables.ts';
import type { ClaimedFacts, Facts, ManifestFacts } from './facts.ts';
import { sharedTargets } from './identity/shared-environments.ts';
import type { ManifestIdentity, ResolveContext, ResolveOptions } from './resolution.ts';
import { processVariableNames } from './values/scope.ts';

interface AllFacts {
  readonly project: Project;
  readonly options: ResolveOptions;
  readonly context: ResolveContext;
  readonly gathered: Gathered;
  readonly found: readonly ManifestFacts[];
  readonly elsewhere: readonly ClaimedFacts[];
}

/** Finds problems that can be detected only from the facts about all manifests. */
export function problemsOfAll({ project, options, context, gathered, found, elsewhere }: AllFacts): Problem[] {
  const { env, edited } = options;
  const environment = context.environment.name;
  const claimants = [...found, ...elsewhere];
  return [
    ...project.problems,
    ...duplicateIdentities(found),
    ...(project.environments.length < 2 ? [] : sharedTargets(claimants, { project, env, environment })),
    ...unusedProcessVariables({ project, options, found, elsewhere }),
    ...(gathered.tests.length === 0
      ? []
      : unmatchedChoices(gathered, {
          agents: found.map(({ here }) => here.identity),
          environment,
          isRequired: project.testsRequired.has(environment),
        })),
    // This check is skipped if not all files were read. An unreadable base may extend other bases, and the check of an
    // edited file does not read all files.
    ...(hasErrors(gathered.problems) || edited !== undefined ? [] : unmatchedFiles(project, gathered)),
    ...unusedColumns({ found, elsewhere }),
  ];
}

/**
 * Reports manifests of one kind with the same identity (see `KindIdentity`). Each problem shows the location of the
 * first manifest. Skips pairs of unselected manifests.
 */
function duplicateIdentities(manifests: readonly ManifestFacts[]): Problem[] {
  const claims = manifests.flatMap(({ head, here: { unique }, isSelected }) =>
    unique === undefined ? [] : [{ head, unique, isSelected }],
  );
  const firsts = new Map<string, (typeof claims)[number]>();
  return claims.sort(byFile).flatMap((claim) => {
    const first = firsts.get(claim.unique.key);
    if (first === undefined) firsts.set(claim.unique.key, claim);
    if (first === undefined || !(first.isSelected || claim.isSelected)) return [];
    const { settings, within, twice } = kindNamed(claim.head.kind).identity;
    if (twice === undefined) return [];
    const what = `${joinWithAnd(settings)}${claim.unique.shown}${within === 'target' ? ' in the same account' : ''}`;
    const message = `${addressOf(first.head)} has the same ${what}: ${twice.consequence}`;
    const also = { message: 'first here', at: first.unique.at };
    return [{ ...errorAt(claim.unique.at, twice.rule, message), also }];
  });
}

function byFile({ head: one }: Pick<Facts, 'head'>, { head: other }: Pick<Facts, 'head'>): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}

interface Choosing {
  readonly agents: readonly ManifestIdentity[];
  readonly environment: string;
  /** Whether all Tests must pass in this environment. */
  readonly isRequired: boolean;
}

/**
 * Reports Tests that select agents which the environment lacks, because the cases of these Tests would pass without
 * running. A name that no environment has is an error. For other selections, the severity depends on other environments
 * and on whether all Tests must pass here.
 */
function unmatchedChoices(
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
    const unplayed = `so the cases of ${addressOf(file)} do not run`;
    return missing.map(({ text, at }): Problem => {
      const isName = file.selector === undefined && !hasWildcard(text);
      const isElsewhere = isName ? others.some(({ name }) => name === text) : others.length > 0;
      if (isName && !isElsewhere) {
        const problem = errorAt(at, 'test-agent', `no environment has an Agent ${quote(text)}, ${unplayed}`);
        return { ...problem, ...meantAt(at, text) };
      }
      const message = `no Agent in this environment matches ${quote(text)}, ${unplayed}`;
      if (isUnplayed && !isElsewhere) {
        return errorAt(at, 'test-agent', `${message}, but all Tests must pass in ${environment}`);
      }
      return { severity: 'warning', rule: 'test-unmatched', message, at };
    });
  };
  return meant.flatMap(problemsOf);
}

interface TableUse {
  /** One of the members that use the table. */
  readonly unit: Unit;
  readonly used: Set<string>;
  readonly variables: Set<VariableUse>;
  /** Whether all members were checked without errors, which means that all the variables they use are known. */
  isWhole: boolean;
}

/**
 * Reports table columns that no member of any fleet uses, in this or another environment. Skips tables with members that
 * were not checked or have errors.
 */
function unusedColumns({ found, elsewhere }: Pick<AllFacts, 'found' | 'elsewhere'>): Problem[] {
  // The tables by file. In one environment, all fleets read the same table from a file.
  const tables = new Map<string, TableUse>();
  for (const { unit, head, here, variables, resolved } of found) {
    if (head.table === undefined) continue;
    const use = cached(tables, head.table, () => ({ used: new Set(), variables: new Set(), isWhole: true, unit }));
    use.isWhole &&= resolved !== undefined && !hasErrors(resolved.problems);
    if (!use.isWhole) continue;
    use.variables.add(variables);
    for (const name of here.asked.columns) use.used.add(name);
  }
  const usesElsewhere = grouped(elsewhere, ({ head }) => head.table);
  return [...tables].flatMap(([file, { used, variables, isWhole, unit }]): Problem[] => {
    const table = isWhole ? unit.member?.().row.table : undefined;
    if (table === undefined) return [];
    const { columns } = table;
    for (const name of table.used) used.add(name);
    const unasked = [...columns].filter(([name]) => !isOwnColumn(name) && !used.has(name));
    const mayBeUsed = (name: string) =>
      [...variables].some((use) => mayBeUsedElsewhere(use, name)) ||
      usesElsewhere.get(file)?.some((one) => mayBeUsedAnywhere(one.variables, name));
    const unused = unasked.filter(([name]) => !mayBeUsed(name));
    const [first] = unused;
    if (first === undefined) return [];
    const names = unused.map(([name]) => name);
    const problem = { severity: 'warning', rule: 'column-unused', message: messageAbout(names), at: first[1] } as const;
    return [names.some(mayBePastedSecret) ? withoutText(problem) : problem];
  });
}

/** The message about unused columns. Names at most five columns, because an exported table may have dozens. */
function messageAbout(names: readonly string[]): string {
  const [name] = names;
  if (names.length === 1)
    return `nothing uses the column ${quote(name ?? '')}: no template, override or label refers to \${var.${name}}`;
  return `nothing uses these ${names.length} columns: ${listSome(names, 5)}`;
}

/**
 * Reports process variables that are meant for manifests but that no manifest uses, usually because of a typo. Skips
 * the check unless all manifests were checked and have no errors. Skips variables that another environment may use.
 */
function unusedProcessVariables({
  project,
  options,
  found,
  elsewhere,
}: Pick<AllFacts, 'project' | 'options' | 'found' | 'elsewhere'>): Problem[] {
  const given = processVariableNames(options.env);
  if (given.length === 0) return [];
  if (found.some(({ resolved }) => resolved === undefined || hasErrors(resolved.problems))) return [];
  const asked = new Set(found.flatMap(({ here }) => here.asked.others));
  // Process variables never override columns, so the use of a column does not count.
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
        ? `${variable} is set, but '${name}' comes from fleet tables, which process variables do not override`
        : `${variable} is set, but no manifest refers to \${var.${name}}`;
      const problem: Problem = { severity: 'warning', rule: 'process-variable-unused', message };
      if (meant === undefined || columns.has(name)) return problem;
      return { ...problem, ...suggested({ at: undefined, found: variable }, `AGENTFORM_VAR_${meant}`) };
    });
}
