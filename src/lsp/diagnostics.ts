import { join } from 'node:path';
import { type Connection, type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { cached } from '../json/json.ts';
import { reportedProblem } from '../report/problems/machine.ts';
import type { ReportedProblem } from '../schemas/problems-types.ts';
import { isLintRule } from '../yaml/rules.ts';
import { type ProjectProblems, projectFile } from './live-project.ts';
import { type OpenDocuments, pathBelow, rangeOfRegion, startOfFile } from './positions.ts';

/** The base URL of the pages that explain rules. */
const pages = 'https://github.com/agentform/agentform/blob/main/docs/';

/** The source of a diagnostic: `agentform` for `validate`, `agentform test` for Tests. */
type DiagnosticSource = 'agentform' | 'agentform test';

interface Published {
  /** The diagnostics by project and source. */
  readonly byOrigin: Map<string, readonly Diagnostic[]>;
  text: string;
  version: number | undefined;
}

/** The diagnostics in the editor, by absolute path. Several projects may contain the same file. */
export class Diagnostics {
  readonly #connection: Connection;
  readonly #documents: OpenDocuments;
  readonly #byPath = new Map<string, Published>();

  constructor(connection: Connection, documents: OpenDocuments) {
    this.#connection = connection;
    this.#documents = documents;
  }

  /**
   * Replaces the diagnostics of a project, or of one file if only this file was checked. Clears files without problems.
   */
  publish(source: DiagnosticSource, { root, file, versions = new Map(), ...found }: ProjectProblems): void {
    const byPath = new Map<string, Diagnostic[]>();
    for (const problem of found.problems) {
      const reported = reportedProblem(problem, found);
      const path = join(root, reported.file ?? projectFile);
      cached(byPath, path, () => []).push(this.#diagnosticOf(reported, root, source));
    }
    const origin = JSON.stringify([root, source]);
    const paths = file === undefined ? this.#pathsOf(root, origin, versions.keys()) : [join(root, file)];
    for (const path of new Set([...paths, ...byPath.keys()])) {
      this.#set(path, origin, byPath.get(path) ?? [], versions.get(path));
    }
  }

  /**
   * Returns the files whose diagnostics must be published: files that had diagnostics, and open documents. For these,
   * the editor expects an answer even without diagnostics.
   */
  #pathsOf(root: string, origin: string, open: Iterable<string>): string[] {
    const before = [...this.#byPath].flatMap(([path, { byOrigin }]) => (byOrigin.has(origin) ? [path] : []));
    return [...before, ...[...open].filter((path) => pathBelow(root, path) !== undefined)];
  }

  clear(root: string): void {
    for (const source of ['agentform', 'agentform test'] as const) {
      this.publish(source, { root, problems: [], sourceOf: () => undefined });
    }
  }

  of(path: string): readonly Diagnostic[] {
    return diagnosticsIn(this.#byPath.get(path));
  }

  #set(path: string, origin: string, diagnostics: readonly Diagnostic[], version: number | undefined): void {
    const known = this.#byPath.get(path) ?? { byOrigin: new Map(), text: '[]', version: undefined };
    if (diagnostics.length === 0) known.byOrigin.delete(origin);
    else known.byOrigin.set(origin, diagnostics);
    const shown = diagnosticsIn(known);
    const text = JSON.stringify(shown);
    // The editor expects diagnostics after every edit of an open document, even if the diagnostics have not changed.
    const isAnswer = version !== undefined && version !== known.version;
    if (text !== known.text || isAnswer) {
      const { version: _, ...rest } = { version, uri: this.#documents.uriOf(path), diagnostics: [...shown] };
      void this.#connection.sendDiagnostics({ ...rest, ...(version !== undefined && { version }) });
    }
    known.text = text;
    known.version = version ?? known.version;
    if (known.byOrigin.size === 0 && this.#documents.at(path) === undefined) this.#byPath.delete(path);
    else this.#byPath.set(path, known);
  }

  #diagnosticOf(reported: ReportedProblem, root: string, source: DiagnosticSource): Diagnostic {
    const { code, level, message, related } = reported;
    const diagnostic: Diagnostic = {
      range: rangeOf(reported) ?? startOfFile,
      severity: level === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      code,
      codeDescription: { href: pageOf(code) },
      source,
      message,
      relatedInformation: related.flatMap(({ file, message: text, ...region }) => {
        const range = rangeOf(region);
        if (file === undefined || range === undefined) return [];
        return [{ location: { uri: this.#documents.uriOf(join(root, file)), range }, message: text }];
      }),
    };
    fixesOfDiagnostics.set(diagnostic, { root, fixes: reported.fixes });
    return diagnostic;
  }
}

/** The fixes of a diagnostic, with paths relative to a project folder. */
interface Fixes {
  readonly root: string;
  readonly fixes: ReportedProblem['fixes'];
}

const fixesOfDiagnostics = new WeakMap<Diagnostic, Fixes>();

/**
 * Returns the fixes of a diagnostic in a project. Returns an empty list if the diagnostic belongs to another project.
 */
export function fixesOf(diagnostic: Diagnostic, root: string): ReportedProblem['fixes'] {
  const found = fixesOfDiagnostics.get(diagnostic);
  return found?.root === root ? found.fixes : [];
}

function diagnosticsIn(published: Published | undefined): readonly Diagnostic[] {
  const all = [...(published?.byOrigin.values() ?? [])].flat();
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

type ReportedRange = Partial<Pick<ReportedProblem, 'line' | 'column' | 'endLine' | 'endColumn'>>;

function rangeOf({ line, column, endLine, endColumn }: ReportedRange) {
  if (line === undefined || column === undefined || endLine === undefined || endColumn === undefined) return undefined;
  return rangeOfRegion({ line, column, endLine, endColumn });
}

/** Returns the page that explains a rule. */
export function pageOf(rule: string): string {
  if (rule === 'test-failed') return `${pages}testing.md`;
  if (rule.startsWith('prompt-')) return `${pages}prompt-checks.md#${rule}`;
  return `${pages}reference/rules.md#${isLintRule(rule) ? 'lint-rules' : 'errors'}`;
}
