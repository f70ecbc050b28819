import { AgentformError } from '../../errors.ts';
import { isName, nameSyntax } from '../../json/check.ts';
import { isEmbedded } from '../../kinds/desired.ts';
import { parseBaseUrl } from '../../manifest/project/project-checks.ts';
import type { StoreName } from '../../record/store.ts';
import { didYouMean } from '../../text/suggest.ts';
import { capitalised } from '../../text/wording.ts';

export interface InitOptions {
  readonly folder: string;
  /** The name of the first agent. In an existing project, a name also requests a sample agent. */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly baseUrl?: string | undefined;
  /**
   * Whether to write a sample agent. By default, a new project gets a sample agent only if no base URL is given,
   * because applying the sample could overwrite an existing agent.
   */
  readonly sample?: boolean | undefined;
  readonly record?: StoreName | undefined;
  /** Whether to write workflows. Defaults to true for a new project, and to false for an existing project. */
  readonly workflows?: boolean | undefined;
  /** Whether to replace agentform's own files. Files shared with other tools are never replaced. */
  readonly force: boolean;
}

export const defaultName = 'front-desk';

/** Returns a title for a name, such as `Front desk` for `front-desk`. */
export function titleFor(name: string): string {
  const words = name.replaceAll('-', ' ');
  return capitalised(words);
}

/** Functions that check the answers. Each function returns the problem as a sentence, or undefined. */
export const problemWithName = {
  name: (subject: string, name: string) =>
    isName(name) ? undefined : `${subject} is '${name}': expected ${nameSyntax}`,
  title: (subject: string, title: string) =>
    title.trim() !== '' && !/\p{Cc}/u.test(title) ? undefined : `${subject} must be one line of text and not empty`,
  baseUrl: (subject: string, text: string) => {
    const parsed = parseBaseUrl(text);
    if ('problem' in parsed)
      return `${subject} ${parsed.problem}${parsed.meant === undefined ? '' : didYouMean(text, [parsed.meant])}`;
    return isEmbedded(parsed) ? `${subject} is 'emulator', which the environment local already uses` : undefined;
  },
} as const;

/** Throws `usage` for an invalid or unusable option. Runs before the first question, and before the first write. */
export function checkOptions(options: Omit<InitOptions, 'folder'>, wasProject: boolean): void {
  const { name, title, baseUrl } = options;
  const problem =
    (name === undefined ? undefined : problemWithName.name('--name', name)) ??
    (title === undefined ? undefined : problemWithName.title('--title', title)) ??
    (baseUrl === undefined ? undefined : problemWithName.baseUrl('--base-url', baseUrl)) ??
    problemWithSample(options, wasProject) ??
    (wasProject ? problemInProject(options) : undefined);
  if (problem !== undefined) throw new AgentformError('usage', problem);
}

/** Whether an option has no effect in an existing project, without `force`. */
export function describesNewProject({ name, title, baseUrl, record }: Omit<InitOptions, 'folder'>): boolean {
  return baseUrl !== undefined || record !== undefined || (title !== undefined && name === undefined);
}

/**
 * Returns the problem if an option describes only files that an existing project keeps: agentform.yaml and its
 * workflows.
 */
function problemInProject({ baseUrl, record, workflows, force }: Omit<InitOptions, 'folder'>): string | undefined {
  if (force || workflows || (baseUrl === undefined && record === undefined)) return undefined;
  const [given, member] = baseUrl === undefined ? ['--record', 'record'] : ['--base-url', 'environments'];
  return `${given} does not change an existing project; edit \`${member}\` in agentform.yaml, or add --force to replace the file`;
}

/**
 * Returns the problem if a name or title is given without a sample agent to describe. With a base URL, `--sample` must
 * be given explicitly.
 */
export function problemWithSample(
  { name, title, baseUrl, sample, force }: Omit<InitOptions, 'folder'>,
  wasProject: boolean,
): string | undefined {
  if (name === undefined && title === undefined) return undefined;
  const given = name === undefined ? '--title' : '--name';
  if (sample === false) {
    return `${given} describes the sample agent, and --no-sample omits it; remove one of the two options`;
  }
  if (sample === true) return undefined;
  if (baseUrl !== undefined) {
    return `${given} with --base-url needs --sample, which writes a new agent; to import an existing agent, run \`agentform import\` afterwards`;
  }
  const isUnused = wasProject && name === undefined && !force;
  return isUnused ? '--title in an existing project needs --name, the name of the agent to add' : undefined;
}
