import type { RunEvent } from '../../apply/events.ts';
import { AgentformError } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { formatPath, pathOf } from '../../kinds/field-path.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { validateProject } from '../../manifest/resolve/validate-project.ts';
import { type Notice, notice } from '../../notices/notice.ts';
import { sentencesOf } from '../../report/notices.ts';
import { placedSentence } from '../../report/problems/sentence.ts';
import { fieldsByKind } from '../../schemas/fields.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Host } from '../../session/host.ts';
import { plan } from '../plan/plan.ts';

export interface CheckOptions {
  readonly project: string;
  readonly environment: string;
  /** Addresses of what was imported. */
  readonly addresses: readonly string[];
  readonly concurrency: number;
}

/** Required settings that cannot be read back are in every plan after an import. */
const expected: ReadonlySet<string> = new Set(
  fieldsByKind.Agent.filter(({ required, readable }) => required && !readable).map((field) =>
    formatPath('Agent', pathOf(field)),
  ),
);

/** Unexpected changes in a plan after an import: ideally none. */
export interface ImportCheck {
  /** By address: the plan's action, or why it is unknown. */
  readonly left: ReadonlyMap<string, readonly Notice[]>;
  /** Why the whole run would be refused, or what `validate` finds. */
  readonly general: readonly string[];
}

/** The number of agents to plan at a time: a plan holds all compared texts. */
const most = 50;

/**
 * Plans what was imported, as `agentform plan` does, and validates it in every environment. It does so in parts, so
 * that memory does not grow with the number of agents.
 */
export async function checkImport(host: Host, options: CheckOptions): Promise<ImportCheck> {
  const { addresses } = options;
  if (addresses.length === 0) return { left: new Map(), general: [] };
  const parts: ImportCheck[] = [];
  host.emit({ type: 'phase-started', phase: 'read', total: addresses.length });
  const within = { ...host, emit: (event: RunEvent) => event.type === 'resource-read' && host.emit(event) };
  for (let start = 0; start < addresses.length; start += most) {
    parts.push(await checkPart(within, { ...options, addresses: addresses.slice(start, start + most) }));
  }
  host.emit({ type: 'phase-finished', phase: 'read' });
  return {
    left: new Map(parts.flatMap(({ left }) => [...left])),
    general: [...new Set(parts.flatMap(({ general }) => general))],
  };
}

async function checkPart(host: Host, options: CheckOptions): Promise<ImportCheck> {
  const found = await validated(host, options);
  try {
    const result = await plan(host, { ...options, names: options.addresses });
    return { left: leftIn(result.plan), general: [...found, ...refusalsOf(result.plan)] };
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    return { left: new Map(), general: [...found, `the plan fails: ${error.message}`] };
  }
}

async function validated({ env }: Host, { project, addresses }: CheckOptions): Promise<string[]> {
  const loaded = await loadProject(project);
  if (loaded.environments.length < 2) return [];
  const wanted = new Set(addresses);
  const { problems } = await validateProject(loaded, { env, select: (address) => wanted.has(address) });
  const errors = problems.filter(({ severity }) => severity === 'error');
  return errors.map(placedSentence);
}

function refusalsOf({ refusals }: Plan): string[] {
  return sentencesOf(refusals);
}

function leftIn(made: Plan): Map<string, readonly Notice[]> {
  const rest = made.resources.map((resource): [string, readonly Notice[]] => [addressOf(resource), leftOf(resource)]);
  return new Map(rest.filter(([, left]) => left.length > 0));
}

function leftOf({ reasons, changes }: ResourcePlan): readonly Notice[] {
  const unexpected = changes.filter(({ path, knowledge }) => knowledge !== 'blind' || !expected.has(path));
  if (unexpected.length === 0) return reasons;
  const open = unexpected.map(({ path, op, cause }) => ({ path, op, cause }));
  return [...reasons, notice('would-change', { changes: open })];
}
