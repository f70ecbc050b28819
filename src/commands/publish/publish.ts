import type { PublishLedger } from '../../apply/events.ts';
import { type AgentPublish, publishAgents } from '../../apply/publish.ts';
import { AgentformError } from '../../errors.ts';
import { telling } from '../../interruption.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { Decisions } from '../../plan/decisions.ts';
import { campaignIn } from '../../plan/observation.ts';
import { type Publishing, publishingOf } from '../../plan/publishing.ts';
import type { RecordLock } from '../../record/store.ts';
import { refuseRun } from '../../report/notices.ts';
import type { Host } from '../../session/host.ts';
import { type PreparedRun, prepare } from '../../session/prepare.ts';
import { applierIn } from '../../session/records/applier.ts';
import { locked, shareRecords } from '../../session/records/records.ts';
import { selector } from '../../session/selection.ts';
import { type Session, type SessionOptions, withSession } from '../../session/session.ts';
import type { Problem } from '../../yaml/problem.ts';

export interface PublishRunOptions extends SessionOptions {
  /** Whether to also publish drafts that differ from their manifests. */
  readonly allowPending: boolean;
  readonly confirm: (planned: PublishPlanned) => Promise<boolean>;
  /** After the signal is aborted, the run finishes requests in flight and starts no new requests. */
  readonly signal: AbortSignal;
}

/** The selected agents, and whether each will be published. */
export interface PublishPlanned {
  readonly environment: string;
  readonly publishing: readonly Publishing[];
  readonly warnings: readonly Problem[];
  /** The text of a project file, for code frames. */
  readonly sourceOf: (file: string) => string | undefined;
}

/** Publishes the drafts of selected agents. The same guards as in an apply prevent publishing the wrong agent. */
export function publish(host: Host, options: PublishRunOptions): Promise<PublishLedger> {
  const runOptions = { ...options, names: agentNames(options.names) };
  return withSession(host, runOptions, (session) => {
    const path = publishPathOf(session.project);
    const { environment } = session;
    return locked(session.store, { environment, signal: options.signal }, async (lock) => {
      const run = await prepare(session, { ...runOptions, decisions: anyCreates }, host);
      refuseRun(run.plan.refusals);
      const tell = () => host.emit({ type: 'interrupted' });
      return telling(options.signal, tell, () => publishRun(host, runOptions, { session, path, lock, run }));
    });
  });
}

/**
 * Returns the path of the publish operation, which the specification does not define. Throws `publish-off` if the
 * project sets no path.
 */
export function publishPathOf({ service }: Project): string {
  if (service.publish !== undefined) return service.publish;
  throw new AgentformError(
    'publish-off',
    "publishing is off, because the service's specification has no operation for it; if your service has one, " +
      'set its path in agentform.yaml, as in `service: { publish: /api/v2/agent/publish }`',
  );
}

/** A decision that lifts the limit on creates, because publishing creates nothing. */
const anyCreates: Decisions = [{ rule: 'limit-creates', names: [], by: 'flag' }];

interface LockedPublish {
  readonly session: Session;
  readonly path: string;
  readonly lock: RecordLock;
  readonly run: PreparedRun;
}

async function publishRun(
  host: Host,
  options: PublishRunOptions,
  { session, path, lock, run }: LockedPublish,
): Promise<PublishLedger> {
  const { environment, warnings, project } = session;
  const publishing = publishingIn(run, options);
  if (!(await options.confirm({ environment, publishing, warnings, sourceOf: project.sourceOf }))) {
    throw new AgentformError('declined', 'nothing was published: the plan was not confirmed');
  }
  await session.store.requireWritable();
  const { emit } = host;
  const { concurrency, signal } = options;
  const { readBackMs } = project.service;
  const applier = await applierIn(project.root, host.env);
  const context = { ...session, path, readBackMs, redact: run.planning.secrecy.redact, now: host.now, applier };
  const tasks = publishing.filter(({ action }) => action === 'publish').map((each) => taskOf(each, run));
  const { lost } = lock;
  const published = await publishAgents(tasks, { context, concurrency, signal, lost, emit, stopped: new Set() });
  const entries = new Map(published.map((entry) => [entry.name, entry]));
  return {
    environment,
    publishing: publishing.map((each) => entries.get(each.name) ?? leftOut(each)),
    ...(signal.aborted && { interrupted: true }),
    ...(await shareRecords(session, `Publish in ${environment}`)),
  };
}

function publishingIn({ plan, prepared, planning }: PreparedRun, { allowPending }: PublishRunOptions): Publishing[] {
  return plan.resources.flatMap((resource) => {
    const observation = prepared.get(addressOf(resource))?.observation;
    return observation === undefined ? [] : [publishingOf(resource, observation, { allowPending, planning })];
  });
}

function taskOf(publishing: Publishing, { prepared }: PreparedRun): AgentPublish {
  const observation = prepared.get(addressOf(publishing))?.observation;
  if (observation === undefined) throw new Error(`${addressOf(publishing)} would be published but was not prepared`);
  const { desired, record } = observation;
  const lastUpdate = campaignIn(observation)?.lastUpdate ?? undefined;
  return { desired, recordName: record?.name, id: publishing.id ?? '', lastUpdate };
}

function leftOut({ kind, name, id, action, reasons }: Publishing): PublishLedger['publishing'][number] {
  const about = { kind, name, ...(id !== undefined && { id }) };
  if (action === 'published') return { ...about, outcome: 'already published' };
  return action === 'failed'
    ? { ...about, outcome: 'failed', reasons }
    : { ...about, outcome: 'not attempted', refused: true, reasons };
}

/** Returns the selected agent names. Throws for another kind, because only agents have drafts. */
function agentNames(names: readonly string[]): string[] {
  if (names.length === 0) return ['Agent/*'];
  return names.map((name) => {
    const [kind, ...rest] = name.split('/');
    if (rest.length === 0) return `Agent/${name}`;
    if (selector({ names: [`${kind}/x`] })('Agent/x')) return ['Agent', ...rest].join('/');
    throw new AgentformError('selection-empty', `${name} is not an agent; only agents have a draft to publish`);
  });
}
