import type { Target } from '../kinds/desired.ts';

/**
 * Tells equal credentials. Where they turned out to reach another agent than they should, nothing more may be sent with
 * them: the query may not mean what the manifests think it means.
 */
export function credentialsKey({ baseUrl, token }: Target): string {
  return JSON.stringify([baseUrl, token.reveal()]);
}
