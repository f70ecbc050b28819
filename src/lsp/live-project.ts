import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { AgentformError } from '../errors.ts';
import { cached } from '../json/json.ts';
import { type FactCache, openProject } from '../manifest/project/load-project.ts';
import type { Project } from '../manifest/project/project.ts';
import { textLimit } from '../manifest/project/project-files.ts';
import { desiredOfAll, type Resolution } from '../manifest/resolve/resolution.ts';
import { resolveProject } from '../manifest/resolve/resolve-project.ts';
import { validateProject } from '../manifest/resolve/validate-project.ts';
import type { RecordKey } from '../record/store.ts';
import { failureText } from '../report/notices.ts';
import { problemsOfFailure } from '../report/problems/error-text.ts';
import type { Host } from '../session/host.ts';
import { runTests, testFailure } from '../testing/run-tests.ts';
import { type FoundProblems, hasErrors, type Problem, withoutDuplicates } from '../yaml/problem.ts';
import { type LocalRecord, readLocalRecord } from './last-applied.ts';
import type { OpenDocuments, ProjectDocuments } from './positions.ts';
import { ProjectIndex } from './project-index.ts';

export const projectFile = 'agentform.yaml';

/** The parts of the process that the server uses. */
export interface ServerContext {
  readonly env: Host['env'];
  readonly cache: FactCache | undefined;
  readonly now: () => Date;
}

interface SnapshotInput {
  readonly documents: OpenDocuments;
  readonly env: Host['env'];
  /** The resolved environments of the last check. Environments that the check left out are missing. */
  readonly resolutions: ReadonlyMap<string, Resolution>;
}

/** The last checked state of a project. */
export class Snapshot implements ProjectDocuments {
  readonly project: Project;
  readonly root: string;
  readonly documents: OpenDocuments;
  readonly env: Host['env'];
  readonly #resolutions: Map<string, Promise<Resolution>>;
  #index: ProjectIndex | undefined;

  constructor(project: Project, { documents, env, resolutions }: SnapshotInput) {
    this.project = project;
    this.root = project.root;
    this.documents = documents;
    this.env = env;
    this.#resolutions = new Map([...resolutions].map(([name, one]) => [name, Promise.resolve(one)]));
  }

  /** Returns the text of a file. Use the text only to find places, because it may contain credentials. */
  sourceOf = (file: string): string | undefined => textIn(this.project, file);

  /** The index of the mentions in all files. */
  get index(): ProjectIndex {
    this.#index ??= new ProjectIndex(this.project);
    return this.#index;
  }

  localRecord(key: RecordKey): Promise<LocalRecord> {
    return readLocalRecord(this.project, key);
  }

  /** Resolves all manifests in an environment, with secrets by name only. */
  resolution(environment: string): Promise<Resolution> {
    return cached(this.#resolutions, environment, () =>
      resolveProject(this.project, { environment, env: this.env, secrets: 'names', prompts: 'all' }),
    );
  }

  async resolutions(): Promise<ReadonlyMap<string, Resolution>> {
    const found = new Map<string, Resolution>();
    for (const name of this.project.environments) found.set(name, await this.resolution(name));
    return found;
  }
}

/** The problems that one check found. */
export interface ProjectProblems extends FoundProblems {
  readonly root: string;
  /**
   * The path of the only file that was checked, relative to the project folder. This member is absent if all files were
   * checked.
   */
  readonly file?: string;
  /** The versions of the open documents at the time of the check, by absolute path. */
  readonly versions?: ReadonlyMap<string, number>;
}

interface Listener {
  /** Called after each check. A large project may check the edited file alone before it checks all files. */
  readonly checked: (checked: ProjectProblems) => void;
  /** Called with the failed cases after Tests ran, or after an edit that may repair some cases. */
  readonly played: (root: string, failed: FoundProblems) => void;
  /** Called when agentform.yaml was removed. */
  readonly gone: (root: string) => void;
  /** Called with unexpected errors. */
  readonly failed: (error: unknown) => void;
}

/** The failed cases of the last run, and the texts of their files at the time of that run. */
interface Played extends FoundProblems {
  readonly texts: ReadonlyMap<string, string | undefined>;
}

/**
 * The minimum number of resources for first checking an edited file alone. In smaller projects, a separate check of one
 * file would not be faster.
 */
const minResources = 100;

/** A project in an editor, checked again after every edit. */
export class LiveProject {
  readonly root: string;
  readonly #documents: OpenDocuments;
  readonly #context: ServerContext;
  readonly #listener: Listener;
  #snapshot: Snapshot | undefined;
  /** The number of resources in the last check. */
  #size = 0;
  #isDirty = false;
  /**
   * The path of the last edited document, relative to the project folder, or undefined if that document has been
   * checked.
   */
  #newest: string | undefined;
  #running: Promise<void> | undefined;
  /** Cancels the check of all files. Set only if the edited file was checked alone first. */
  #giveUp: AbortController | undefined;
  #played: Played | undefined;
  #isClosed = false;

  constructor(root: string, documents: OpenDocuments, context: ServerContext, listener: Listener) {
    this.root = root;
    this.#documents = documents;
    this.#context = context;
    this.#listener = listener;
  }

  edited(): void {
    this.#isDirty = true;
    this.#running ??= this.#run();
  }

  /** Notes an edit of an open document. The document may be checked alone before all files are checked. */
  editedDocument(path: string): void {
    this.#newest = path;
    this.#giveUp?.abort();
    this.edited();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Waits until all edits so far are checked. Returns the last usable state. */
  async current(): Promise<Snapshot | undefined> {
    while (this.#running !== undefined) await this.#running;
    return this.#snapshot;
  }

  /** The last usable state, which may lack the latest edits. */
  get latest(): Snapshot | undefined {
    return this.#snapshot;
  }

  /** Whether any case of a Test is known to fail. */
  get hasFailures(): boolean {
    return this.#played !== undefined;
  }

  /** Runs one check at a time. The next check covers all edits that are made during a check. */
  async #run(): Promise<void> {
    await turn();
    while (this.#isDirty && !this.#isClosed) {
      this.#isDirty = false;
      try {
        await this.#check();
      } catch (error) {
        this.#listener.failed(error);
      }
      await turn();
    }
    this.#running = undefined;
  }

  async #check(): Promise<void> {
    const { root } = this;
    const open = this.#documents.textsBelow(root);
    const { versions } = this.#documents;
    if (!existsSync(root) || (!open.has(projectFile) && !existsSync(join(root, projectFile)))) {
      this.close();
      this.#listener.gone(root);
      return;
    }
    const newest = this.#newest;
    this.#newest = undefined;
    try {
      const input = { root, file: projectFile, open, earlier: this.#snapshot?.project };
      const project = openProject(input, this.#context);
      this.#dropPlayed(project);
      const isFirst = newest !== undefined && (await this.#checkFile(project, newest, versions));
      // A newer edit of one document is more urgent than checking all files.
      if (isFirst && this.#isDirty) return;
      await this.#checkAll(project, versions, isFirst);
    } catch (error) {
      if (!(error instanceof AgentformError)) throw error;
      if (error.code === 'run-refused') this.#isDirty = true;
      else this.#listener.checked({ ...problemsOfFailure(error), root, versions });
    }
  }

  /** Checks an edited file alone if a check of all files is slow. Returns whether the file was checked. */
  async #checkFile(project: Project, file: string, versions: ReadonlyMap<string, number>): Promise<boolean> {
    // These files need a full check: agentform.yaml affects all resources, and a table affects every member of its
    // fleet.
    if (this.#size < minResources || file === projectFile || /\.csv$/i.test(file)) return false;
    const { problems } = await validateProject(project, { ...this.#options(), edited: file });
    if (project.files.source(file) === undefined) return false;
    const own = problems.filter(({ at }) => at?.file === file);
    this.#listener.checked({ problems: own, sourceOf: project.sourceOf, root: this.root, file, versions });
    return true;
  }

  async #checkAll(project: Project, versions: ReadonlyMap<string, number>, mayGiveUp: boolean): Promise<void> {
    const giveUp = new AbortController();
    this.#giveUp = mayGiveUp ? giveUp : undefined;
    try {
      const options = { ...this.#options(), signal: giveUp.signal, keepsResolutions: true };
      const { problems, all, resolutions } = await validateProject(project, options);
      project.parsed.forget();
      this.#snapshot = new Snapshot(project, { documents: this.#documents, env: this.#context.env, resolutions });
      this.#size = all.length;
      if (!this.#isClosed) this.#listener.checked({ problems, sourceOf: project.sourceOf, root: this.root, versions });
    } catch (error) {
      if (!giveUp.signal.aborted) throw error;
    } finally {
      this.#giveUp = undefined;
    }
  }

  #options() {
    return { env: this.#context.env, prompts: 'all', judge: { now: this.#context.now() } } as const;
  }

  /** Runs the Tests as `agentform test` does. Skips environments whose manifests have errors. */
  async play(): Promise<void> {
    const snapshot = await this.current();
    if (snapshot === undefined) return;
    const failures: Problem[] = [];
    for (const [environment, resolution] of await snapshot.resolutions()) {
      if (resolution.tests.length === 0 || hasErrors(resolution.problems)) continue;
      const { cases } = runTests(resolution.tests, { environment, desired: desiredOfAll(resolution) });
      for (const one of cases) {
        if (one.outcome === 'passed') continue;
        const message = failureText(testFailure(one), environment);
        failures.push({ severity: 'warning', rule: 'test-failed', message, at: one.at });
      }
    }
    const problems = withoutDuplicates(failures);
    const files = new Set(problems.flatMap(({ at }) => at?.file ?? []));
    const texts = new Map([...files].map((file) => [file, snapshot.sourceOf(file)]));
    this.#publishPlayed({ problems, sourceOf: snapshot.project.sourceOf, texts });
  }

  #publishPlayed(played: Played): void {
    const before = this.#played?.problems.length ?? 0;
    this.#played = played.problems.length === 0 ? undefined : played;
    if (before + played.problems.length > 0 && !this.#isClosed) this.#listener.played(this.root, played);
  }

  /**
   * Drops failed cases whose files were edited, because these cases may pass now. Saving a document runs all cases
   * again.
   */
  #dropPlayed(project: Project): void {
    if (this.#played === undefined) return;
    const { problems, texts } = this.#played;
    const left = problems.filter(({ at }) => at !== undefined && textIn(project, at.file) === texts.get(at.file));
    if (left.length < problems.length) this.#publishPlayed({ ...this.#played, problems: left });
  }
}

function textIn({ files }: Project, file: string): string | undefined {
  // Skips the size check for a loaded file, because a large file may have many problems, each with one call.
  return (files.source(file) ?? files.read(file, textLimit).source)?.text;
}
