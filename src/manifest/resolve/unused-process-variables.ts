import { nearest } from '../../text/suggest.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';
import type { Gathered } from '../fleet/gather-manifests.ts';
import type { Project } from '../project/project.ts';
import { mayBeUsedAnywhere, mayBeUsedElsewhere } from '../project/variables.ts';
import type { LookedAt } from './look.ts';
import { processVariables, type Scope } from './values/scope.ts';

export interface UnusedProcessVariablesInput {
  readonly project: Project;
  readonly env: Parameters<typeof processVariables>[0];
  readonly scope: Scope;
  readonly gathered: Pick<Gathered, 'manifests' | 'elsewhere'>;
  /** Every manifest of the environment, selected or not. */
  readonly named: readonly Pick<LookedAt, 'manifest' | 'resolved'>[];
}

/**
 * Process variables that are meant for manifests and that none takes, most often because they are misspelt. Told only where every
 * manifest was looked at; what another environment may use is used.
 */
export function unusedProcessVariables(input: UnusedProcessVariablesInput): Problem[] {
  const { project, env, scope, gathered, named } = input;
  const given = processVariables(env);
  if (given.length === 0) return [];
  if (named.some(({ resolved }) => resolved === undefined || hasErrors(resolved.problems))) return [];
  const { asked, columns } = variablesOf(named, scope);
  const here = new Set(gathered.manifests.map(({ chain }) => chain));
  const elsewhere = new Set(gathered.elsewhere.map(({ chain }) => chain));
  const projectText = project.files.source(project.file)?.text ?? '';
  const isUsed = (name: string) =>
    asked.has(name) ||
    projectText.includes(`\${var.${name}}`) ||
    (!columns.has(name) && [...here].some((chain) => mayBeUsedElsewhere(chain, name, scope.environment))) ||
    (!columns.has(name) && [...elsewhere].some((chain) => mayBeUsedAnywhere(chain, name)));
  return given
    .filter((name) => !isUsed(name))
    .map((name): Problem => {
      const variable = `AGENTFORM_VAR_${name}`;
      const meant = nearest(name, asked);
      const suggestion = meant === undefined ? '' : `; did you mean 'AGENTFORM_VAR_${meant}'?`;
      const message = columns.has(name)
        ? `${variable} is set, but only tables of fleets give '${name}', which no process variable overrides`
        : `${variable} is set, but no manifest refers to \${var.${name}}${suggestion}`;
      return { severity: 'warning', rule: 'process-variable-unused', message };
    });
}

/** The variables that manifests asked for: those that the process may give, and those that only their tables give. */
function variablesOf(named: UnusedProcessVariablesInput['named'], scope: Scope) {
  const asked = new Set(scope.variablesAsked);
  const columns = new Set<string>();
  for (const { manifest } of named) {
    const own = manifest.row?.table.columns;
    for (const name of scope.of(manifest).variablesAsked) (own?.has(name) ? columns : asked).add(name);
  }
  return { asked, columns };
}
