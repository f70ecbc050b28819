import { dirname, join } from 'node:path';
import { AgentformError, reasonOf } from '../../errors.ts';
import { readPlainBytes, requireNoCrossing, requireNoLinks } from '../../files/plain-file.ts';
import { makeFolder, replaceFile } from '../../files/whole-file.ts';
import { canonicalJson, type JsonObject, mapTexts, parsePointer, valueAt } from '../../json/json.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import { formatPath } from '../../kinds/field-path.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { leavesOf } from '../../kinds/leaves.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { desiredOfAll, type Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { textDigest } from '../../plan/digests.ts';
import { entryOf, secretReference } from '../../secrets/secret.ts';
import { environmentNamed } from '../../session/environment.ts';
import { keyedOffline } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';
import { requireMatches, type Selection, selector } from '../../session/selection.ts';
import { requireValid, type SessionOptions } from '../../session/session.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import { escapeText, splitText } from '../../yaml/interpolate.ts';
import type { Problem } from '../../yaml/problem.ts';

export interface RenderOptions extends Selection, Pick<SessionOptions, 'project' | 'environment'> {
  /** The folder for the files. Existing files are replaced. If omitted, nothing is written. */
  readonly out?: string | undefined;
}

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

/** Texts by path relative to the folder, with forward slashes. */
type RenderedFiles = Map<string, string>;

export interface RenderResult {
  readonly environment: string;
  /** The resources, sorted by kind and name. */
  readonly resources: readonly RenderedResource[];
  /** Each resource as one complete manifest: bases and included files merged, secrets by reference. */
  readonly manifests: readonly JsonObject[];
  /** The manifests as files contain them. Every text that only looks like a reference is escaped. */
  readonly written: readonly JsonObject[];
  /** Paths of files that were written. Other files were up to date. */
  readonly changed: readonly string[];
  readonly warnings: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
}

/**
 * Resolves the selected resources. With `out`, writes the body that the first apply of each resource would send, with
 * references instead of secrets. Needs no network and no secrets. Throws ManifestsInvalid for manifests with errors.
 * Throws `file-unwritable` if a file cannot be written.
 */
export async function render(
  host: Pick<Host, 'env' | 'readable' | 'cache'>,
  { out, ...options }: RenderOptions,
): Promise<RenderResult> {
  const project = await loadProject(options.project, host);
  const { sourceOf } = project;
  const environment = environmentNamed(project, options.environment);
  const select = selector(options);
  const resolution = await resolveProject(project, { environment, env: host.env, secrets: 'names', select });
  const { problems } = resolution;
  requireValid(problems, { project, environment });
  requireMatches(options, { ...resolution, environment, removed: [] });
  const files: RenderedFiles = new Map();
  const env = { ...host.env, ...referencesTo(resolution.secretNames) };
  const resolving = { environment, env, select, secrets: 'values', allowedSecrets: undefined } as const;
  const sent = await resolveProject(project, resolving);
  const known = new Map(desiredOfAll(sent).map((one) => [addressOf(one), one.sections]));
  const marked = desiredOfAll(await keyedOffline(resolution)).map((one) => ({
    ...one,
    sections: known.get(addressOf(one)) ?? withReferences(one, resolution),
  }));
  const whole = marked.map((one) => ({ ...one, sections: mapTexts(one.sections, unmarked) }));
  const resources = whole.map((one) => renderResource(one, files));
  const manifests = whole.map(manifestOf);
  const written = marked.map((one) => mapTexts(manifestOf(one), writtenText));
  files.set('render.json', `${JSON.stringify({ formatVersion: 1, environment, resources }, null, 2)}\n`);
  const changed = out === undefined ? [] : await writeFiles(out, project.root, files);
  return { environment, resources, manifests, written, changed, warnings: problems, sourceOf };
}

function manifestOf({ kind, name, labels, sections }: Desired): JsonObject {
  return { apiVersion: 'agentform/v1', kind, name, ...(labels && { labels: { ...labels } }), ...sections };
}

/** Distinguishes references to secrets from texts with the same characters. */
const mark = '\0';

function markedReference(name: string): string {
  return secretReference(name).replace('.', `${mark}.`);
}

function unmarked(text: string): string {
  return text.replaceAll(`\${secret${mark}.`, '${secret.');
}

/** Writes a text with marked references as a manifest contains it: with the references, and the rest escaped. */
function writtenText(text: string): string {
  const [first = '', ...others] = text.split(`\${secret${mark}.`);
  const pieces = others.map((piece) => {
    const end = piece.indexOf('}') + 1;
    return `\${secret.${piece.slice(0, end)}${escapeText(piece.slice(end))}`;
  });
  return [escapeText(first), ...pieces].join('');
}

/** Returns process variables that set each secret to its own marked reference, so that texts contain references. */
function referencesTo(secretNames: ReadonlySet<string>): Record<string, string> {
  const values = new Map<string, string>();
  const objects = new Map<string, Record<string, string>>();
  for (const name of secretNames) {
    const entry = entryOf(name);
    if (entry === undefined) values.set(name, markedReference(name));
    else objects.set(entry.of, { ...objects.get(entry.of), [entry.key]: markedReference(name) });
  }
  for (const [name, entries] of objects) values.set(name, JSON.stringify(entries));
  return Object.fromEntries(values);
}

/**
 * Returns the sections of a resource, with the unresolved value in place of each sensitive value. Used when references
 * would be invalid, for example as an email address.
 */
function withReferences(desired: Desired, { shownValuesOf }: Resolution): JsonObject {
  const sections = structuredClone(desired.sections);
  const values = shownValuesOf(addressOf(desired)) ?? {};
  for (const pointer of desired.sensitive) {
    const steps = parsePointer(pointer);
    const last = steps.at(-1) ?? '';
    const holder = valueAt(sections, steps.slice(0, -1));
    const source = valueAt(values, steps);
    const text = typeof source === 'string' ? markedText(source) : '';
    if (typeof holder === 'object' && holder !== null) Object.assign(holder, { [last]: text });
  }
  return sections;
}

function markedText(source: string): string {
  const pieces = splitText(source).map((piece) => (piece.type === 'secret' ? markedReference(piece.name) : piece.text));
  return pieces.join('');
}

function renderResource(desired: Desired, files: RenderedFiles): RenderedResource {
  const { kind, name, sections } = desired;
  const definition = kindNamed(kind);
  const leaves = leavesOf(kind, sections);
  const changes = leaves.map(([path]) => ({ op: 'set', path, replaces: false }) as const);
  const body: JsonObject = definition.body(desired, changes, definition.isThere?.(desired) ? 'update' : 'create');
  const folder = addressOf(desired);
  const bodyFile = `${folder}/body.json`;
  files.set(bodyFile, `${JSON.stringify(body, null, 2)}\n`);
  const texts: Record<string, string> = {};
  const taken = new Set<string>();
  for (const [path, { value }] of leaves) {
    if (typeof value !== 'string') continue;
    // A name that is valid on any file system.
    const steps = path.map((step) => step.replace(/[^A-Za-z0-9_-]/g, '_') || '_');
    const file = `${folder}/${freeName(steps.join('.').slice(0, 180), taken)}`;
    files.set(file, value);
    texts[formatPath(kind, path)] = file;
  }
  return { kind, name, digest: textDigest(canonicalJson(body)), body: bodyFile, texts };
}

/** Makes a `.txt` file name that is unique regardless of case. */
function freeName(name: string, taken: Set<string>): string {
  let free = `${name}.txt`;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${name}-${count}.txt`;
  taken.add(free.toLowerCase());
  return free;
}

/**
 * Writes the files that differ, and returns their paths. Refuses symbolic links in the folder, and links on the path to
 * the folder that lead into or out of the project.
 */
async function writeFiles(folder: string, root: string, files: RenderedFiles): Promise<string[]> {
  const changed: string[] = [];
  try {
    requireNoCrossing(root, folder);
    for (const [path, text] of files) {
      const target = join(folder, path);
      requireNoLinks(folder, dirname(target));
      if (readPlainBytes(target, Number.MAX_SAFE_INTEGER)?.bytes.equals(Buffer.from(text))) continue;
      await makeFolder(dirname(target));
      await replaceFile(target, text, { flush: false });
      changed.push(path);
    }
  } catch (cause) {
    throw new AgentformError('file-unwritable', `${folder} cannot be written: ${reasonOf(cause)}`, { cause });
  }
  return changed;
}

/** Renders the result for a terminal: the digest of each resource, and the number of changed files. */
export function renderRenderedText({ resources, changed, out }: RenderResult & { readonly out: string }): string {
  const lines = resources.map((one) => {
    const texts = counted(Object.keys(one.texts).length, 'text');
    return `${addressOf(one)}  ${one.body} and ${texts}  ${one.digest}`;
  });
  const end =
    changed.length === 0
      ? `Everything in ${out} was up to date.`
      : `Changed ${counted(changed.length, 'file')} in ${out}.`;
  return `${[...lines, end].map(visibleLine).join('\n')}\n`;
}
