import { AgentformError } from '../errors.ts';
import { addressOf, inOrganization } from '../kinds/desired.ts';
import { type FieldPath, fieldPathOf, formatPath, parsePath } from '../kinds/path.ts';
import type { EditedTexts } from '../manifest/edit/edited-texts.ts';
import { editedProject } from '../manifest/edited-project.ts';
import { hasErrors, type Project, type Resolution, resolveProject } from '../manifest/index.ts';
import type { Problem } from '../manifest/problem.ts';
import { planResource } from '../plan/resource-plan.ts';
import type { AlsoChanged } from '../report/take-back.ts';
import { type ChangedField, changedFields } from './changed-fields.ts';
import { isWithin } from './chosen-fields.ts';
import type { Host } from './host.ts';
import type { PreparedRun } from './prepare.ts';
import { selector } from './selection.ts';
import type { Session } from './session.ts';
import type { TakenField } from './taken-fields.ts';

export interface EditCheck {
  readonly session: Session;
  readonly run: PreparedRun;
  readonly env: Host['env'];
  /** By address. */
  readonly taken: ReadonlyMap<string, readonly TakenField[]>;
  readonly edited: EditedTexts;
}

/**
 * Resolves the whole project with the edited texts and looks at every field of every resource in every environment:
 * what was taken back must have gone from the plan, and whatever else changed must come from an edited place. Gives what
 * changes elsewhere; throws, with nothing written, if the edit does anything that it should not.
 */
export async function checkEdit(check: EditCheck): Promise<AlsoChanged[]> {
  const { session, edited } = check;
  const project = editedProject(session.project, edited.texts);
  const elsewhere: AlsoChanged[] = [];
  for (const environment of session.project.environments) {
    const options = { environment, secrets: 'form', env: check.env } as const;
    const before = await resolveProject(session.project, options);
    const after = await resolveProject(project, options);
    refuseNewErrors(before, after, environment);
    const fields = changedFields(before, after).filter((field) => !isTaken(check, environment, field));
    for (const field of fields) refuseUnrelated(field, { check, before, environment });
    elsewhere.push(...byResource(check, fields, environment));
  }
  await requireEmptyPlan(check, project);
  return elsewhere;
}

/** Whether manifests that had no errors would have none with the edited texts. */
export async function isSoundWith(
  { session, env, address }: { readonly session: Session; readonly env: Host['env']; readonly address: string },
  { texts, clashes }: EditedTexts,
): Promise<boolean> {
  const { project, environment } = session;
  const options = { environment, secrets: 'form', env, select: (one: string) => one === address } as const;
  return clashes.length === 0 && !hasErrors((await resolveProject(editedProject(project, texts), options)).problems);
}

function isTaken({ session, taken }: EditCheck, environment: string, { address, path }: ChangedField): boolean {
  if (environment !== session.environment) return false;
  return (taken.get(address) ?? []).some((one) => isWithin(path, one.path) || isListOf(path, one.path));
}

/** A list that an element was taken into or out of: it is empty now, or no longer. */
function isListOf(path: FieldPath, element: FieldPath): boolean {
  return path.length < element.length && isWithin(element, path);
}

function refuseNewErrors(before: Resolution, after: Resolution, environment: string): void {
  const textOf = ({ rule, message, at }: Problem) => JSON.stringify([rule, message, at?.file]);
  const known = new Set(before.problems.map(textOf));
  const fresh = after.problems.find((problem) => problem.severity === 'error' && !known.has(textOf(problem)));
  if (fresh === undefined) return;
  const place = fresh.at === undefined ? '' : ` (${fresh.at.file})`;
  throw refused(`the manifests would have an error in the environment ${environment}: ${fresh.message}${place}`);
}

interface Surroundings {
  readonly check: EditCheck;
  readonly before: Resolution;
  readonly environment: string;
}

/** A field elsewhere may change only where it is the same field, or stands in a place that was edited. */
function refuseUnrelated({ address, path, text }: ChangedField, { check, before, environment }: Surroundings): void {
  const kind = before.all.find((one) => addressOf(one) === address)?.kind;
  if (kind === undefined) return;
  const listOf = (one: readonly string[]) => formatPath(kind, fieldPathOf(kind, one));
  if ([...check.taken.values()].flat().some((one) => listOf(one.path) === listOf(path))) return;
  const { at, include } = before.provenanceOf(address, path) ?? {};
  const edits = check.edited.splices;
  const isIncluded = include !== undefined && edits.has(include);
  const isAt =
    at !== undefined && (edits.get(at.file) ?? []).some(({ start, end }) => start <= at.end && at.offset <= end);
  if (!isIncluded && !isAt)
    throw refused(`it would change ${text} of ${address} in the environment ${environment}, which is another field`);
}

/** Fields that changed with an element of a list are told as that element. */
function byResource({ taken }: EditCheck, fields: readonly ChangedField[], environment: string): AlsoChanged[] {
  const all = [...taken.values()].flat();
  const byAddress = new Map<string, Set<string>>();
  for (const { address, path, text } of fields) {
    const paths = byAddress.get(address) ?? new Set();
    const same = all.find((one) => isWithin(path, one.path));
    if (same === undefined && all.some((one) => isListOf(path, one.path)) && fields.length > 1) continue;
    byAddress.set(address, paths.add(same?.change.path ?? text));
  }
  return [...byAddress].map(([address, paths]) => ({ address, environment, paths: [...paths] }));
}

/** One path with plan: the same comparison that found the changes must find none. */
async function requireEmptyPlan({ session, run, env, taken }: EditCheck, project: Project): Promise<void> {
  const { environment } = session;
  const select = selector([...taken.keys()]);
  const { desired } = await session.keys.resolution(
    await resolveProject(project, { environment, secrets: 'values', select, env }),
  );
  for (const one of desired) {
    const address = addressOf(one);
    const prepared = run.prepared.get(address);
    if (prepared === undefined) continue;
    const observation = { ...prepared.observation, desired: inOrganization(one, run.organizations) };
    const left = planResource(observation, run.planning).changes.map(({ path }) => parsePath(path));
    const open = (taken.get(address) ?? []).find(({ path }) =>
      left.some((at) => isWithin(at, path) || isWithin(path, at)),
    );
    if (open !== undefined) throw refused(`the plan would still have ${open.change.path} of ${address}`);
  }
  const missing = [...taken.keys()].find((address) => !desired.some((one) => addressOf(one) === address));
  if (missing !== undefined) throw refused(`${missing} would have errors`);
}

function refused(why: string): AgentformError {
  return new AgentformError('edit-refused', `nothing was written: ${why}; edit the manifests by hand`);
}
