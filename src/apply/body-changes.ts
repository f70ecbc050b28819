import { parsePath } from '../kinds/path.ts';
import type { BodyChange } from '../kinds/request-body.ts';
import type { Change } from '../schemas/plan-types.ts';

/** The changes of a plan as far as the request body depends on them. */
export function bodyChanges(changes: readonly Change[]): BodyChange[] {
  return changes.map(({ op, path, from }) => ({ op, path: parsePath(path), replaces: from !== undefined }));
}
