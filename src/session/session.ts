import { reasonOf } from '../errors.ts';
import { findRepository, isOutsideGit } from '../git/repository.ts';
import { addressOf, commandIn } from '../kinds/desired.ts';
import { loadProject } from '../manifest/project/load-project.ts';
import type { Project } from '../manifest/project/project.ts';
import type { Resolution } from '../manifest/resolve/resolution.ts';
import { type ProjectFacts, resolveProject } from '../manifest/resolve/resolve-project.ts';
import type { Policy } from '../policy/policy.ts';
import type { RecordStore, StoredRecord } from '../record/store.ts';
import { isOnEmulator } from '../record/store-table.ts';
import type { SinceOptions } from '../schemas/option-types.ts';
import { isLongEnough, redactor } from '../secrets/redact.ts';
import type { ProjectTest } from '../testing/project-test.ts';
import { counted, listSome } from '../text/wording.ts';
import { type FoundProblems, hasErrors, type Problem, ProblemsError, shownProblems } from '../yaml/problem.ts';
import { type BaseRules, judgingRules, restrictedTo, rulesAtCommit } from './base/base-rules.ts';
import { type Connected, withConnections } from './connections.ts';
import { environmentNamed } from './environment.ts';
import { FingerprintKeys, type KeyedResolution } from './fingerprint-keys.ts';
import type { Host } from './host.ts';
import { finishedMoves, withOwnRecords } from './records/records.ts';
import { requireMatches, type SelectedResources, type Selection, selectedResources } from './selection.ts';

/** Limits a selection to resources that changed since a commit. */
export interface ChangeSelection extends SinceOptions {
  /** Also includes resources whose records do not show that they were applied or, with `unpublished`, published. */
  readonly alsoSelects?: 'unapplied' | 'unpublished' | undefined;
}

export interface SessionOptions extends Selection, ChangeSelection {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly environment?: string | undefined;
  /** How to handle a name that matches no resource. By default, such a name is an error. */
  readonly unmatched?: 'ignore';
  readonly concurrency: number;
  /** Stops reading when aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The base commit. The policies, limits and lint levels of this commit apply too, so that a change cannot weaken
   * them.
   */
  readonly base?: string | undefined;
}

/** The open project, records and connections of a command that works on one environment. */
export interface Session extends Connected {
  readonly project: Project;
  readonly environment: string;
  readonly resolution: KeyedResolution;
  readonly selection: SelectedResources;
  readonly keys: FingerprintKeys;
  readonly warnings: readonly Problem[];
  /** The environment's policies in the checkout and the base commit. */
  readonly policies: readonly Policy[];
  /** The Tests in the checkout and the base commit. */
  readonly tests: readonly ProjectTest[];
  /** The base's rollout and resources, for each environment with a rollout. Undefined if there are no base rules. */
  readonly formerRollouts: BaseRules['rollouts'] | undefined;
  readonly store: RecordStore;
  /** From now on, also redacts these texts in output and in messages from the service. */
  readonly hide: (texts: readonly string[]) => void;
}

/** Runs work in a session: resolves the manifests of an environment, and opens its records and connections. */
export async function withSession<Result>(
  host: Host,
  options: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const loaded = await loadProject(options.project, host);
  const environment = environmentNamed(loaded, options.environment);
  const { env, allowedSecrets, openedBase } = host;
  const baseRules = await rulesAtCommit(loaded, options.base, { environments: [environment], env, openedBase });
  const project = restrictedTo(loaded, baseRules);
  return withOwnRecords({ project, environment, env, allowedSecrets, signal: options.signal }, (opened) =>
    inEnvironment(host, options, { opened, baseRules, work }),
  );
}

interface SessionWork<Result> {
  readonly opened: Pick<Session, 'project' | 'environment' | 'store'>;
  readonly baseRules: BaseRules | undefined;
  readonly work: (session: Session) => Promise<Result>;
}

/** Carries out the steps of a session: selection → manifests → rules → warnings → connections → work. */
async function inEnvironment<Result>(
  host: Host,
  options: SessionOptions,
  { opened, baseRules, work }: SessionWork<Result>,
): Promise<Result> {
  const { project } = opened;
  const { concurrency } = options;
  return withConnections(host, { project, concurrency, redact: host.redact }, async (connect) => {
    const keys = new FingerprintKeys(project.root);
    const { changedSince } = options;
    const selected: SelectedFacts =
      changedSince === undefined
        ? { selection: selectedResources(options) }
        : await changesSelected(host, { ...options, ref: changedSince }, opened);
    const { selection } = selected;
    const resolution = await resolved(opened, selected, host);
    host.hideSecrets(redactor(resolution.secrets.filter(isLongEnough)));
    requireValid(resolution.problems, opened);
    const { problems, ...judges } = judgingRules(baseRules, { ...opened, resolution }, host.now());
    const found = [
      ...resolution.problems,
      ...(await finishedMoves({ ...opened, resolution })),
      ...(await strayRecords(opened)),
      ...(await unansweredByGit(opened)),
      ...problems,
    ];
    const warnings = shownProblems(found, (path) => project.files.source(path));
    requireValid(warnings, opened);
    if (options.unmatched !== 'ignore') requireMatches(options, { ...opened, ...resolution, removed: project.removed });
    const { service, connectionOf } = await connect(resolution.selected.map(({ target }) => target));
    return work({
      ...{ ...opened, ...judges, selection, keys, warnings, service, connectionOf },
      hide: (texts) => host.hideSecrets(redactor(texts)),
      formerRollouts: baseRules?.rollouts,
      resolution: await keys.resolution(resolution),
    });
  });
}

type OpenProject = SessionWork<unknown>['opened'];

interface SelectedFacts {
  readonly selection: SelectedResources;
  /** The facts of all manifests, if the selection needed them. */
  readonly facts?: ProjectFacts;
}

/**
 * Resolves the manifests. The secrets in the result include the hidden secrets and the record store's secrets, so that
 * all these secrets are redacted.
 */
async function resolved(opened: OpenProject, { selection, facts }: SelectedFacts, host: Host): Promise<Resolution> {
  const { env, allowedSecrets } = host;
  const { environment, project } = opened;
  const select = selection.includes;
  const resolution = await resolveProject(
    project,
    { environment, secrets: 'values', select, env, allowedSecrets },
    facts,
  );
  const secrets = [...resolution.secrets, ...(host.hiddenSecrets ?? []), ...(opened.store.secrets ?? [])];
  return { ...resolution, secrets };
}

async function changesSelected(
  { env, openedBase }: Pick<Host, 'env' | 'openedBase'>,
  { ref, alsoSelects, ...selection }: SessionOptions & { readonly ref: string },
  { project, environment, store }: OpenProject,
): Promise<SelectedFacts> {
  const { changedSelection, changesSince } = await import('./base/changed-since.ts');
  const asked = { ref, environments: [environment], env, openedBase };
  const changes = (await changesSince(project, asked)).get(environment);
  if (changes === undefined) throw new Error(`${environment} was not compared`);
  const applied = alsoSelects && {
    records: await recordsOf(store, environment),
    publishes: alsoSelects === 'unpublished',
  };
  return { selection: changedSelection(project, { selection, ref, changes, applied }), facts: changes.now };
}

/** Warns about unexpected files beside the records, such as a README. */
async function strayRecords({ store, environment }: Pick<Session, 'store' | 'environment'>): Promise<Problem[]> {
  const strays = (await store.strays?.(environment)) ?? [];
  if (strays.length === 0) return [];
  const why =
    strays.length === 1 ? 'is ignored, because it is not a record' : 'are ignored, because they are not records';
  const message = `${listSome(strays, 3)} on the record branch ${why}`;
  return [{ severity: 'warning', rule: 'record-stray', message }];
}

/**
 * Returns a warning if git does not work. Without the warning, a user would not notice that guards and records lack the
 * commits that they need.
 */
async function unansweredByGit({ project, environment }: Pick<Session, 'project' | 'environment'>): Promise<Problem[]> {
  if (isOnEmulator(project, environment) || isOutsideGit(project.root)) return [];
  const found = await findRepository(project.root).catch((error: unknown) => ({ problem: reasonOf(error) }));
  if (!('problem' in found)) return [];
  const message = `git failed, so this run neither records commits nor compares them with earlier applies: ${found.problem}`;
  return [{ severity: 'warning', rule: 'git-failed', message }];
}

/**
 * Throws ManifestsInvalid if there are errors. With an environment, the message may name a command for this
 * environment.
 */
export function requireValid(
  problems: readonly Problem[],
  { project: { sourceOf }, ...where }: { readonly project: Pick<Project, 'sourceOf'>; readonly environment?: string },
): void {
  if (hasErrors(problems)) throw new ManifestsInvalid({ problems, sourceOf }, where);
}

/** Reads all records of the environment. Returns the records by address. */
export async function recordsOf(store: RecordStore, environment: string): Promise<Map<string, StoredRecord>> {
  const all = await store.list(environment);
  return new Map(all.map((stored) => [addressOf(stored.record), stored]));
}

/**
 * Thrown for invalid manifests. If only secrets are missing, the message may name a command that works without secrets.
 */
export class ManifestsInvalid extends ProblemsError {
  constructor(found: FoundProblems, { environment }: { readonly environment?: string } = {}) {
    const errors = found.problems.filter((problem) => problem.severity === 'error');
    const lacksOnlySecrets = errors.length > 0 && errors.every(({ secret }) => secret !== undefined);
    const remedy =
      environment !== undefined && lacksOnlySecrets
        ? `; without secrets, ${commandIn(environment, 'plan --offline')} shows what changed since the last commit`
        : '';
    super('manifests-invalid', `the manifests have ${counted(errors.length, 'error')}${remedy}`, found);
    this.name = 'ManifestsInvalid';
  }
}
