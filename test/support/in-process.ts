import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { RunEvent } from '../../src/apply/events.ts';
import { startEmulator } from '../../src/emulator/emulator.ts';
import { joinedRedactor, redactor } from '../../src/secrets/redact.ts';
import type { Host } from '../../src/session/host.ts';

/** A folder with these files, and a host that runs use cases on it in this process. */
export interface Workplace {
  readonly root: string;
  readonly host: Host;
  readonly events: RunEvent[];
  readonly write: (path: string, text: string) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  /** All files except those under `.agentform`, by path. */
  readonly files: () => Promise<Record<string, string>>;
  readonly remove: () => Promise<void>;
}

export async function workplace(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Workplace> {
  const root = await mkdtemp(join(tmpdir(), 'agentform-work-'));
  const events: RunEvent[] = [];
  let redact = redactor([]);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  return {
    root,
    events,
    host: {
      // With these empty names, agentform does not start git to read the configured user.
      env: { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '', ...env },
      now: () => new Date(0),
      startEmulator,
      emit: (event) => events.push(event),
      hideSecrets: (next) => {
        redact = joinedRedactor(redact, next);
      },
      redact: (text) => redact(text),
    },
    write,
    read: (path) => readFile(join(root, path), 'utf8'),
    files: () => textsBelow(root),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

async function textsBelow(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = paths.filter((path) => !path.includes('.agentform')).sort();
  return Object.fromEntries(
    await Promise.all(own.map(async (path) => [relative(root, path), await readFile(path, 'utf8')])),
  );
}
