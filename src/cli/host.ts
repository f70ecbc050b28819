import { isAbsolute, join } from 'node:path';
import { AgentformError } from '../errors.ts';
import type { AllowedSecrets } from '../secrets/secret.ts';
import type { Host, RequestLine } from '../session/host.ts';
import { listedWords } from '../text/wording.ts';
import type { UserCache } from '../workspace/user-cache.ts';
import type { Console } from './console.ts';

/** Runs a use case in this process. Stops the progress display before the promise settles. */
export async function withHost<Result>(
  console: Console,
  { debug, cache = false }: { readonly debug: boolean; readonly cache?: boolean },
  work: (host: Host) => Promise<Result>,
): Promise<Result> {
  const { allowedHostsIn } = await import('../session/connections.ts');
  const { env, stderr: stream } = console.process;
  const { color } = console.sayStyle;
  const progress =
    console.live && !debug
      ? (await import('../report/progress/terminal.ts')).terminalProgress({ stream, color })
      : (await import('../report/progress/progress.ts')).plainProgress({ stream, color });
  const folder = await cacheIn(env, { cache });
  try {
    return await work({
      env,
      allowedHosts: allowedHostsIn(env),
      allowedSecrets: allowedSecretsIn(console),
      cache: folder,
      verdicts: folder,
      now: () => new Date(),
      emit: progress.emit,
      hideSecrets: console.hide,
      redact: console.redact,
      startEmulator: async (options) => (await import('../emulator/emulator.ts')).startEmulator(options),
      ...(debug && { onRequest: (line) => console.say(`${requestText(line)}\n`) }),
    });
  } finally {
    await progress.stop();
  }
}

/** Works like `secretsNamedIn`, but prints a warning if the variable is not set in CI. */
function allowedSecretsIn({ process, say }: Console): AllowedSecrets | undefined {
  const named = secretsNamedIn(process.env);
  if (named === undefined && process.env.CI !== undefined) {
    say(
      'warning: manifests can use any process variable as a secret; set AGENTFORM_SECRETS to the names of the secrets they need\n',
    );
  }
  return named;
}

/**
 * Returns the secrets that AGENTFORM_SECRETS names. Returns undefined if the variable is not set, which allows all
 * secrets.
 */
export function secretsNamedIn({ AGENTFORM_SECRETS: names }: Host['env']): AllowedSecrets | undefined {
  return names === undefined ? undefined : { names: new Set(listedWords(names)), from: 'AGENTFORM_SECRETS' };
}

/** Throws if NODE_DEBUG could print URLs and headers that contain tokens. */
export function refuseLeakyDebugging({ NODE_DEBUG = '' }: Host['env']): void {
  if (!/undici|fetch|http|net|\*/i.test(NODE_DEBUG)) return;
  throw new AgentformError('usage', 'NODE_DEBUG would print tokens with every request; run `unset NODE_DEBUG`');
}

function requestText({ method, path, status, failed, try: attempt, ms }: RequestLine): string {
  const outcome = [status ?? 'no response', ...(failed === undefined ? [] : [`(${failed})`])].join(' ');
  return `${method} ${path}: ${outcome}, try ${attempt}, ${Math.round(ms)} ms`;
}

/** The digest of the program's build, or undefined if the program runs from source. */
declare const AGENTFORM_BUILD: string | undefined;

/**
 * Opens the user's cache. Returns undefined if the cache is disabled, or if the program runs from source. Loads its
 * code on demand, because many runs need neither git nor digests.
 */
export async function cacheIn(
  env: NodeJS.ProcessEnv,
  { cache }: { readonly cache: boolean },
): Promise<UserCache | undefined> {
  const folder = cache ? cacheFolderIn(env) : undefined;
  if (folder === undefined || typeof AGENTFORM_BUILD === 'undefined') return undefined;
  const { UserCache } = await import('../workspace/user-cache.ts');
  return new UserCache(folder, AGENTFORM_BUILD);
}

/**
 * Returns the cache folder: AGENTFORM_CACHE, or `agentform` in the user's cache folder. An empty or relative
 * AGENTFORM_CACHE disables the cache, because a relative folder could be in the project.
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
