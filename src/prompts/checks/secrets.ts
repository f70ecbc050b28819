import { credentialRanges } from '../../secrets/credentials.ts';
import type { Finding, PromptText } from '../prompt-text.ts';

/** Finds keys and tokens. Messages never quote the keys and tokens, and output hides their ranges. */
export async function findSecrets(text: Pick<PromptText, 'masked'>): Promise<Finding[]> {
  const message =
    'this looks like a key or a token; remove it, and revoke the key or token, because others may have seen it';
  const ranges = await credentialRanges(text.masked);
  return ranges.map(([start, end]) => ({ rule: 'prompt-secret', message, start, end, isSecret: 'reported' }));
}
