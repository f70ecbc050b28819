import { addressOf } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';
import { type Selection, selector } from '../selection.ts';
import { requireValid } from '../session.ts';

interface Undeclared {
  readonly project: Project;
  readonly environment: string;
  /** The records without a manifest. If a manifest has errors, it may declare one of them. */
  readonly undeclared: readonly { readonly kind: string; readonly name: string }[];
  readonly problems: readonly Problem[];
}

/**
 * Throws if a command selects by label while manifests have errors, because it could miss a record whose labels are
 * unknown.
 */
export function requireKnownLabels(
  { names, exclude, selector: labels }: Selection,
  { undeclared, problems, ...where }: Undeclared,
): void {
  if (labels === undefined || !hasErrors(problems)) return;
  const isNamed = selector({ names, exclude });
  if (undeclared.some((record) => isNamed(addressOf(record)))) requireValid(problems, where);
}
