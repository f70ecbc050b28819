import { join } from 'node:path';
import { runGit } from '../git/command.ts';
import { findRepository } from '../git/repository.ts';
import type { Project } from '../manifest/project/project.ts';
import { recordsAt } from '../record/git/branch-settings.ts';
import { pathOnBranch } from '../record/git/layout.ts';
import { parseRecord } from '../record/record-text.ts';
import type { RecordKey } from '../record/store.ts';
import { storeOf } from '../record/store-table.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';

/** The records that need no connection: those in files, and the local copy of their branch. */
export type LocalRecord = { readonly record: ResourceRecord | undefined } | 'unread';

export async function localRecord({ root, record: settings }: Project, key: RecordKey): Promise<LocalRecord> {
  const store = storeOf(settings);
  if (store.isInProject) {
    const opened = await store.open({ root, record: settings, env: {} });
    const found = await opened.read(key).catch(() => 'unread' as const);
    return found === 'unread' ? found : { record: found?.record };
  }
  if (!store.needsRemote) return 'unread';
  return (await onLocalBranch(root, settings, key)) ?? 'unread';
}

async function onLocalBranch(
  root: string,
  settings: Project['record'],
  key: RecordKey,
): Promise<LocalRecord | undefined> {
  const { remote, branch } = recordsAt(settings);
  const repository = await findRepository(root).catch(() => undefined);
  if (repository === undefined || 'problem' in repository) return undefined;
  const ref = `refs/remotes/${remote}/${branch}`;
  const known = await runGit(['rev-parse', '--verify', '--quiet', ref], { cwd: root }).catch(() => undefined);
  if (known?.code !== 0) return undefined;
  const place = join(repository.prefix, pathOnBranch(key)).replaceAll('\\', '/');
  const shown = await runGit(['cat-file', 'blob', `${ref}:${place}`], { cwd: root }).catch(() => undefined);
  if (shown === undefined) return undefined;
  if (shown.code !== 0) return { record: undefined };
  try {
    return { record: parseRecord(shown.stdout.toString('utf8'), place).record };
  } catch {
    return undefined;
  }
}
