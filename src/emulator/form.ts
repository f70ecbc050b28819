import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';

export const formType = 'multipart/form-data';

/** Makes the routes of this scope take forms, and nothing else. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(formType, { parseAs: 'buffer' }, parseForm);
}

/** Node's own parser of forms is behind the Response. */
async function parseForm({ headers }: FastifyRequest, body: Buffer): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  } catch {
    throw new Refusal(400, 'the multipart body is malformed');
  }
}
