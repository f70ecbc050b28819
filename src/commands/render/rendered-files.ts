import { lstat, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentformError, errorCodeOf, reasonOf } from '../../errors.ts';
import { requireNoCrossing } from '../../files/plain-file.ts';
import { createFile, makeFolder, replaceFile } from '../../files/whole-file.ts';
import { parsedJson } from '../../json/document.ts';
import { isJsonObject } from '../../json/json.ts';
import { textDigest } from '../../plan/digests.ts';
import { listSome, wasOrWere } from '../../text/wording.ts';

/** Texts by path relative to the folder, with forward slashes. */
export type RenderedFiles = Map<string, string>;

/** The files of one resource, relative to the folder. */
export interface RenderedResource {
  readonly kind: string;
  readonly name: string;
  /** The digest of the body's canonical JSON. */
  readonly digest: string;
  readonly body: string;
  /** The file of each text, by the path of its setting in plans. */
  readonly texts: Readonly<Record<string, string>>;
}

/** The name of the index file. Its digests let the next render recognise its own files. */
const indexName = 'render.json';

/** The maximum number of values in an index. Ten thousand agents need fewer. */
const maxValues = 2_000_000;

/** Matches the paths of rendered files. Other paths in an index are ignored, because an index is untrusted. */
const ownPath = /^[A-Za-z]{1,40}\/[a-z0-9-]{1,63}\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,250}$/;

/**
 * Writes the files and removes outdated files. Returns the changed paths. Writes nothing if a file to replace was
 * edited or did not come from a render. Keeps outdated files that were edited.
 */
export async function writeRendered(
  folder: string,
  {
    root,
    environment,
    resources,
  }: { readonly root: string; readonly environment: string; readonly resources: readonly RenderedResource[] },
  files: ReadonlyMap<string, string>,
): Promise<string[]> {
  const digests = Object.fromEntries([...files].map(([path, text]) => [path, textDigest(text)]));
  const index = `${JSON.stringify({ formatVersion: 1, environment, resources, files: digests }, null, 2)}\n`;
  try {
    requireNoCrossing(root, folder);
    const earlier = await earlierFiles(folder);
    const found = new Map<string, Buffer>();
    for (const path of new Set([...files.keys(), ...earlier.keys()])) {
      const content = await foundContent(folder, path);
      if (content !== undefined) found.set(path, content);
    }
    const { taken, changed, stale } = comparedFiles({ files, earlier, found });
    if (taken.length > 0) throw notOurs(folder, taken);
    await makeFolder(folder);
    for (const path of changed) await put(join(folder, path), files.get(path) ?? '', !found.has(path));
    for (const path of stale) await remove(folder, path);
    const before = await foundContent(folder, indexName);
    if (before?.toString('utf8') !== index) await put(join(folder, indexName), index, before === undefined);
    return [...changed, ...stale].sort();
  } catch (cause) {
    if (cause instanceof AgentformError) throw cause;
    throw new AgentformError('file-unwritable', `${folder} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

interface FolderState {
  readonly files: ReadonlyMap<string, string>;
  /** The digest of each file of the last render, by path. */
  readonly earlier: ReadonlyMap<string, string>;
  readonly found: ReadonlyMap<string, Buffer>;
}

/** Sorts paths into foreign or edited files, files to write, and files to remove. */
function comparedFiles({ files, earlier, found }: FolderState) {
  const isOwn = (path: string) => textDigest(found.get(path)?.toString('utf8') ?? '') === earlier.get(path);
  const changed = [...files].flatMap(([path, text]) => (found.get(path)?.equals(Buffer.from(text)) ? [] : [path]));
  return {
    taken: changed.filter((path) => found.has(path) && !isOwn(path)),
    changed,
    stale: [...earlier.keys()].filter((path) => !files.has(path) && found.has(path) && isOwn(path)),
  };
}

/** Reads the index of the last render. */
async function earlierFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const content = await foundContent(folder, indexName);
  if (content === undefined) return new Map();
  const json = parsedJson(content.toString('utf8'), maxValues);
  if (!isJsonObject(json) || json.formatVersion !== 1 || !isJsonObject(json.files)) throw notOurs(folder, [indexName]);
  const listed = Object.entries(json.files);
  return new Map(listed.flatMap(([path, digest]) => (ownPath.test(path) ? [[path, String(digest)] as const] : [])));
}

/**
 * Reads a file. Returns undefined if the file does not exist. Throws `file-taken` if the path contains a link or is a
 * folder.
 */
async function foundContent(folder: string, path: string): Promise<Buffer | undefined> {
  const steps = path.split('/');
  for (const [index] of steps.entries()) {
    const prefix = join(folder, ...steps.slice(0, index + 1));
    const found = await lstat(prefix).catch((error: unknown) => {
      if (errorCodeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    const isLast = index === steps.length - 1;
    if (isLast ? !found.isFile() : !found.isDirectory()) throw notOurs(folder, [steps.slice(0, index + 1).join('/')]);
  }
  return readFile(join(folder, path));
}

async function put(path: string, text: string, isNew: boolean): Promise<void> {
  await makeFolder(dirname(path));
  await (isNew ? createFile : replaceFile)(path, text, { flush: false });
}

/** Removes a file, and folders that become empty. */
async function remove(folder: string, path: string): Promise<void> {
  await rm(join(folder, path));
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    const isGone = await rmdir(join(folder, above)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

function notOurs(folder: string, paths: readonly string[]): AgentformError {
  const message = `${listSome(paths, 3)} in ${folder} ${wasOrWere(paths.length)} changed or added after the last render, so nothing was written; choose another folder with --out, or delete ${folder} first`;
  return new AgentformError('file-taken', message, { facts: { paths } });
}
