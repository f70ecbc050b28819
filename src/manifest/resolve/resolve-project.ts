import { setImmediate as turn } from 'node:timers/promises';
import { isJsonObject } from '../../json/json.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import { organization as organizationKind } from '../../kinds/organization.ts';
import { isInShard } from '../../kinds/shard.ts';
import { desiredView } from '../../policy/views.ts';
import { applyLevels } from '../check/lint-levels.ts';
import { byKindAndName, gatherManifests, ManifestIndex, type MergedManifest } from '../project/gather-manifests.ts';
import { hasNoErrors } from '../project/layers.ts';
import type { Project } from '../project/project.ts';
import { PromptChecks } from '../prompts/prompt-checks.ts';
import { hasErrors, shownProblems } from '../syntax/problem.ts';
import { type Node, nodeAt, parsePointer, type ScalarNode, shownValue, toJson } from '../syntax/tree.ts';
import { contentOf } from './content.ts';
import { declaredBy } from './declared.ts';
import { earlyTarget } from './envelope.ts';
import { resolveLabels } from './labels.ts';
import { type LookedAt, Looks, type NamedManifest } from './look.ts';
import { claimsOfRead, Outlines, outliner } from './outlines.ts';
import { provenanceOf } from './provenance.ts';
import { namesAnother, type References } from './references.ts';
import type {
  Declared,
  KnownDeclared,
  KnownOutlines,
  ManifestContent,
  Origin,
  Outline,
  Resolution,
  ResolveContext,
  ResolveOptions,
  SelectedShard,
} from './resolution.ts';
import type { ResolvedManifest } from './resolve-manifest.ts';
import { Scope } from './scope.ts';
import { SharedEnvironments } from './shared-environments.ts';
import { SharedWork } from './shared-work.ts';
import { type EnvironmentNode, environmentNode, Targets } from './target.ts';
import { duplicateIdentities } from './uniqueness.ts';
import { unmatchedChoices } from './unmatched-choices.ts';
import { unusedColumns } from './unused-columns.ts';
import { variablesAt, writtenAt, writtenValueAt } from './written-at.ts';

/**
 * What the manifests of a project ask for in one environment.
 *
 * Files are checked as they are written whether selected or not; variables, secrets, targets and what comes of them
 * are checked for the selected resources. All problems are told at once.
 */
export async function resolveProject(project: Project, options: ResolveOptions): Promise<Resolution> {
  const environment = environmentNode(project, options.environment);
  const { select, allowedSecrets, shard } = options;
  // Which resources a shard has depends on all of them.
  const isPart = select !== undefined && shard === undefined && allowedSecrets === undefined;
  const outlines = isPart ? (options.outlines ?? Outlines.of({ ...options, project })) : undefined;
  let unread = unreadOf(outlines, select);
  while (unread.size > 0) {
    const found = await resolveRead({
      project,
      options: { ...options, onAim: undefined },
      environment,
      outlines,
      unread,
    });
    if (!('isDoubtful' in found)) return found;
    unread = new Map(found.isDoubtful ? [] : [...unread].filter(([path]) => !found.asked.has(path)));
  }
  const found = await resolveRead({ project, options, environment, outlines, unread });
  if ('isDoubtful' in found) throw new Error('every manifest was read');
  return found;
}

/** By path, what is known of the manifests that nobody selected. */
function unreadOf(
  outlines: KnownOutlines | undefined,
  select: ResolveOptions['select'] = () => true,
): ReadonlyMap<string, Outline> {
  const isLeft = ({ identity }: Outline) => !select(addressOf(identity), identity.labels);
  return new Map([...(outlines?.known ?? [])].filter(([, one]) => isLeft(one)));
}

interface Reading {
  readonly project: Project;
  readonly options: ResolveOptions;
  readonly environment: EnvironmentNode;
  readonly outlines: KnownOutlines | undefined;
  /** By path, the manifests that are left unread. */
  readonly unread: ReadonlyMap<string, Outline>;
}

/** Why more manifests have to be read: those that were asked for, or all. */
interface ReadMore {
  readonly isDoubtful: boolean;
  readonly asked: ReadonlySet<string>;
}

/**
 * Resolves with some manifests left unread. Outlines only tell that there is nothing to say of them: whatever is wrong, or would be
 * said of more than what is read, is found again with every manifest read, so that its words are the same.
 */
async function resolveRead({
  project,
  options,
  environment,
  outlines,
  unread,
}: Reading): Promise<Resolution | ReadMore> {
  const select = options.select ?? (() => true);
  const context = contextOf({ project, options, environment });
  const { targets, shared: work } = context;
  const { onAim, onResolved, shard } = options;
  const left = [...unread.values()];
  const byForm = contextOf({ project, options: { ...options, secrets: 'form' }, environment });
  const claims = left.length === 0 ? work.claims : new Map();
  const between = new SharedEnvironments({ project, env: options.env, environment, targets, claims });
  const looks = new Looks({ context, byForm, between, select });
  const lookAt = async (one: NamedManifest, isSelected: boolean): Promise<LookedAt> => {
    const looked = await looks.at(one, isSelected);
    const { manifest, resolved } = looked;
    if (onResolved !== undefined && resolved !== undefined) {
      const written = writtenIn(new Map([[manifest, resolved]]), context);
      for (const desired of desiredOf(manifest, resolved)) await onResolved(desired, written);
    }
    return looked;
  };
  // What a shard has, or may be left unread, is known only of all manifests together.
  const isAhead = shard === undefined && left.length === 0;
  const ahead = new Map<MergedManifest, LookedAt>();
  const noOthers = new ManifestIndex({
    environment: environment.name,
    manifests: [],
    elsewhere: [],
    nameless: [],
    unread: new Map(),
  });
  const onMerged = async (manifest: MergedManifest): Promise<void> => {
    const { labels } = resolveLabels(manifest, context);
    const isSelected = select(addressOf(manifest), labels);
    const aim = isSelected && onAim !== undefined ? earlyTarget(manifest, context) : undefined;
    if (aim !== undefined && (shard === undefined || isInShard(aim, shard))) onAim?.(aim);
    if (!isAhead || namesAnother(manifest)) return;
    await turn();
    ahead.set(manifest, await lookAt(looks.named(manifest, noOthers), isSelected));
  };
  const gathered = await gatherManifests(project, {
    environment: options.environment,
    onMerged: isAhead || onAim !== undefined ? onMerged : undefined,
    chains: work.chains,
    unread: new Map(left.map(({ identity, values }) => [identity.file, { address: addressOf(identity), values }])),
  });
  const isOfShard = shardFilter(gathered.manifests, shard);
  const more = { isDoubtful: gathered.isDoubtful, asked: gathered.index.asked };
  if (more.isDoubtful) return more;
  const named: LookedAt[] = [];
  for (const manifest of gathered.manifests) {
    let looked = ahead.get(manifest);
    if (looked === undefined) {
      const one = looks.named(manifest, gathered.index);
      if (more.asked.size > 0) continue;
      const isSelected = looks.isSelected(one) && isOfShard(manifest, one.references);
      looked = await lookAt(one, isSelected);
      if (isSelected || named.length % 100 === 0) await turn();
    }
    named.push(looked);
    between.add(looked.shared);
  }
  if (more.asked.size > 0) return more;
  for (const [index, manifest] of gathered.elsewhere.entries()) {
    between.add(between.read(manifest, false));
    if (index % 100 === 99) await turn();
  }
  const resolved = new Map(named.flatMap(({ manifest, resolved: one }) => (one ? [[manifest, one]] : [])));
  const claimed = new Set(left.length === 0 ? [] : named.flatMap((one) => claimsOfRead(one, byForm)));
  if (left.some((one) => one.claims.some((claim) => claimed.has(claim)))) return { isDoubtful: true, asked: new Set() };
  const twice = duplicateIdentities(named.flatMap(({ unique }) => unique ?? []));
  const shared = between.problems();
  const problems = [
    ...applyLevels(
      [
        ...project.problems,
        ...twice,
        ...shared,
        ...unmatchedChoices(
          gathered.tests,
          [...named, ...left].map(({ identity }) => identity),
          options.environment,
        ),
        ...unusedColumns({ ...gathered, resolved, scope: context.scope, environment: options.environment }),
      ],
      project.lint,
    ),
    ...gathered.problems,
    ...named.flatMap(({ labelProblems }) => labelProblems),
    ...[...resolved.values()].flatMap((one) => one.problems),
  ];
  const isSound = !hasErrors(problems);
  if (!isSound && left.length > 0) return { isDoubtful: true, asked: new Set() };
  const declaredOf = declaredIn(resolved, named, gathered.index);
  if (isSound && outlines?.keep !== undefined) {
    const outlinesOf = outliner({ ...options, project }, byForm);
    const { lint } = project;
    const isChecked = options.prompts === 'all' && shared.length + twice.length === 0;
    const news = named.flatMap(({ manifest, ...known }) => {
      const declared = knownDeclared(resolved.get(manifest), declaredOf(addressOf(manifest)), { lint, isChecked });
      const isKnown = declared === undefined && outlines.known.has(manifest.path);
      return isKnown ? [] : outlinesOf({ manifest, ...known, declared });
    });
    await outlines.keep(news);
  }
  const originOf = originsIn(resolved);
  let desired: Resolution['desired'] | undefined;
  return {
    get desired() {
      desired ??= [...resolved].flatMap(([manifest, one]) => desiredOf(manifest, one));
      return desired;
    },
    all: [...named, ...left].map(({ identity }) => identity).sort(byKindAndName),
    elsewhere: gathered.elsewhere.map(({ kind, name, onlyIn = [] }) => ({ kind, name, onlyIn })),
    problems: shownProblems(problems),
    secrets: [...context.scope.secrets.values()],
    secretNames: context.scope.secretsAsked,
    originOf,
    policies: gathered.policies,
    tests: gathered.tests,
    policyView: (one) => desiredView(one, (pointer) => originOf(addressOf(one), pointer)?.raw),
    ...writtenIn(resolved, context),
    provenanceOf: provenancesIn(resolved, context),
    outlineOf: outlinesIn(resolved),
    declaredOf,
    contentOf: contentsIn(gathered.manifests, { project, options, environment }),
  };
}

function shardFilter(
  manifests: readonly MergedManifest[],
  shard: SelectedShard | undefined,
): (manifest: MergedManifest, references: References) => boolean {
  if (shard === undefined) return () => true;
  const { recorded } = shard;
  const addresses = new Set(manifests.map(addressOf));
  const isAnyOrphan = [...recorded].some((address) => !addresses.has(address));
  return (manifest, { organization, agent }) => {
    const names = {
      name: manifest.name,
      organization: organization && textIn(organization),
      agent: agent && textIn(agent),
    };
    return isInShard(names, shard) || (isAnyOrphan && !recorded.has(addressOf(manifest)));
  };
}

function textIn({ value }: ScalarNode): string {
  return String(value);
}

interface ContextInput {
  readonly project: Project;
  readonly options: ResolveOptions;
  readonly environment: EnvironmentNode;
}

function contextOf({ project, options, environment }: ContextInput): ResolveContext {
  const { env, secrets, allowedSecrets, shared = new SharedWork({ isOfMany: false }) } = options;
  const scope = new Scope({ environment, env, secrets, allowedSecrets });
  const { files, checks, lint, lintMaxima: maxima, keptFindings: kept, service } = project;
  shared.prompts ??= new PromptChecks({ lint, maxima, wanted: options.prompts ?? 'errors', kept });
  const { prompts } = shared;
  const targets = new Targets({ environment, scope, files });
  const { resellerId: resellerParameter } = service.parameters;
  return { environment, scope, targets, files, checks, lint, prompts, resellerParameter, shared };
}

function desiredOf({ chain }: MergedManifest, { desired }: ResolvedManifest): Desired<Target>[] {
  return hasNoErrors(chain) && desired !== undefined ? [desired] : [];
}

function inAddresses(resolved: ReadonlyMap<MergedManifest, ResolvedManifest>): ReadonlyMap<string, ResolvedManifest> {
  return new Map([...resolved].map(([manifest, one]) => [addressOf(manifest), one]));
}

function originsIn(resolved: ReadonlyMap<MergedManifest, ResolvedManifest>): Resolution['originOf'] {
  const byAddress = inAddresses(resolved);
  return (address, pointer) => {
    const tree = byAddress.get(address)?.tree;
    const node = tree === undefined ? undefined : nodeAt(tree, parsePointer(pointer));
    return node === undefined ? undefined : originOf(node);
  };
}

function writtenIn(
  resolved: ReadonlyMap<MergedManifest, ResolvedManifest>,
  { scope }: ResolveContext,
): Pick<Resolution, 'writtenAt' | 'variablesAt' | 'writtenValueAt'> {
  const byAddress = new Map([...resolved].map(([manifest, one]) => [addressOf(manifest), { manifest, one }]));
  const find = (address: string) => {
    const found = byAddress.get(address);
    return found && { kind: found.manifest.kind, tree: found.one.tree, scope: scope.of(found.manifest) };
  };
  return {
    writtenAt(address, path, before) {
      const found = find(address);
      return found && writtenAt(found, path, before);
    },
    writtenValueAt(address, path) {
      const found = find(address);
      return found && writtenValueAt(found, path);
    },
    variablesAt(address, path) {
      const found = find(address);
      return found === undefined ? new Map() : variablesAt(found, path);
    },
  };
}

function provenancesIn(
  resolved: ReadonlyMap<MergedManifest, ResolvedManifest>,
  { environment, scope }: ResolveContext,
): Resolution['provenanceOf'] {
  const byAddress = new Map([...resolved].map(([manifest, one]) => [addressOf(manifest), { manifest, one }]));
  return (address, path) => {
    const found = byAddress.get(address);
    if (found === undefined) return undefined;
    const { manifest, one } = found;
    return provenanceOf({ manifest, tree: one.tree, environment: environment.name, scope }, path);
  };
}

function outlinesIn(resolved: ReadonlyMap<MergedManifest, ResolvedManifest>): Resolution['outlineOf'] {
  const byAddress = inAddresses(resolved);
  return (address) => {
    const tree = byAddress.get(address)?.tree;
    const outline = tree && toJson(tree, shownValue);
    return isJsonObject(outline) ? outline : undefined;
  };
}

function declaredIn(
  resolved: ReadonlyMap<MergedManifest, ResolvedManifest>,
  named: readonly { readonly manifest: MergedManifest; readonly references: References }[],
  index: ManifestIndex,
): Resolution['declaredOf'] {
  const byAddress = new Map(named.map((one) => [addressOf(one.manifest), one]));
  const known = new Map<string, Declared>();
  return (address) => {
    const found = byAddress.get(address);
    const of = found && resolved.get(found.manifest);
    if (of === undefined || found === undefined) return undefined;
    const { organization: name, owner } = found.references;
    const organization = name && index.find(organizationKind.name, textIn(name));
    const declared = known.get(address) ?? declaredBy(found.manifest, { resolved: of, owner, organization });
    known.set(address, declared);
    return declared;
  };
}

interface Checking {
  readonly lint: Project['lint'];
  /** All checks were made, and nothing is wrong between manifests. */
  readonly isChecked: boolean;
}

/** What may be kept of what a manifest declares: which files a prompt links to nobody knows, and without one there may be a problem. */
function knownDeclared(
  resolved: ResolvedManifest | undefined,
  declared: Declared | undefined,
  { lint, isChecked }: Checking,
): KnownDeclared | undefined {
  if (resolved === undefined || declared?.digest === undefined) return undefined;
  const { digest, needed } = declared;
  const { problems, asksFiles } = resolved;
  if (asksFiles) return lint['prompt-markdown'] === 'error' ? undefined : { digest, needed };
  return { digest, needed, isFlawless: isChecked && problems.length === 0 };
}

/** Worked out when it is asked for: only what is written, or required elsewhere, needs it. */
function contentsIn(
  manifests: readonly MergedManifest[],
  { project, options, environment }: ContextInput,
): Resolution['contentOf'] {
  const byAddress = new Map(manifests.map((manifest) => [addressOf(manifest), manifest]));
  const known = new Map<string, ManifestContent>();
  return (address) => {
    const manifest = byAddress.get(address);
    const found = known.get(address);
    if (manifest === undefined || found !== undefined) return found;
    // With a count of its own of what is put in, and of no secret.
    const scope = new Scope({ environment, env: options.env, secrets: 'form' });
    const content = contentOf(manifest, { files: project.files, scope: scope.of(manifest) });
    known.set(address, content);
    return content;
  };
}

function originOf(node: Node): Origin {
  const place = { at: node.at, over: node.over ?? [] };
  if (node.type !== 'scalar') return place;
  const { from, raw } = node;
  return { ...place, ...(from === undefined ? {} : { file: from.path }), ...(raw === undefined ? {} : { raw }) };
}
