import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The commit that the project folder is at; undefined outside git, or without git. */
export async function currentCommit(root: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--verify', 'HEAD'], { cwd: root });
    return stdout.trim();
  } catch {
    return undefined;
  }
}
