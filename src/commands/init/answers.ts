import { AgentformError } from '../../errors.ts';
import { isName, nameSyntax } from '../../json/check.ts';
import { isEmbedded } from '../../kinds/desired.ts';
import { parseBaseUrl } from '../../manifest/project/project-checks.ts';
import type { StoreName } from '../../record/store.ts';
import { defaultStore } from '../../record/store-table.ts';
import { didYouMean } from '../../text/suggest.ts';
import { capitalised } from '../../text/wording.ts';
import { type ImportOptions, importRowProblems } from '../import/import.ts';

export interface InitOptions {
  /** The project folder. */
  readonly folder: string;
  /** The name of the first agent. In an existing project, a sample is only written if this is set. */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly baseUrl?: string | undefined;
  /**
   * Whether to write a sample agent. By default only without a base URL, because applying the sample could overwrite an
   * existing agent on the service.
   */
  readonly sample?: boolean | undefined;
  /** The import to run after the project is created. */
  readonly importing?: ImportOptions['what'] | undefined;
  readonly record?: StoreName | undefined;
  /** Whether to write workflows. Defaults to true for a new project, and to false for an existing one. */
  readonly workflows?: boolean | undefined;
  /** Replaces agentform's own files. Files shared with other tools are never replaced. */
  readonly force: boolean;
}

export const defaultName = 'front-desk';

/** The environment for the given base URL, and the process variable for its token. */
export const production = 'production';
export const productionToken = 'AGENT_TOKEN';

/** A title for a name, such as `Front desk` for `front-desk`. */
export function titleFor(name: string): string {
  const words = name.replaceAll('-', ' ');
  return capitalised(words);
}

/** Checks an answer. Returns the problem as a sentence, or undefined. */
export const problemWithName = {
  name: (subject: string, name: string) =>
    isName(name) ? undefined : `${subject} is '${name}': expected ${nameSyntax}`,
  title: (subject: string, title: string) =>
    title.trim() !== '' && !/\p{Cc}/u.test(title) ? undefined : `${subject} must be one line of text, not empty`,
  baseUrl: (subject: string, text: string) => {
    const parsed = parseBaseUrl(text);
    if ('problem' in parsed) return `${subject} ${parsed.problem}${didYouMean(text, [parsed.meant ?? ''])}`;
    return isEmbedded(parsed) ? `${subject} is 'emulator', which the environment local already uses` : undefined;
  },
} as const;

/** Checks an agent id. Returns the problem as a sentence, or undefined. */
export function idProblem(id: string): string | undefined {
  return importRowProblems({ id, name: defaultName, query: [] })[0]?.message;
}

/** Throws if options describe both a sample and an imported agent. A sample never replaces an existing agent. */
export function requireOneAgent({ name, title, baseUrl, sample, importing }: InitOptions): void {
  if (sample === true && importing !== undefined) {
    throw new AgentformError('usage', '--sample writes a new agent and --import an existing one; use one of them');
  }
  if (importing !== undefined && title !== undefined) {
    throw new AgentformError('usage', '--title is only for the sample agent; an imported agent keeps its title');
  }
  if (importing !== undefined && 'list' in importing && name !== undefined) {
    throw new AgentformError(
      'usage',
      '--name is for a single agent and cannot be combined with --from; the list has names',
    );
  }
  const given = name === undefined ? title && '--title' : '--name';
  if (given === undefined || baseUrl === undefined || sample !== undefined || importing !== undefined) return;
  throw new AgentformError(
    'usage',
    `${given} with --base-url needs an agent: add --import AGENT_ID for an existing one, or --sample for a new one`,
  );
}

interface Surroundings {
  readonly wasProject: boolean;
  readonly needsRemote: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Throws if the import cannot succeed, before the project is written. */
export function requireImportable(
  { importing, baseUrl, force }: InitOptions,
  { wasProject, needsRemote, env }: Surroundings,
): void {
  if (importing === undefined) return;
  if (wasProject && !force) {
    throw new AgentformError('usage', 'there is already a project here; import into it with `agentform import`');
  }
  if (baseUrl === undefined) throw new AgentformError('usage', 'an import needs the service; set --base-url');
  if (needsRemote) {
    throw new AgentformError(
      'usage',
      'records would be kept on a branch of the git remote origin, which does not exist; run `git init` and ' +
        `\`git remote add origin URL\` first, or add --record ${defaultStore()}`,
    );
  }
  if ('list' in importing) return;
  const rowProblems = importRowProblems(importing);
  if (rowProblems.length > 0) throw new AgentformError('usage', rowProblems.map(({ message }) => message).join('; '));
  const secret = importing.tokenSecret ?? productionToken;
  if (env[secret] === undefined || env[secret] === '') {
    throw new AgentformError(
      'secret-unset',
      `the process variable ${secret} is unset or empty; it holds the token of ${importing.id}`,
    );
  }
}
