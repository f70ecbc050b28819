import { isTelling, type Redact, redactor } from '../kinds/redact.ts';
import { Secret } from '../kinds/secret.ts';
import type { Host } from './host.ts';

/**
 * The secrets that a run was given, to be hidden whether or not a manifest refers to them: the service may hold one that
 * was sent before, and a change of a manifest can have its agent read without that reference.
 */
export function hiddenSecrets(
  names: readonly string[],
  env: Host['env'],
): { readonly secrets: readonly Secret[]; readonly redact: Redact } {
  const secrets = names.flatMap((name) => (env[name] ? [new Secret(env[name])] : []));
  return { secrets, redact: redactor(secrets.filter(isTelling)) };
}
