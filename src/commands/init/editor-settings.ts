import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditorSchema, schemaCopy } from '../../files/package-files.ts';
import { isJsonObject } from '../../json/json.ts';
import { ProjectFiles, yamlLimit } from '../../manifest/project/project-files.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { toJson } from '../../yaml/tree.ts';

/** Relative to the folder that an editor has open. */
export const editorSettingsPath = '.vscode/settings.json';

/** The pattern of manifests in a new project: a single one, so that a missing folder causes no warning. */
export const starterGlobs: readonly string[] = ['{agents,fleets,policies,tests}/**/*.{yaml,yml}'];

/** Bases, templates, overrides and tasks may be anywhere; these are the places of the docs and the examples. */
const otherGlobs = {
  manifests: ['{shared,templates,clients,policies,tests}/**/*.{yaml,yml}'],
  tasks: 'tasks/**/*.{yaml,yml}',
};

/**
 * The schema of each file for the YAML language server: an empty manifest has no first line for it. `folder` is the way
 * from the folder that an editor has open to the project; empty if they are the same.
 */
export function editorSettings(folder: string, manifests: readonly string[]): Readonly<Record<string, unknown>> {
  const below = (path: string) => (folder === '' ? path : path.replace(/^!?/, (not) => `${not}${folder}/`));
  const schema = (name: EditorSchema) => `./${below(schemaCopy(name))}`;
  return {
    'yaml.schemas': {
      [schema('project')]: below('agentform.yaml'),
      [schema('manifest')]: [...manifests, ...otherGlobs.manifests].map(below),
      [schema('task')]: below(otherGlobs.tasks),
    },
  };
}

export function editorSettingsText(settings: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** The patterns of manifests that the project at `root` has; those of a new one if it has none that can be read. */
export function manifestPatterns(root: string): readonly string[] {
  if (!existsSync(join(root, 'agentform.yaml'))) return starterGlobs;
  const fileReading = new ProjectFiles(root).read('agentform.yaml', yamlLimit);
  const tree = fileReading.failure === undefined ? parseYaml(fileReading.source).root : undefined;
  const file = tree?.type === 'map' ? toJson(tree) : undefined;
  const patterns = isJsonObject(file) && Array.isArray(file.manifests) ? file.manifests : [];
  const texts = patterns.filter((pattern) => typeof pattern === 'string');
  return texts.length === 0 ? starterGlobs : texts;
}

/** Whether settings that are there name the schemas of these settings; they may have comments, as no JSON has. */
export async function hasEditorSettings(path: string, wanted: Readonly<Record<string, unknown>>): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const schemas = Object.keys(Object.values(wanted)[0] ?? {});
  return text === undefined || schemas.every((schema) => text.includes(schema.replace(/^\.\//, '')));
}
