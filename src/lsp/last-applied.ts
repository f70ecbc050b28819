import { join } from 'node:path';
import { runGit } from '../git/command.ts';
import { findRepository } from '../git/repository.ts';
import type { Project } from '../manifest/project/project.ts';
import { recordsAt } from '../record/git/branch-settings.ts';
import { parseRecord, pathOnBranch } from '../record/record-text.ts';
import type { RecordKey } from '../record/store.ts';
import { storeOf } from '../record/store-table.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';

/**
 * A record that can be read without a connection: from a file, or from the local copy of the record branch. The value
 * is `unread` if the record was not read.
 */
export type LocalRecord = { readonly record: ResourceRecord | undefined } | 'unread';

/** Reads records for an editor. Caches the records that it reads from commits. */
export class LocalRecords {
  readonly #root: string;
  /** Records that were read, by commit and path on the branch. */
  readonly #ofCommits = new Map<string, Promise<LocalRecord>>();
  /** The path of the project in its repository, or undefined until it is known. */
  #prefix: string | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  async read(settings: Project['record'], key: RecordKey): Promise<LocalRecord> {
    const store = storeOf(settings);
    if (store.isInProject) {
      const opened = await store.open({ root: this.#root, record: settings, env: {} });
      const found = await opened.read(key).catch(() => 'unread' as const);
      return found === 'unread' ? found : { record: found?.record };
    }
    return store.needsRemote ? this.#onLocalBranch(settings, key) : 'unread';
  }

  async #onLocalBranch(settings: Project['record'], key: RecordKey): Promise<LocalRecord> {
    const { remote, branch } = recordsAt(settings);
    this.#prefix ??= await this.#findPrefix();
    const prefix = this.#prefix;
    if (prefix === undefined) return 'unread';
    const commit = await this.#git(['rev-parse', '--verify', '--quiet', `refs/remotes/${remote}/${branch}`]);
    if (commit === undefined) return 'unread';
    const path = join(prefix, pathOnBranch(key)).replaceAll('\\', '/');
    const blob = `${commit.trim()}:${path}`;
    const known = this.#ofCommits.get(blob);
    if (known !== undefined) return known;
    if (this.#ofCommits.size >= maxKept) this.#ofCommits.clear();
    const read = this.#recordIn(blob, path);
    this.#ofCommits.set(blob, read);
    return read;
  }

  async #findPrefix(): Promise<string | undefined> {
    const repository = await findRepository(this.#root).catch(() => undefined);
    return repository === undefined || 'problem' in repository ? undefined : repository.prefix;
  }

  async #recordIn(blob: string, path: string): Promise<LocalRecord> {
    const text = await this.#git(['cat-file', 'blob', blob]);
    if (text === undefined) return { record: undefined };
    try {
      return { record: parseRecord(text, path).record };
    } catch {
      return 'unread';
    }
  }

  /** Runs git. Returns undefined if it fails. */
  async #git(args: readonly string[]): Promise<string | undefined> {
    const result = await runGit(args, { cwd: this.#root }).catch(() => undefined);
    return result?.code === 0 ? result.stdout.toString('utf8') : undefined;
  }
}

/** The maximum number of cached records from the record branch. */
const maxKept = 200;
