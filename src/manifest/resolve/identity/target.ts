import { AgentformError } from '../../../errors.ts';
import { isEmbedded, type Target } from '../../../kinds/desired.ts';
import { isLongEnough, minSearchedLength } from '../../../secrets/redact.ts';
import { asToken, emulatorToken, Secret, secretReference } from '../../../secrets/secret.ts';
import { didYouMean } from '../../../text/suggest.ts';
import { isSpecial, secretOf } from '../../../yaml/interpolate.ts';
import { errorAt, hasErrors, type Problem, type Span } from '../../../yaml/problem.ts';
import { keyAt, type MapNode, memberOf, type Node, ownPlace, type ScalarNode, scalarsOf } from '../../../yaml/tree.ts';
import { noEnvironment } from '../../../yaml/violations.ts';
import type { DeclaredManifest } from '../../fleet/units.ts';
import type { Project } from '../../project/project.ts';
import { type BaseUrl, baseUrlMeant, mayHoldCredential, parseBaseUrl } from '../../project/project-checks.ts';
import type { ProjectFiles } from '../../project/project-files.ts';
import { Scope, type ScopeInput } from '../values/scope.ts';
import { ValueResolver } from '../values/value-resolver.ts';

/** The environment's side of a target. */
export interface EnvironmentNode {
  readonly name: string;
  /** Its part of agentform.yaml. */
  readonly definition: MapNode;
  /** Its name in agentform.yaml. */
  readonly at: Span;
}

/** Throws `environment-unknown`. */
export function environmentNode({ tree, file, environments }: Project, name: string): EnvironmentNode {
  const known = memberOf(tree, 'environments');
  const member = known?.type === 'map' ? known.members.get(name) : undefined;
  if (member?.value.type === 'map') return { name, definition: member.value, at: member.key };
  const message = `${noEnvironment(file, name, environments)}${didYouMean(name, environments)}`;
  throw new AgentformError('environment-unknown', message, {
    facts: { environment: name, environments },
  });
}

/** The inputs of resolving targets. */
export interface TargetContext {
  readonly environment: EnvironmentNode;
  readonly scope: Scope;
  readonly files: ProjectFiles;
}

/** The target of a manifest and its environment, with variables and secrets inserted. */
export interface TargetNodes {
  /** The parameters of environment and target; the target's win. */
  readonly query: ReadonlyMap<string, ScalarNode>;
  readonly agentId: ScalarNode | undefined;
  readonly campaignId: ScalarNode | undefined;
  /** The reference to the token, from the target or else the environment. */
  readonly token: Node | undefined;
}

/** The destination of a resource's calls. The target is absent if a part of it is missing. */
export type BuiltTarget = { readonly target?: Target; readonly problems: readonly Problem[] };

/** The target of one manifest. */
export interface DeclaredTarget {
  readonly nodes: TargetNodes;
  /** Problems while values were inserted. */
  readonly problems: readonly Problem[];
  /** Names of the secrets in it, without the token's. */
  readonly secrets: ReadonlySet<string>;
  /** Builds the target with its token. Callers that only need the declaration do not call it. */
  build(): BuiltTarget;
  /** The place of a query parameter: in the manifest, or else in the environment. */
  placeOfParameter(name: string): Span | undefined;
}

type Failed = { readonly problems: readonly Problem[] };
type ServiceUrl = { readonly baseUrl: string; readonly host: string };

/** The targets of one environment. The environment's part is resolved once, and so is that of each manifest. */
export class Targets {
  readonly #context: TargetContext;
  readonly #declared = new WeakMap<DeclaredManifest, DeclaredTarget>();
  #serviceUrl: ServiceUrl | Failed | undefined;
  #query: QueryNodes | undefined;

  constructor(context: TargetContext) {
    this.#context = context;
  }

  /** The target in the manifest; `merged` is its result in this environment. */
  of(manifest: DeclaredManifest, merged: MapNode): DeclaredTarget {
    const known = this.#declared.get(manifest);
    if (known !== undefined) return known;
    const { kind, path, root } = manifest;
    const scope = this.#context.scope.of(manifest);
    const resolver = new ValueResolver({ kind, ...this.#context, scope });
    const reportAt = { at: keyAt(root, ['name']), path };
    const declared = this.#resolve({ node: memberOf(merged, 'target'), resolver, scope, reportAt });
    this.#declared.set(manifest, declared);
    return declared;
  }

  /** The target of calls without a manifest. Its problems belong to the environment. */
  ofEnvironment(): DeclaredTarget {
    const resolver = new ValueResolver({ kind: 'Agent', ...this.#context });
    return this.#resolve({ node: undefined, resolver, scope: this.#context.scope });
  }

  /** The host of the base URL, or `emulator`; undefined if the URL is unknown. */
  get host(): string | undefined {
    this.#serviceUrl ??= resolveServiceUrl(this.#context);
    const serviceUrl = this.#serviceUrl;
    return 'host' in serviceUrl ? serviceUrl.host : undefined;
  }

  #resolve({ node, resolver, scope, reportAt }: Declaration): DeclaredTarget {
    const { environment } = this.#context;
    const id = (name: string): ScalarNode | undefined => {
      const given = memberOf(node, name);
      const found = given && resolver.resolve(given, ['target', name]);
      if (given === undefined || found?.type !== 'scalar') return undefined;
      // An empty cell in a fleet's table means that its client has no agent yet.
      const isReference = given.type === 'scalar' && given.value !== '';
      return found.value === '' && isReference ? undefined : found;
    };
    const own = memberOf(node, 'query');
    const token = memberOf(node, 'token') ?? memberOf(environment.definition, 'token');
    const nodes = {
      query: new Map([...this.#environmentQuery(resolver), ...queryNodes(own, resolver)]),
      agentId: id('agentId'),
      campaignId: id('campaignId'),
      token: token && resolver.tokenReference(token),
    };
    const queries = [own, memberOf(environment.definition, 'query')];
    let built: BuiltTarget | undefined;
    return {
      nodes,
      // A resource with an owner gets the problems of the owner's target, at the owner's cells.
      problems: scope.atCells(resolver.problems),
      secrets: resolver.secrets,
      build: () => {
        built ??= this.#build(nodes, reportAt);
        return { ...built, problems: scope.atCells(built.problems) };
      },
      placeOfParameter: (name) =>
        queries.flatMap((query) => (query?.type === 'map' ? (query.members.get(name)?.key ?? []) : []))[0],
    };
  }

  /** A query with variables may differ between manifests. */
  #environmentQuery(resolver: ValueResolver): QueryNodes {
    if (this.#query !== undefined) return this.#query;
    const query = memberOf(this.#context.environment.definition, 'query');
    const nodes = queryNodes(query, resolver);
    const isShared = query === undefined || scalarsOf(query).every(([, { value }]) => !isSpecial(String(value)));
    if (isShared) this.#query = nodes;
    return nodes;
  }

  #build(nodes: TargetNodes, reportAt: Declaration['reportAt']): BuiltTarget {
    this.#serviceUrl ??= resolveServiceUrl(this.#context);
    const serviceUrl = this.#serviceUrl;
    if ('problems' in serviceUrl) return serviceUrl;
    const token = this.#findToken(nodes.token, { isEmulator: isEmbedded(serviceUrl), reportAt });
    if (!('secret' in token)) return token;
    const query = [...nodes.query];
    const agentId = idOf(nodes.agentId);
    const campaignId = idOf(nodes.campaignId);
    const target: Target = {
      token: token.secret,
      ...serviceUrl,
      ...(token.name !== undefined && { tokenName: token.name }),
      ...(token.at !== undefined && { tokenAt: { file: token.at.file, line: token.at.line } }),
      query: Object.fromEntries(query.map(([name, { value }]) => [name, String(value)])),
      sensitiveQuery: query.some(isSensitive) ? new Set(query.filter(isSensitive).map(([name]) => name)) : noNames,
      ...(agentId === undefined ? {} : { agentId }),
      ...(campaignId === undefined ? {} : { campaignId }),
    };
    return { target, problems: token.problems ?? [] };
  }

  /** The emulator accepts any token, so trying a project needs no setup. */
  #findToken(
    node: Node | undefined,
    { isEmulator, reportAt }: { readonly isEmulator: boolean } & Pick<Declaration, 'reportAt'>,
  ): FoundToken | Failed {
    const { environment, scope } = this.#context;
    const fallback = isEmulator ? { secret: emulatorToken } : undefined;
    if (node === undefined) return fallback ?? { problems: [noToken(environment, reportAt)] };
    const name = secretOf(node);
    if (name === undefined) return { problems: [] };
    const secret = scope.secret(name);
    if (secret === 'unknown') return fallback ?? { secret: new Secret(secretReference(name)), name, at: node.at };
    if (secret === undefined) return fallback ?? { problems: [scope.missingSecret(name, node.at)] };
    const token = asToken(secret);
    if (!isEmulator && !isLongEnough(token)) return { problems: [shortToken(node.at, name)] };
    const problems = token === secret ? [] : [blankToken(node.at, name)];
    return { secret: token, name, at: node.at, problems };
  }
}

interface Declaration {
  /** The manifest's `target`, merged but not resolved. */
  readonly node: Node | undefined;
  readonly resolver: ValueResolver;
  readonly scope: Scope;
  /** The manifest's file and the place of its name, for problems. */
  readonly reportAt?: { readonly path: string; readonly at: Span } | undefined;
}

interface FoundToken {
  readonly secret: Secret;
  /** The name of the secret that holds it. */
  readonly name?: string;
  /** The places that refer to it. */
  readonly at?: Span;
  /** Warnings. */
  readonly problems?: readonly Problem[];
}

type QueryNodes = ReadonlyArray<readonly [string, ScalarNode]>;

const noNames: ReadonlySet<string> = new Set();

function isSensitive([, { sensitive }]: QueryNodes[number]): boolean {
  return sensitive === true;
}

function queryNodes(node: Node | undefined, resolver: ValueResolver): QueryNodes {
  if (node?.type !== 'map') return [];
  return [...node.members].flatMap(([name, { value }]) => {
    const resolved = resolver.resolve(value, ['target', 'query', name]);
    return resolved.type === 'scalar' ? [[name, resolved] as const] : [];
  });
}

/** Whether the id is declared and known. */
export function idOf(node: ScalarNode | undefined): string | undefined {
  return node === undefined || node.opaque ? undefined : String(node.value);
}

function resolveServiceUrl(context: TargetContext): ServiceUrl | Failed {
  const node = memberOf(context.environment.definition, 'baseUrl');
  if (node?.type !== 'scalar') return { problems: [] };
  const resolver = new ValueResolver({ kind: 'Agent', ...context });
  const filled = resolver.scalar(node, { asText: true, noSecret: 'baseUrl' });
  if (filled.opaque) return { problems: resolver.problems };
  const text = String(filled.value);
  // Each manifest has its own context, and all of them have the same base URL.
  const known = baseUrls.get(node);
  const parsed = known?.text === text ? known.parsed : parseBaseUrl(text);
  baseUrls.set(node, { text, parsed });
  if (!('problem' in parsed)) return parsed;
  const problem = errorAt(node.at, 'base-url', `baseUrl ${parsed.problem}`);
  if (mayHoldCredential(text)) return { problems: [{ ...problem, hideSource: true }] };
  return { problems: [{ ...problem, ...baseUrlMeant(ownPlace(node), text, parsed) }] };
}

const baseUrls = new WeakMap<ScalarNode, { readonly text: string; readonly parsed: BaseUrl }>();

/** A short token cannot be hidden, because so few characters occur in any text by chance. */
function shortToken(at: Span, name: string): Problem {
  const message = `the token in the process variable ${name} is too short: a token has at least ${minSearchedLength} characters`;
  return errorAt(at, 'token-short', message);
}

function blankToken(at: Span, name: string): Problem {
  const message = `the process variable ${name} begins or ends with white space, such as a line end; the token is used without it`;
  return { severity: 'warning', rule: 'token-blank', message, at };
}

function noToken(environment: EnvironmentNode, reportAt: Declaration['reportAt']): Problem {
  if (reportAt === undefined) {
    const message = 'the environment has no token: write token: ${secret.NAME} under it';
    return errorAt(environment.at, 'token-missing', message);
  }
  const message = `there is no token: write token: \${secret.NAME} under the environment in agentform.yaml, or under target in ${reportAt.path}`;
  return {
    ...errorAt(reportAt.at, 'token-missing', message),
    also: { message: 'the environment', at: environment.at },
  };
}

/** The target of commands for an environment without a resource. */
export interface EnvironmentTarget {
  /** Absent if there are errors. */
  readonly target?: Target;
  readonly problems: readonly Problem[];
  /** The variables and secrets of the environment. */
  readonly scope: Scope;
  /** The secrets inserted so far, including the token. */
  readonly secrets: () => readonly Secret[];
}

/** Inserts variables and secrets into an environment of agentform.yaml, which must be one of the project's. */
export function resolveEnvironment(
  project: Project,
  name: string,
  { env, allowedSecrets }: Pick<ScopeInput, 'env' | 'allowedSecrets'>,
): EnvironmentTarget {
  const environment = environmentNode(project, name);
  const scope = new Scope({ environment, env, secrets: 'values', allowedSecrets });
  const declared = new Targets({ environment, scope, files: project.files }).ofEnvironment();
  const { target, problems } = declared.build();
  const all = [...declared.problems, ...problems];
  const secrets = () => [...scope.secrets.values()];
  return { problems: all, scope, secrets, ...(target !== undefined && !hasErrors(all) && { target }) };
}
