import type { ImportEntry } from '../../apply/events.ts';
import { RecordKeeper } from '../../apply/records/record-keeper.ts';
import { fieldsWithoutWrite } from '../../apply/records/settled-fields.ts';
import { type Applier, recordedApplier } from '../../apply/resource-apply.ts';
import { failedCallText, ServiceError } from '../../errors.ts';
import { putFiles } from '../../files/swap.ts';
import { readUntilInterrupted } from '../../interruption.ts';
import { type Campaign, type LiveAgent, valueIn } from '../../kinds/definition.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import { fieldAt, fieldPathOf, formatPath } from '../../kinds/field-path.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { leavesOf } from '../../kinds/leaves.ts';
import { pathSet } from '../../kinds/path-map.ts';
import { type Secrecy, secrecyOf } from '../../kinds/sensitive.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { type Notice, type NoticeFacts, notice } from '../../notices/notice.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import { targetMismatch } from '../../plan/records/target.ts';
import { blockReasons } from '../../plan/verdicts/blocks.ts';
import type { RecordStore, StoredRecord } from '../../record/store.ts';
import { refusedBy } from '../../report/notices.ts';
import { fileNotice } from '../../report/problems/sentence.ts';
import { fieldsByKind } from '../../schemas/fields.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { credentialsIn } from '../../secrets/credentials.ts';
import { redactor } from '../../secrets/redact.ts';
import type { Connected } from '../../session/connections.ts';
import type { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';
import { ManifestsInvalid } from '../../session/session.ts';
import { type FittedManifest, fitManifest } from './manifest/fit-manifest.ts';
import type { ImportRequest } from './request.ts';

/** The agent whose description is requested. */
export interface RequestedAgent {
  readonly id: string;
  readonly name: string;
  readonly title: string | undefined;
}

interface ImportContext extends Connected {
  readonly host: Host;
  readonly project: Project;
  readonly environment: string;
  readonly store: RecordStore;
  readonly keys: FingerprintKeys;
  readonly applier: Applier;
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** With `force`, the resolved manifests that will be overwritten. */
  readonly former: Resolution | undefined;
  /** Asks for an agent's description, which the service does not return. */
  readonly describe: (agent: RequestedAgent) => Promise<string>;
}

/** The live values of an agent, with the manifest that was made from these values. */
export interface ReadAgent {
  readonly campaign: Campaign;
  /** The probable keys and tokens in its live values. These values are never shown or written. */
  readonly credentials: readonly string[];
  readonly stored: StoredRecord | undefined;
  readonly fitted: FittedManifest;
  readonly notes: readonly Notice[];
}

/** Reads an agent and writes its manifest and record. If the record cannot be saved, undoes the changes to files. */
export async function importAgent(
  request: ImportRequest,
  context: ImportContext,
): Promise<Pick<ImportEntry, 'file' | 'texts' | 'notes'>> {
  const { campaign, stored, fitted, notes } = await readAgent(request, context);
  const write = await putFiles(context.project.root, fitted.files, { overwrite: context.force });
  try {
    await saveRecord(fitted.desired, { campaign, stored, context, secrecy: secrecyOf(fitted.secrets) });
  } catch (error) {
    await write.undo();
    throw error;
  }
  return {
    file: request.path,
    texts: [...fitted.fieldOfFile.keys()],
    notes: [...notes, ...lossesOf(context.former, fitted)],
  };
}

/** Reads an agent and makes its manifest, but writes nothing. */
export async function readAgent(
  request: ImportRequest,
  context: Omit<ImportContext, 'force' | 'former' | 'applier'>,
): Promise<ReadAgent> {
  const { row, stub } = request;
  const { store, environment } = context;
  const stored = await store.read({ environment, kind: stub.kind, name: stub.name });
  const campaign = await readUntilInterrupted(context.signal, liveAgent(request, context));
  refuseBlocked(request, { campaign, stored });
  const live = kindNamed(stub.kind).live;
  if (live === undefined) throw new RangeError(`the service does not return the settings of a ${stub.kind}`);
  const shown = live(campaign, []);
  const { withCredential, credentials } = await credentialFields(stub, shown);
  context.host.hideSecrets(redactor(credentials));
  const required = fieldsByKind[stub.kind].filter((field) => field.required && withCredential.has(field.name));
  if (required.length > 0) {
    const paths = required.map((field) => formatPath(stub.kind, field.path));
    throw refusedBy('import-refused', differing('credential', paths));
  }
  const asked = { id: row.id, name: row.name, title: campaign.title ?? undefined };
  const description = row.description ?? (await context.describe(asked));
  const unshown = unshownFields(request, shown);
  const fit = await fitManifest({
    ...request,
    name: row.name,
    kind: stub.kind,
    project: context.project,
    environment,
    host: context.host,
    live: (extraKeys) => live(campaign, extraKeys),
    given: { settings: { description } },
    unshown,
    withCredential,
  });
  if ('problems' in fit) throw new ManifestsInvalid({ ...fit, sourceOf: (file) => fit.project.sourceOf(file) });
  return { campaign, credentials, stored, fitted: fit.fitted, notes: notesOn(fit.fitted, { unshown, withCredential }) };
}

/** Reads an agent. If the agent does not exist, the error suggests checking the id and the token. */
async function liveAgent({ row, stub }: ImportRequest, { service, connectionOf }: Connected): Promise<Campaign> {
  try {
    return await service.getAgent(connectionOf(stub), row.id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    const { outcome, call, facts, cause } = error;
    const { tokenName: token } = stub.target;
    const failed = { ...call, notFound: { ...(token !== undefined && { token }) } };
    const found = { outcome, call: failed, facts: { ...facts, ...failed }, cause };
    throw new ServiceError('service-refused', failedCallText(failed, undefined), found);
  }
}

type FoundAgent = Pick<ReadAgent, 'campaign' | 'stored'>;

function refuseBlocked({ stub }: ImportRequest, { campaign, stored }: FoundAgent): void {
  const observation = { desired: stub, reading: { campaign }, ...(stored && { record: stored.record }) };
  const reasons = blockReasons(observation, []);
  if (reasons.length > 0) throw refusedBy('import-refused', reasons);
}

/** Returns the names of readable settings whose live value has an invalid form. */
function unshownFields({ stub: { kind } }: ImportRequest, { isReadable }: LiveAgent): ReadonlySet<string> {
  const hidden = fieldsByKind[kind].filter((field) => field.readable && !isReadable(field.path));
  return new Set(hidden.map(({ name }) => name));
}

/** Finds probable keys and tokens in live values, and the names of the fields with these values. */
async function credentialFields({ kind }: ImportRequest['stub'], { sections }: LiveAgent) {
  const withCredential = new Set<string>();
  const credentials = new Set<string>();
  for (const field of fieldsByKind[kind]) {
    const found = await credentialsIn({ [field.name]: valueIn(sections, field) });
    if (found.length > 0) withCredential.add(field.name);
    for (const one of found) credentials.add(one);
  }
  return { withCredential, credentials: [...credentials] };
}

interface SavedFrom extends FoundAgent {
  readonly context: Pick<ImportContext, 'store' | 'keys' | 'host' | 'applier'>;
  readonly secrecy: Secrecy;
}

/**
 * Saves a record with the live values as last applied. Keeps the write-only values of an existing record if neither the
 * agent nor its target has changed since it was recorded.
 */
export async function saveRecord(
  resolved: Desired<Target>,
  { campaign, stored, context, secrecy }: SavedFrom,
): Promise<void> {
  const desired = await context.keys.keyed(resolved);
  const record = stored?.record;
  const isUntouched = record !== undefined && record.lastUpdate === campaign.lastUpdate;
  const known = isUntouched && targetMismatch(desired, record) === undefined ? record : undefined;
  const observation = { desired, reading: { campaign }, ...(known && { record: known }) };
  const state = resourceState(observation, secrecy);
  const fields: ResourceRecord['fields'] = fieldsWithoutWrite(state);
  const { by: appliedBy, ...from } = recordedApplier(context.applier, secrecy.redact);
  await new RecordKeeper(context.store, desired, { stored }).save({
    id: campaign.id,
    fields,
    lastUpdate: campaign.lastUpdate ?? undefined,
    event: 'import',
    appliedAt: context.host.now().toISOString(),
    appliedBy,
    ...from,
  });
}

function notesOn(
  { desired: { kind }, extra, leftOut, characters }: FittedManifest,
  { unshown, withCredential }: { readonly unshown: ReadonlySet<string>; readonly withCredential: ReadonlySet<string> },
): Notice[] {
  const pathsOf = (names: Iterable<string>) => {
    const wanted = new Set(names);
    const fields = fieldsByKind[kind].filter(({ name }) => wanted.has(name));
    return fields.map((field) => formatPath(kind, field.path));
  };
  return [
    ...differing('invalid', pathsOf(extra)),
    ...differing('undocumented', pathsOf(unshown)),
    ...differing('inexpressible', pathsOf(leftOut)),
    ...differing('credential', pathsOf(withCredential)),
    ...characters.map(fileNotice),
  ];
}

function differing(why: NoticeFacts['import-differs']['why'], paths: string[]): Notice[] {
  return paths.length === 0 ? [] : [notice('import-differs', { why, paths })];
}

/** Warns about write-only settings that are lost when a manifest is overwritten. */
function lossesOf(former: Resolution | undefined, { desired }: FittedManifest): Notice[] {
  if (!former?.selected.some((one) => addressOf(one) === addressOf(desired))) return [];
  const kept = new Set(declaredPaths(desired));
  const before = declaredPaths(former.desiredOf(addressOf(desired)));
  const lost = before.filter((path) => !kept.has(path));
  return differing('lost', lost);
}

/** Returns the paths of declared write-only fields. */
function declaredPaths({ kind, sections }: Desired<Target>): string[] {
  const fields = leavesOf(kind, sections).map(([path]) => fieldPathOf(kind, path));
  const unreadable = fields.filter((path) => fieldAt(kind, path)?.readable !== true);
  return pathSet(unreadable)
    .values()
    .map((path) => formatPath(kind, path));
}
