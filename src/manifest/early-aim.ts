import type { Aim, Target } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import type { MergedManifest } from './merged-manifest.ts';
import type { ResolveContext } from './resolve-context.ts';
import { targetInput } from './resource-envelope.ts';
import { buildTarget, resolveTarget } from './target.ts';
import { textOf } from './tree.ts';
import { ValueResolver } from './value-resolver.ts';

/**
 * Where the calls for a manifest will go, before the other manifests are known. Undefined for kinds that cannot be read
 * and for a target with errors, of which the resolution will complain.
 */
export function earlyAim(
  manifest: MergedManifest,
  context: Pick<ResolveContext, 'environment' | 'scope' | 'files'>,
): Aim<Target> | undefined {
  const { kind, name } = manifest;
  if (kindNamed(kind).live === undefined) return undefined;
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope });
  const input = targetInput(manifest, context, resolver);
  const { target } = buildTarget(input, resolveTarget(input));
  if (target === undefined || resolver.problems.length > 0) return undefined;
  const organization = textOf(manifest.merged, 'organization');
  return {
    kind,
    name,
    environment: context.environment.name,
    target,
    ...(organization !== undefined && { organization }),
  };
}
