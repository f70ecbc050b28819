import { isAbsolute, join } from 'node:path';
import type { CacheFolder } from '../manifest/project/parsed-cache.ts';

/** Digest of what this program was built from; there is none where it is not built. */
declare const AGENTFORM_BUILD: string | undefined;

/** Where this user's runs keep what came of manifests; undefined where they do without. */
export function cacheIn(env: NodeJS.ProcessEnv, { cache }: { readonly cache: boolean }): CacheFolder | undefined {
  const folder = cache ? cacheFolderIn(env) : undefined;
  if (folder === undefined || typeof AGENTFORM_BUILD === 'undefined') return undefined;
  return { folder, build: AGENTFORM_BUILD };
}

/**
 * AGENTFORM_CACHE, or `agentform` in the user's folder for caches. An empty AGENTFORM_CACHE and a relative path mean none:
 * the working folder may be the project's.
 */
export function cacheFolderIn({
  AGENTFORM_CACHE: named,
  XDG_CACHE_HOME: caches = '',
  HOME: home = '',
}: NodeJS.ProcessEnv): string | undefined {
  const usual = isAbsolute(caches) ? join(caches, 'agentform') : isAbsolute(home) ? join(home, '.cache/agentform') : '';
  const folder = named ?? usual;
  return isAbsolute(folder) ? folder : undefined;
}
