import { addressOf } from '../../kinds/desired.ts';
import { applyLevels } from '../../manifest/check/lint-levels.ts';
import { removedIn } from '../../manifest/project/moves.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { isShared } from '../../record/open-store.ts';
import type { RecordStore } from '../../record/store.ts';
import type { Problem, Span } from '../../yaml/problem.ts';

interface Known {
  readonly project: Project;
  readonly environment: string;
  readonly resolution: Pick<Resolution, 'all'>;
  readonly store: Pick<RecordStore, 'read'>;
}

/**
 * The names in `renamedFrom` and `removed` that no environment has a record of any more, so that nothing is left to be
 * done about them. Nothing is said where other environments keep their records in another store.
 */
export async function finishedMoves({ project, environment, resolution, store }: Known): Promise<Problem[]> {
  const isHere = (name: string) => isShared(project, name) === isShared(project, environment);
  if (!isShared(project, environment) && !project.environments.every(isHere)) return [];
  const environments = project.environments.filter(isHere);
  const problems: Problem[] = [];
  for (const { kind, name, at } of movedIn(project, resolution)) {
    const found = await Promise.all(environments.map((one) => store.read({ environment: one, kind, name })));
    if (found.some((record) => record !== undefined)) continue;
    const message = `no environment has a record of ${addressOf({ kind, name })} any more; this name can be deleted here`;
    problems.push({ severity: 'warning', rule: 'move-done', message, at });
  }
  return applyLevels(problems, project.lint);
}

interface Move {
  readonly kind: string;
  readonly name: string;
  readonly at: Span;
}

function movedIn({ tree }: Project, { all }: Known['resolution']): Move[] {
  return [
    ...all.flatMap(({ kind, renamedFrom }) => renamedFrom.map(({ name, at }) => ({ kind, name, at }))),
    ...removedIn(tree).map(({ name: address, at }) => {
      const [kind = '', name = ''] = address.split('/');
      return { kind, name, at };
    }),
  ];
}
