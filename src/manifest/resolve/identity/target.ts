import { AgentformError } from '../../../errors.ts';
import { idSyntax, isId } from '../../../json/check.ts';
import { withoutUndefined } from '../../../json/json.ts';
import { isEmbedded, type Target } from '../../../kinds/desired.ts';
import { isLongEnough, minSearchedLength } from '../../../secrets/redact.ts';
import { asToken, Secret, secretReference, tokenOnEmulator } from '../../../secrets/secret.ts';
import { didYouMean } from '../../../text/suggest.ts';
import { visibleLine } from '../../../text/visible.ts';
import { quote } from '../../../text/wording.ts';
import { isSpecial, secretOf } from '../../../yaml/interpolate.ts';
import { errorAt, hasErrors, type Problem, type Span } from '../../../yaml/problem.ts';
import {
  keyAt,
  type MapNode,
  memberOf,
  membersIn,
  type Node,
  ownPlace,
  type ScalarNode,
  scalarsOf,
} from '../../../yaml/tree.ts';
import { noEnvironment } from '../../../yaml/violations.ts';
import type { DeclaredManifest } from '../../fleet/fleet.ts';
import type { Project } from '../../project/project.ts';
import { type BaseUrl, baseUrlMeant, mayHoldCredential, parseBaseUrl } from '../../project/project-checks.ts';
import type { ProjectFiles } from '../../project/project-files.ts';
import { Scope, type ScopeInput } from '../values/scope.ts';
import { ValueResolver } from '../values/value-resolver.ts';

/** An environment in agentform.yaml, which provides part of each target. */
export interface EnvironmentNode {
  readonly name: string;
  /** The environment's node in agentform.yaml. */
  readonly definition: MapNode;
  /** The location of the environment's name. */
  readonly at: Span;
}

/** Finds an environment's node. Throws `environment-unknown` if agentform.yaml does not define the environment. */
export function environmentNode({ tree, file, environments }: Project, name: string): EnvironmentNode {
  const member = membersIn(memberOf(tree, 'environments')).get(name);
  if (member?.value.type === 'map') return { name, definition: member.value, at: member.key };
  const message = `${noEnvironment(file, name, environments)}${didYouMean(name, environments)}`;
  throw new AgentformError('environment-unknown', message, {
    facts: { environment: name, environments },
  });
}

export interface TargetContext {
  readonly environment: EnvironmentNode;
  readonly scope: Scope;
  readonly files: ProjectFiles;
}

/** The parts of a target from the manifest and the environment, with variables and secrets inserted. */
export interface TargetNodes {
  /** The query parameters. The manifest's parameters override the environment's. */
  readonly query: ReadonlyMap<string, ScalarNode>;
  readonly agentId: ScalarNode | undefined;
  readonly campaignId: ScalarNode | undefined;
  /** The reference to the token. The manifest takes precedence over the environment. */
  readonly token: Node | undefined;
}

/** The destination of a resource's calls. `target` is absent if a part of it is missing or invalid. */
type BuiltTarget = { readonly target?: Target; readonly problems: readonly Problem[] };

/** The target of one manifest or environment, before it is built. */
export interface DeclaredTarget {
  readonly nodes: TargetNodes;
  /** The problems found while values were inserted. */
  readonly problems: readonly Problem[];
  /** The names of the secrets in the target, except that of the token. */
  readonly secrets: ReadonlySet<string>;
  /** The queries of the manifest and of the environment, as declared. */
  readonly queries: readonly (Node | undefined)[];
  readonly scope: Scope;
  /** The manifest. Absent for the target of the environment. */
  readonly manifest: DeclaredManifest | undefined;
}

type Failed = { readonly problems: readonly Problem[] };
type ServiceUrl = { readonly baseUrl: string; readonly host: string };

/** Resolves the targets of one environment. The base URL and each manifest's target are resolved once. */
export class Targets {
  readonly #context: TargetContext;
  readonly #declared = new WeakMap<object, DeclaredTarget>();
  /**
   * The environment's query. Undefined if the query has references, because variables can differ between manifests, or
   * if it has problems, because these are reported for each manifest.
   */
  readonly #literalQuery: QueryNodes | undefined;
  #serviceUrl: ServiceUrl | Failed | undefined;

  constructor(context: TargetContext) {
    this.#context = context;
    const shared = memberOf(context.environment.definition, 'query');
    const values = shared === undefined ? [] : scalarsOf(shared);
    const isLiteral = values.every(([, { value }]) => typeof value !== 'string' || !isSpecial(value));
    const resolver = new ValueResolver({ kind: 'Agent', ...context });
    const query = isLiteral ? queryNodes(shared, resolver) : undefined;
    if (resolver.problems.length === 0) this.#literalQuery = query;
  }

  /** The host of the base URL, or `emulator`. Undefined if the host is unknown. */
  get host(): string | undefined {
    this.#serviceUrl ??= resolveServiceUrl(this.#context);
    const serviceUrl = this.#serviceUrl;
    return 'host' in serviceUrl ? serviceUrl.host : undefined;
  }

  /**
   * Resolves the target of a manifest. `merged` is the manifest merged for this environment. Without a manifest,
   * resolves the environment's target.
   */
  of(manifest?: DeclaredManifest, merged?: MapNode): DeclaredTarget {
    const { environment } = this.#context;
    const known = this.#declared.get(manifest ?? environment);
    if (known !== undefined) return known;
    const scope = manifest === undefined ? this.#context.scope : this.#context.scope.of(manifest);
    const resolver = new ValueResolver({ kind: manifest?.kind ?? 'Agent', ...this.#context, scope });
    const node = memberOf(merged, 'target');
    const [own, shared] = [memberOf(node, 'query'), memberOf(environment.definition, 'query')];
    const token = memberOf(node, 'token') ?? memberOf(environment.definition, 'token');
    const nodes = {
      query: new Map([...(this.#literalQuery ?? queryNodes(shared, resolver)), ...queryNodes(own, resolver)]),
      agentId: idNode(node, 'agentId', resolver),
      campaignId: idNode(node, 'campaignId', resolver),
      token: token && resolver.tokenReference(token),
    };
    // Problems in an owner's target are reported at the cells of the owner's row.
    const problems = scope.atCells(resolver.problems);
    const declared = { nodes, problems, secrets: resolver.secrets, queries: [own, shared], scope, manifest };
    this.#declared.set(manifest ?? environment, declared);
    return declared;
  }

  build({ nodes, manifest, scope }: DeclaredTarget): BuiltTarget {
    this.#serviceUrl ??= resolveServiceUrl(this.#context);
    const serviceUrl = this.#serviceUrl;
    if ('problems' in serviceUrl) return { problems: scope.atCells(serviceUrl.problems) };
    const token = this.#findToken(nodes.token, { isEmulator: isEmbedded(serviceUrl), manifest });
    if (!('secret' in token)) return { problems: scope.atCells(token.problems) };
    const query = [...nodes.query];
    const agentId = idOf(nodes.agentId);
    const campaignId = idOf(nodes.campaignId);
    const target: Target = {
      token: token.secret,
      ...serviceUrl,
      ...(token.name !== undefined && { tokenName: token.name }),
      ...(token.at !== undefined && { tokenAt: { file: token.at.file, line: token.at.line } }),
      query: Object.fromEntries(query.map(([name, { value }]) => [name, String(value)])),
      sensitiveQuery: query.some(isSecretQuery) ? new Set(query.filter(isSecretQuery).map(([name]) => name)) : noNames,
      ...withoutUndefined({ agentId, campaignId }),
    };
    return { target, problems: scope.atCells(token.problems ?? []) };
  }

  /** Finds the token. On the embedded emulator, no secret needs a value, so that users can try a project. */
  #findToken(
    node: Node | undefined,
    { isEmulator, manifest }: { readonly isEmulator: boolean; readonly manifest: DeclaredManifest | undefined },
  ): FoundToken | Failed {
    const { environment, scope } = this.#context;
    if (node === undefined)
      return isEmulator ? { secret: tokenOnEmulator(undefined) } : { problems: [noToken(environment, manifest)] };
    const name = secretOf(node);
    if (name === undefined) return { problems: [] };
    // On the emulator, too, the run must know the value, so that its output hides it.
    const secret = scope.secret(name);
    if (isEmulator) return { secret: tokenOnEmulator(name), name, at: node.at };
    if (secret === 'unknown') return { secret: new Secret(secretReference(name)), name, at: node.at };
    if (secret === undefined) return { problems: [scope.missingSecret(name, node.at)] };
    const token = asToken(secret);
    if (!isLongEnough(token)) {
      // A shorter token cannot be redacted, because the same characters can occur in ordinary text.
      const message = `the token in the process variable ${name} is too short: a token must have at least ${minSearchedLength} characters`;
      return { problems: [errorAt(node.at, 'token-short', message)] };
    }
    if (token === secret) return { secret: token, name, at: node.at };
    const message = `the process variable ${name} begins or ends with white space, such as a line break; the token is used without this white space`;
    const problem: Problem = { severity: 'warning', rule: 'token-blank', message, at: node.at };
    return { secret: token, name, at: node.at, problems: [problem] };
  }
}

interface FoundToken {
  readonly secret: Secret;
  /** The name of the token's secret. */
  readonly name?: string;
  /** The location of the reference. */
  readonly at?: Span;
  /** Warnings about the token. */
  readonly problems?: readonly Problem[];
}

type QueryNodes = ReadonlyArray<readonly [string, ScalarNode]>;

const noNames: ReadonlySet<string> = new Set();

function isSecretQuery([, { sensitive }]: QueryNodes[number]): boolean {
  return sensitive === true;
}

function idNode(target: Node | undefined, name: string, resolver: ValueResolver): ScalarNode | undefined {
  const given = memberOf(target, name);
  const found = given && resolver.resolve(given, ['target', name]);
  if (given === undefined || found?.type !== 'scalar') return undefined;
  // An empty cell in a fleet's table means that the client has no agent yet.
  const isReference = given.type === 'scalar' && given.value !== '';
  if (found.value === '' && isReference) return undefined;
  if (found.value !== '' && !found.opaque && !isId(String(found.value))) {
    const message = `target.${name} is ${quote(String(found.value))}: expected ${idSyntax}`;
    resolver.problems.push(errorAt(given.at, 'target-id', message));
  }
  return found;
}

function queryNodes(node: Node | undefined, resolver: ValueResolver): QueryNodes {
  return [...membersIn(node)].flatMap(([name, { value }]) => {
    const resolved = resolver.resolve(value, ['target', 'query', name]);
    if (resolved.type !== 'scalar') return [];
    const text = String(resolved.value);
    if (!resolved.opaque && !resolved.sensitive && visibleLine(text).trim() !== text) {
      const message = `the query parameter ${name} is ${quote(text)}: expected a text without invisible characters, and without white space at its ends`;
      resolver.problems.push(errorAt(value.at, 'target-id', message));
    }
    return [[name, resolved] as const];
  });
}

/** The declared id. Undefined if the id is absent or unknown. */
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
  // Cached by node, because all manifests share the base URL.
  const known = baseUrls.get(node);
  const parsed = known?.text === text ? known.parsed : parseBaseUrl(text);
  baseUrls.set(node, { text, parsed });
  if (!('problem' in parsed)) return parsed;
  const problem = errorAt(node.at, 'base-url', `baseUrl ${parsed.problem}`);
  if (mayHoldCredential(text)) return { problems: [{ ...problem, hideSource: true }] };
  return { problems: [{ ...problem, ...baseUrlMeant(ownPlace(node), text, parsed) }] };
}

const baseUrls = new WeakMap<ScalarNode, { readonly text: string; readonly parsed: BaseUrl }>();

function noToken(environment: EnvironmentNode, manifest: DeclaredManifest | undefined): Problem {
  if (manifest === undefined) {
    const message = 'the environment has no token; write `token: ${secret.NAME}` under the environment';
    return errorAt(environment.at, 'token-missing', message);
  }
  const message = `there is no token; write \`token: \${secret.NAME}\` under the environment in agentform.yaml, or under target in ${manifest.path}`;
  return {
    ...errorAt(keyAt(manifest.root, ['name']), 'token-missing', message),
    also: { message: 'the environment', at: environment.at },
  };
}

/** The target of an environment, for commands that need no resource. */
export interface EnvironmentTarget {
  /** The target. Absent if the target has errors. */
  readonly target?: Target;
  readonly problems: readonly Problem[];
  /** The environment's variables and secrets. */
  readonly scope: Scope;
  /** The secrets that have been inserted so far, including the token. */
  readonly secrets: () => readonly Secret[];
}

/** Resolves an environment's target. Throws `environment-unknown` like `environmentNode`. */
export function resolveEnvironment(
  project: Project,
  name: string,
  { env, allowedSecrets }: Pick<ScopeInput, 'env' | 'allowedSecrets'>,
): EnvironmentTarget {
  const environment = environmentNode(project, name);
  const scope = new Scope({ environment, env, secrets: 'values', allowedSecrets });
  const targets = new Targets({ environment, scope, files: project.files });
  const declared = targets.of();
  const { target, problems } = targets.build(declared);
  const all = [...declared.problems, ...problems];
  const secrets = () => [...scope.secrets.values()];
  return { problems: all, scope, secrets, ...(target !== undefined && !hasErrors(all) && { target }) };
}
