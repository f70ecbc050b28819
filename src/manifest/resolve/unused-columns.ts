import { listSome, quote } from '../../text/wording.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';
import { isOwnColumn, type MemberTable } from '../fleet/member-table.ts';
import type { Chain } from '../project/layers.ts';
import { mayBeUsedElsewhere } from '../project/variables.ts';
import type { LookedAt } from './look.ts';
import type { Scope } from './values/scope.ts';

export interface UnusedColumnsInput {
  /** Every manifest of the environment, selected or not. */
  readonly named: readonly Pick<LookedAt, 'manifest' | 'resolved'>[];
  readonly scope: Scope;
  readonly environment: string;
}

interface TableUse {
  readonly used: Set<string>;
  readonly chains: Set<Chain>;
  /** Every member was looked at, and nothing is wrong that hides what it uses. */
  isWhole: boolean;
}

/** Columns that no member of any fleet with the table uses; told only where every member was looked at. */
export function unusedColumns({ named, scope, environment }: UnusedColumnsInput): Problem[] {
  const tables = new Map<MemberTable, TableUse>();
  for (const { manifest, resolved } of named) {
    if (manifest.row === undefined) continue;
    const { table } = manifest.row;
    const use = tables.get(table) ?? { used: new Set(table.used), chains: new Set(), isWhole: true };
    tables.set(table, use);
    use.isWhole &&= resolved !== undefined && !hasErrors(resolved.problems);
    use.chains.add(manifest.chain);
    for (const name of scope.of(manifest).variablesAsked) use.used.add(name);
  }
  return [...tables].flatMap(([{ columns }, { used, chains, isWhole }]): Problem[] => {
    if (!isWhole) return [];
    const unused = [...columns].filter(([name]) => {
      if (isOwnColumn(name) || used.has(name)) return false;
      return ![...chains].some((chain) => mayBeUsedElsewhere(chain, name, environment));
    });
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
