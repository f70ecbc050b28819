import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { type FactCache, openProject } from '../manifest/project/load-project.ts';
import type { Project } from '../manifest/project/project.ts';
import { textLimit } from '../manifest/project/project-files.ts';
import { desiredOfAll, type Resolution } from '../manifest/resolve/resolution.ts';
import { resolveProject } from '../manifest/resolve/resolve-project.ts';
import { validateProject } from '../manifest/resolve/validate-project.ts';
import { problemsOfFailure } from '../report/problems/error-text.ts';
import { failureOf, runTests } from '../testing/run-tests.ts';
import { type FoundProblems, hasErrors, type Problem, withoutDuplicates } from '../yaml/problem.ts';
import type { OpenDocuments, ProjectPlaces } from './places.ts';
import { ProjectIndex } from './project-index.ts';

export const projectFile = 'agentform.yaml';

type Env = Readonly<Record<string, string | undefined>>;

/** The part of the process that the server uses. */
export interface Surroundings {
  readonly env: Env;
  readonly cache: FactCache | undefined;
  readonly now: () => Date;
}

/** A project as it was checked last, and the environments that were resolved of it. */
export class Snapshot implements ProjectPlaces {
  readonly project: Project;
  readonly root: string;
  readonly documents: OpenDocuments;
  readonly #env: Env;
  #index: ProjectIndex | undefined;
  readonly #resolutions = new Map<string, Promise<Resolution>>();

  constructor(project: Project, documents: OpenDocuments, env: Env) {
    this.project = project;
    this.root = project.root;
    this.documents = documents;
    this.#env = env;
  }

  /** The literal text of a file, which is only for finding places. */
  sourceOf = (file: string): string | undefined => this.textOf(file);

  textOf(file: string): string | undefined {
    const { files } = this.project;
    const reading = files.read(file, textLimit);
    return 'source' in reading ? reading.source?.text : undefined;
  }

  /** What every file names. */
  get index(): ProjectIndex {
    this.#index ??= new ProjectIndex(this.project);
    return this.#index;
  }

  get env(): Env {
    return this.#env;
  }

  /** Every manifest in an environment, with secrets known by their form only. */
  resolution(environment: string): Promise<Resolution> {
    const known = this.#resolutions.get(environment);
    if (known !== undefined) return known;
    const made = resolveProject(this.project, { environment, env: this.#env, secrets: 'form', prompts: 'all' });
    this.#resolutions.set(environment, made);
    return made;
  }

  async resolutions(): Promise<ReadonlyMap<string, Resolution>> {
    const found = new Map<string, Resolution>();
    for (const name of this.project.environments) found.set(name, await this.resolution(name));
    return found;
  }
}

export interface Checked extends FoundProblems {
  readonly root: string;
  /** The versions of the open documents that were checked, by absolute path. */
  readonly versions: ReadonlyMap<string, number>;
}

interface Listener {
  /** After each check. */
  readonly checked: (checked: Checked) => void;
  /** agentform.yaml is gone. */
  readonly gone: (root: string) => void;
  /** What is not expected. */
  readonly failed: (error: unknown) => void;
}

/** One project, checked again after every edit of one of its files. */
export class LiveProject {
  readonly root: string;
  readonly #documents: OpenDocuments;
  readonly #surroundings: Surroundings;
  readonly #listener: Listener;
  #snapshot: Snapshot | undefined;
  #isDirty = false;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(root: string, documents: OpenDocuments, surroundings: Surroundings, listener: Listener) {
    this.root = root;
    this.#documents = documents;
    this.#surroundings = surroundings;
    this.#listener = listener;
  }

  /** A part of it was edited, or may have been. */
  edited(): void {
    this.#isDirty = true;
    this.#running ??= this.#run();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** The last usable state, once all edits so far are checked. */
  async current(): Promise<Snapshot | undefined> {
    while (this.#running !== undefined) await this.#running;
    return this.#snapshot;
  }

  /** The last usable state, possibly without the latest edits. */
  get latest(): Snapshot | undefined {
    return this.#snapshot;
  }

  /** One check after the other; edits that arrive together are checked together. */
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
    const versions = versionsOf(this.#documents);
    if (!open.has(projectFile) && !existsSync(join(root, projectFile))) {
      this.close();
      this.#listener.gone(root);
      return;
    }
    const found = await this.#problemsNow(open);
    if (found === undefined || this.#isClosed) return;
    this.#listener.checked({ ...found, root, versions });
  }

  /** Undefined where a file was edited meanwhile. */
  async #problemsNow(open: ReadonlyMap<string, string>): Promise<FoundProblems | undefined> {
    const { env, now } = this.#surroundings;
    try {
      const project = openProject(
        { root: this.root, file: projectFile, open, earlier: this.#snapshot?.project },
        this.#surroundings,
      );
      const judge = { now: now(), basePolicies: { policies: [], broken: [] } };
      const { problems } = await validateProject(project, { env, prompts: 'all', judge });
      this.#snapshot = new Snapshot(project, this.#documents, env);
      return { problems, sourceOf: project.sourceOf };
    } catch (error) {
      if (!(error instanceof AgentformError)) throw error;
      if (error.code !== 'run-refused') return problemsOfFailure(error);
      this.#isDirty = true;
      return undefined;
    }
  }

  /** The cases of Tests that do not pass, as `agentform test` says; none while manifests have errors. */
  async failedCases(): Promise<FoundProblems | undefined> {
    const snapshot = await this.current();
    if (snapshot === undefined) return undefined;
    const failures: Problem[] = [];
    for (const [environment, resolution] of await snapshot.resolutions()) {
      if (resolution.tests.length === 0 || hasErrors(resolution.problems)) continue;
      const { cases } = runTests(resolution.tests, { environment, desired: desiredOfAll(resolution) });
      for (const one of cases) {
        if (one.outcome === 'passed') continue;
        const message = `${addressOf(one.agent)} in ${environment}: ${failureOf(one)}`;
        failures.push({ severity: 'warning', rule: 'test-failed', message, at: one.at });
      }
    }
    return { problems: withoutDuplicates(failures), sourceOf: snapshot.project.sourceOf };
  }
}

function versionsOf(documents: OpenDocuments): ReadonlyMap<string, number> {
  return new Map(
    [...documents.paths].flatMap((path) => {
      const document = documents.at(path);
      return document === undefined ? [] : [[path, document.version] as const];
    }),
  );
}
