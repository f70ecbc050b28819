import { posix } from 'node:path';
import type { Project } from '../../manifest/project/project.ts';
import { escapeText } from '../../manifest/syntax/interpolate.ts';
import { isLongEnough, secretFinder } from '../../secrets/redact.ts';
import { secretReference } from '../../secrets/reference.ts';
import type { Secret } from '../../secrets/secret.ts';

/** Writes texts so that a manifest which holds them means them. */
export interface LiteralText {
  /** Escapes, and puts a reference in the place of every secret that is known by name. */
  readonly write: (text: string) => string;
  /** Whether a written text still tells a secret, in another form. */
  readonly exposes: (written: string) => boolean;
}

/** The secrets are by the names of their process variables. Short ones occur in any text by chance and are left. */
export function literalText(secrets: ReadonlyMap<string, Secret>): LiteralText {
  const telling = [...secrets].filter(([, secret]) => isLongEnough(secret));
  const names = new Map(telling.map(([name, secret]) => [secret.reveal(), name]));
  const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`(${longestFirst.map(escapePattern).join('|')})`);
  const write = (text: string) =>
    text
      .split(pattern)
      .map((piece, index) => (index % 2 === 1 ? secretReference(names.get(piece) ?? '') : escapeText(piece)))
      .join('');
  return {
    write: telling.length === 0 ? escapeText : write,
    exposes: secretFinder(telling.map(([, secret]) => secret)),
  };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Where the schema of manifests is for a project that installed agentform as a package. */
const installed = 'node_modules/agentform/schemas/manifest.schema.json';

const comment = '# yaml-language-server: $schema=';

/**
 * What the editor's comment in a new manifest at `path` names: what the project's other manifests name, or else the
 * schema of manifests that lies beside the one that the project file names.
 */
export function editorSchema(project: Project, path: string): string {
  for (const other of project.manifests) {
    const schema = namedIn(project, other);
    if (schema !== undefined && other !== path) return seenFrom(path, other, schema);
  }
  const beside = namedIn(project, project.file)?.replace(/project(\.schema\.json)$/, 'manifest$1');
  return beside?.endsWith('manifest.schema.json') ? seenFrom(path, project.file, beside) : relativeTo(path, installed);
}

function namedIn({ files }: Project, file: string): string | undefined {
  const lines = (files.source(file)?.text ?? '').split('\n');
  const named = lines.flatMap(
    (line) => (line.startsWith(comment) ? /^\S+/.exec(line.slice(comment.length)) : null) ?? [],
  );
  return named[0];
}

/** What `schema` in the file `other` names, as the file at `path` names it. */
function seenFrom(path: string, other: string, schema: string): string {
  return /^([a-z]+:|\/)/i.test(schema) ? schema : relativeTo(path, posix.join(posix.dirname(other), schema));
}

function relativeTo(path: string, target: string): string {
  const way = posix.relative(posix.dirname(path), target);
  return way.startsWith('.') ? way : `./${way}`;
}
