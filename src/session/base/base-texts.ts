import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Project } from '../../manifest/project/project.ts';
import { textLimit } from '../../manifest/project/project-files.ts';
import { isPromptRule } from '../../prompts/prompt-text.ts';
import { mayAllow } from '../../yaml/allow-comments.ts';
import { BaseTexts } from '../../yaml/base-texts.ts';
import { lintRules } from '../../yaml/rules.ts';

/** What the project of a base commit lets comments allow; undefined where no prompt check is an error there. */
export async function baseTexts({ root, lint, files }: Pick<Project, 'root' | 'lint' | 'files'>) {
  const names = lintRules.flatMap(({ name, level }) => ((lint[name] ?? level) === 'error' ? [name] : []));
  const rules = names.filter(isPromptRule);
  if (rules.length === 0) return undefined;
  const texts = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
    const text = entry.isSymbolicLink() ? linkedText(files, path) : await ownText(entry);
    if (text !== undefined && (mayAllow(text) || text.includes('\n@@ '))) texts.set(path, text);
  }
  return new BaseTexts(rules, texts);
}

/** Undefined for what is no file; one that is too long is not read into texts either. */
async function ownText(entry: Dirent): Promise<string | undefined> {
  const path = join(entry.parentPath, entry.name);
  if (!entry.isFile() || (await stat(path)).size > textLimit) return undefined;
  return readFile(path, 'utf8');
}

/** By the rules of the project, so that nothing outside of it is read. */
function linkedText(files: Project['files'], path: string): string | undefined {
  const reading = files.read(path, textLimit);
  return 'source' in reading ? reading.source.text : undefined;
}
