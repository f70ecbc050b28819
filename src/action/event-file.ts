import { existsSync, readFileSync } from 'node:fs';
import { isJsonObject } from '../json/json.ts';

/**
 * Whether the runner's event file is damaged. `@actions/github` reads the same file while it loads, and would
 * end the process with a stack trace. Therefore, `main.ts` loads this module first, and this module hides a damaged
 * file.
 */
export const isEventDamaged = hideDamagedEvent(process.env.GITHUB_EVENT_PATH);

function hideDamagedEvent(path = ''): boolean {
  if (!existsSync(path)) return false;
  try {
    if (isJsonObject(JSON.parse(readFileSync(path, 'utf8')))) return false;
  } catch {
    // An unreadable file counts as damaged.
  }
  delete process.env.GITHUB_EVENT_PATH;
  return true;
}
