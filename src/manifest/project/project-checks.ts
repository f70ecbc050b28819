import { emulator } from '../../kinds/desired.ts';
import { parseSelector } from '../../kinds/labels.ts';
import { recordStores, storeOfSetting } from '../../schemas/record-settings.ts';
import { wouldExposeToken } from '../../secrets/secret.ts';
import { nearest } from '../../text/suggest.ts';
import { milliseconds } from '../../text/time.ts';
import { withoutEnd } from '../../text/wildcard.ts';
import { joinWithAnd, joinWithOr, quote, shorten } from '../../text/wording.ts';
import { meantBy, type Suggestion, suggested } from '../../yaml/fix.ts';
import { isLiteral, secretOf } from '../../yaml/interpolate.ts';
import { errorAt, type Problem, problemsOfEach, type Span } from '../../yaml/problem.ts';
import { isLintRule, lintRules } from '../../yaml/rules.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import {
  headOf,
  isText,
  isUnsafe,
  keyAt,
  type MapNode,
  memberOf,
  membersIn,
  type Node,
  type ScalarNode,
  scalarsOf,
  showNode,
  type TextNode,
  textOf,
  unsafeNumber,
} from '../../yaml/tree.ts';
import { parseHttpUrl } from '../../yaml/values.ts';
import { nestedProblems } from '../check/authored.ts';
import { checkQuery, checkToken, checkUrls, hideInPlaceOfMap, hideValue } from '../check/credentials.ts';
import { parseGlob } from './glob.ts';
import { removedProblems } from './moves.ts';
import { parameterProblems, patternNodes } from './project.ts';

/** Finds problems in agentform.yaml that its schema cannot detect. */
export function projectProblems(tree: MapNode, source: SourceFile): Problem[] {
  hideMisplacedCredentials(tree, source);
  const [service, record, lint] = ['service', 'record', 'lint'].map((name) => memberOf(tree, name));
  const environments = memberOf(tree, 'environments');
  const definitions = [...membersIn(environments).values()];
  const beyond = definitions[maxEnvironments];
  const tooMany = `there are ${definitions.length} environments; at most ${maxEnvironments} are allowed`;
  const numbers = scalarsOf(tree).filter(([[section], node]) => section !== 'environments' && isUnsafe(node));
  return [
    ...(beyond === undefined ? [] : [errorAt(beyond.key, 'value', tooMany)]),
    ...patternProblems(tree),
    ...(environments?.type === 'map' ? environmentNameProblems(tree, environments) : []),
    ...(lint?.type === 'map' ? lintProblems(lint) : []),
    ...(service?.type === 'map' ? [...parameterProblems(service), ...readBackProblems(service)] : []),
    ...(record === undefined ? [] : recordProblems(record, source)),
    ...removedProblems(tree),
    // Variables and other members of an environment are sent as written, so large numbers in them are safe. All other
    // large numbers are reported.
    ...numbers.map(([, node]) => unsafeNumber(node, { mayBeText: false })),
    ...definitions.flatMap(({ value }) => environmentProblems(value, source)),
    // Connection settings have separate checks, which report every literal credential.
    ...checkUrls(tree, source, ([section, , name = '']) => {
      return section === 'record' || (section === 'environments' && ['baseUrl', 'token', 'query'].includes(name));
    }),
  ];
}

/** Masks values that may contain a token or address, because the schema rejects them, and the errors quote their lines. */
function hideMisplacedCredentials(tree: MapNode, source: SourceFile): void {
  const publish = memberOf(memberOf(tree, 'service'), 'publish');
  if (publish?.type === 'scalar' && mayHoldCredential(String(publish.value))) source.hide(publish.at);
  for (const name of ['environments', 'record', 'service']) {
    // The name of a store in place of the map is a common mistake, and not a secret.
    const isStoreName = name === 'record' && recordStores.includes(textOf(tree, name) ?? '');
    if (!isStoreName) hideInPlaceOfMap(memberOf(tree, name), source);
  }
}

/**
 * The maximum `service.readBack`. If the service stores another value, an apply waits up to this time for each agent.
 */
const maxReadBack = '10m';

function readBackProblems(service: MapNode): Problem[] {
  const node = memberOf(service, 'readBack');
  if (node?.type !== 'scalar') return [];
  const { value, at } = node;
  const wrong = (allowed: string) => [
    errorAt(at, 'value', `service.readBack is ${showNode(node)}: expected ${allowed}`),
  ];
  if (typeof value === 'number' && value !== 0) return wrong('0, or an integer with its unit, such as 500ms, 8s or 2m');
  const isTooLong = typeof value === 'string' && (milliseconds(value) ?? 0) > (milliseconds(maxReadBack) ?? 0);
  return isTooLong ? wrong(`at most ${maxReadBack}`) : [];
}

/** The maximum number of environments. `validate` resolves the manifests in each environment. */
const maxEnvironments = 100;

/** The maximum number of patterns. Each pattern is matched against every path. */
const maxPatterns = 100;
/** The maximum number of alternatives in all patterns together. */
const maxAlternatives = 500;

function patternProblems(tree: MapNode): Problem[] {
  const nodes = patternNodes(tree);
  const beyond = nodes[maxPatterns];
  if (beyond !== undefined) {
    return [errorAt(beyond.at, 'pattern', `there are ${nodes.length} patterns; at most ${maxPatterns} are allowed`)];
  }
  let alternatives = 0;
  return nodes.flatMap((node) => {
    const pattern = typeof node.value === 'string' ? node.value : '';
    const isOutside = /^!?([\\/]|[A-Za-z]:)|(^!?|\/)\.\.(\/|$)/.test(pattern);
    const parsed = parseGlob(pattern);
    const problem = isOutside ? 'leads outside the project folder' : parsed.problem;
    if (problem === undefined) alternatives += parsed.alternatives.length;
    if (problem === undefined && alternatives > maxAlternatives) {
      const message = `the patterns up to this one have more than ${maxAlternatives} alternatives in braces; write fewer`;
      return [errorAt(node.at, 'pattern', message)];
    }
    return problem === undefined
      ? []
      : [errorAt(node.at, 'pattern', `the pattern ${quote(shorten(pattern, 100))} ${problem}`)];
  });
}

/** Reports a key whose value is not the name of an environment. */
function unknownName(
  key: string,
  text: { readonly at: Span; readonly found: string },
  known: readonly string[],
): Problem {
  const message = `${key} is ${quote(text.found)}: expected ${joinWithOr(known.map(quote))}`;
  return { ...errorAt(text.at, 'environment-unknown', message), ...meantBy(text, known) };
}

/**
 * Reports unknown environments in `defaultEnvironment` and `requires`, and environments that require each other in a
 * cycle.
 */
function environmentNameProblems(tree: MapNode, environments: MapNode): Problem[] {
  const known = [...environments.members.keys()];
  const usual = memberOf(tree, 'defaultEnvironment');
  const found = textOf(tree, 'defaultEnvironment');
  const isUnknown = usual !== undefined && found !== undefined && !environments.members.has(found);
  const ofDefault = isUnknown ? [unknownName('defaultEnvironment', { at: usual.at, found }, known)] : [];
  const required = new Map(
    [...environments.members].flatMap(([name, { value }]): [string, TextNode][] => {
      const requires = memberOf(value, 'requires');
      const node = requires?.type === 'map' ? memberOf(requires, 'environment') : requires;
      return isText(node) ? [[name, node]] : [];
    }),
  );
  const ofRequires = [...required].flatMap(([name, node]): Problem[] => {
    const wanted = node.value;
    if (!environments.members.has(wanted)) {
      return [unknownName('requires', { at: node.at, found: wanted }, known)];
    }
    const chain = [name];
    for (let next: ScalarNode | undefined = node; next !== undefined; next = required.get(String(next.value))) {
      chain.push(String(next.value));
      if (next.value === name)
        return [
          errorAt(
            node.at,
            'requires-cycle',
            `the environments require each other in a cycle: ${chain.join(' → ')}; remove requires from one of them`,
          ),
        ];
      if (chain.length > known.length) return [];
    }
    return [];
  });
  return [...ofDefault, ...ofRequires];
}

function stepProblems(step: Node, index: number): Problem[] {
  if (step.type !== 'map') return [];
  const name = `rollout step ${index + 1}`;
  const [select, share] = [step.members.get('select'), step.members.get('share')];
  if (select === undefined && share === undefined) {
    return [errorAt(headOf(step), 'rollout', `${name} selects no agents: add select or share`)];
  }
  if (select !== undefined && share !== undefined) {
    const problem = errorAt(share.key, 'rollout', `${name} has both select and share: remove one of them`);
    return [{ ...problem, also: { message: 'select', at: select.key } }];
  }
  return [...selectProblems(select?.value, name), ...shareProblems(share?.value, name)];
}

function selectProblems(select: Node | undefined, name: string): Problem[] {
  if (!isText(select)) return [];
  const { problem } = parseSelector(select.value);
  return problem === undefined ? [] : [errorAt(select.at, 'rollout', `the selector of ${name} is invalid: ${problem}`)];
}

function shareProblems(share: Node | undefined, name: string): Problem[] {
  const percent = share?.type === 'scalar' ? Number.parseFloat(String(share.value)) : Number.NaN;
  if (share?.type !== 'scalar' || Number.isNaN(percent) || (percent > 0 && percent <= 100)) return [];
  return [
    errorAt(share.at, 'rollout', `the share of ${name} is ${showNode(share)}: expected more than 0% and at most 100%`),
  ];
}

function lintProblems(lint: MapNode): Problem[] {
  const names = lintRules.map(({ name }) => name);
  return problemsOfEach(lint.members, ([name, { key, value }]) => {
    const max = memberOf(value, 'max');
    if (isLintRule(name)) {
      const hasMax = lintRules.some((lintRule) => lintRule.name === name && lintRule.max !== undefined);
      return max === undefined || hasMax
        ? []
        : [errorAt(max.at, 'unknown-key', `the lint rule ${name} does not support max`)];
    }
    const problem = errorAt(key, 'lint-rule-unknown', `unknown lint rule ${quote(name)}`);
    const suggestion = meantBy({ at: key, found: name }, names);
    if (suggestion.fixes !== undefined) return [{ ...problem, ...suggestion }];
    return [{ ...problem, message: `${problem.message}: the rules are ${joinWithAnd(names)}` }];
  });
}

function recordProblems(record: Node, source: SourceFile): Problem[] {
  const [remote, url] = [memberOf(record, 'remote'), memberOf(record, 'url')];
  return [
    ...unusedProblems(record),
    ...(remote === undefined ? [] : checkRemote(remote, source)),
    ...(url === undefined ? [] : checkUrl(url, keyAt(record, ['url']), source)),
  ];
}

function unusedProblems(record: Node): Problem[] {
  const store = textOf(record, 'store');
  if (store === undefined || !recordStores.includes(store)) return [];
  return Object.entries(storeOfSetting).flatMap(([name, own]) => {
    const node = memberOf(record, name);
    if (node === undefined || store === own) return [];
    const message = `record.${name} is only for the store ${quote(own)}, but record.store is ${quote(store)}: change the store, or remove record.${name}`;
    return [errorAt(node.at, 'record-store', message)];
  });
}

/**
 * Reports credentials in the URL of a git remote, and any query or fragment in an HTTP URL. In an HTTP URL, the user
 * name may be a token. In an SSH URL, the user name is harmless.
 */
function checkRemote(remote: Node, source: SourceFile): Problem[] {
  const text = remote.type === 'scalar' ? String(remote.value) : '';
  const hasQuery = /^https?:\/\/[^?#]*[?#]/i.test(text);
  if (!hasQuery && !/^https?:\/\/[^/@]*@|:\/\/[^/@:]*:[^/@]*@/i.test(text)) return [];
  source.hide(remote.at);
  const found = hasQuery ? 'has a query or fragment: remove it' : 'contains credentials: remove them';
  const message = `record.remote ${found}, and let git get credentials from its credential helper`;
  return [{ ...errorAt(remote.at, 'record-store', message), hideSource: true }];
}

/** Checks that a database URL is a secret reference, because the URL may contain a password. */
function checkUrl(url: Node, key: Span, source: SourceFile): Problem[] {
  if (secretOf(url) !== undefined) return [];
  hideValue(url, source);
  const message =
    'write record.url as ${secret.NAME}, with the URL in the process variable NAME; a URL with a password does not belong in a file';
  return [{ ...errorAt(key, 'record-store', message), hideSource: true }];
}

function environmentProblems(definition: Node, source: SourceFile): Problem[] {
  const token = memberOf(definition, 'token');
  const variables = memberOf(definition, 'variables');
  const steps = memberOf(memberOf(definition, 'rollout'), 'steps');
  hideInPlaceOfMap(definition, source);
  return [
    ...(steps?.type === 'list' ? steps.items.flatMap(stepProblems) : []),
    ...(token === undefined ? [] : checkToken(token, keyAt(definition, ['token']), source)),
    ...checkQuery(memberOf(definition, 'query'), source),
    ...baseUrlProblems(definition, source),
    ...nestedProblems(variables),
  ];
}

/** Checks the base URL of an environment. A URL with references is checked later, after the references are resolved. */
function baseUrlProblems(definition: Node, source: SourceFile): Problem[] {
  const text = textOf(definition, 'baseUrl');
  const node = memberOf(definition, 'baseUrl');
  if (text === undefined || text === '' || node === undefined || !isLiteral(text)) return [];
  const parsed = parseBaseUrl(text);
  if (!('problem' in parsed)) return [];
  const problem = errorAt(node.at, 'base-url', `baseUrl ${parsed.problem}`);
  if (!mayHoldCredential(text)) return [{ ...problem, ...baseUrlMeant(node.at, text, parsed) }];
  source.hide(node.at);
  return [{ ...problem, hideSource: true }];
}

export type BaseUrl = { readonly baseUrl: string; readonly host: string } | UnusableUrl;

interface UnusableUrl {
  /** The problem, without credentials. Completes a sentence that begins with the subject. */
  readonly problem: string;
  /** The URL that the user probably meant. */
  readonly meant?: string;
}

export function baseUrlMeant(at: Span | undefined, found: string, { meant }: UnusableUrl): Suggestion {
  return meant === undefined ? {} : suggested({ at, found }, meant);
}

/**
 * Parses a base URL: `emulator`, or an HTTP(S) URL, whose trailing slashes are removed. The URL must not include the
 * path that agentform adds.
 */
export function parseBaseUrl(text: string): BaseUrl {
  if (text === emulator) return { baseUrl: emulator, host: emulator };
  const url = parseHttpUrl(text);
  if (url === undefined) {
    const meant = nearest(text, [emulator]);
    return {
      problem: `is ${quote(urlWithoutCredentials(text))}: expected 'emulator' or an HTTP(S) URL`,
      ...(meant !== undefined && { meant }),
    };
  }
  if (url.username !== '' || url.password !== '') return { problem: 'contains credentials: remove them' };
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    return { problem: 'has a query or fragment: remove it, and put query parameters under query' };
  }
  // With a trailing dot, the same host would look like a different host.
  if (url.hostname.endsWith('.')) return { problem: `is ${quote(text)}: remove the dot at the end of the host` };
  if (wouldExposeToken(url)) {
    return {
      problem: `is ${quote(text)}: tokens would be sent unencrypted, so write https (http is allowed only to this machine)`,
    };
  }
  const path = withoutEnd(url.pathname, '/');
  const withoutApi = /^(.*?)\/api(\/v2)?$/.exec(path);
  if (withoutApi !== null) {
    return {
      problem: `is ${quote(text)}: remove ${path.slice(withoutApi[1]?.length)} and write ${url.origin}${withoutApi[1]}`,
    };
  }
  return { baseUrl: url.origin + path, host: url.host };
}

/** Whether a URL may have a part that contains a credential: user information, query or fragment. */
export function mayHoldCredential(text: string): boolean {
  return /[@?#]/.test(text);
}

function urlWithoutCredentials(text: string): string {
  if (!mayHoldCredential(text)) return text;
  const beforeUser = text.includes('@') ? (/^[a-z]*:\/\//i.exec(text)?.[0] ?? '') : text;
  return `${beforeUser.split(/[?#]/, 1)[0] ?? ''}…`;
}
