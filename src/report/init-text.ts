import { counted } from './counts.ts';
import { createPaint, type Paint } from './paint.ts';
import { visibleLine } from './visible-text.ts';

/** What `init` did, for the sentence that says what to do next. */
export interface InitReport {
  /** The folder of the project, as it was given. */
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly step: 'create' | 'replace' | 'leave' }[];
  /** Paths that an existing .gitignore lacks. */
  readonly notIgnored: readonly string[];
  /** Name of the first agent. */
  readonly name: string;
  readonly wasProject: boolean;
  readonly hasProduction: boolean;
  readonly hasWorkflows: boolean;
  /** The folder is in a git repository. */
  readonly inRepository: boolean;
}

/** Which files were written and which were left, and what to do next. */
export function renderInitText(report: InitReport, { color }: { readonly color: boolean }): string {
  const paint = createPaint(color);
  const sections = [
    ...fileSections(report, paint),
    ...(report.notIgnored.length === 0 ? [] : [ignoreSection(report, paint)]),
    [paint.strong('Next'), ...nextSteps(report).map((step, index) => `  ${index + 1}. ${step}`)],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function fileSections({ files }: InitReport, paint: Paint): string[][] {
  const titles = { create: 'Created', replace: 'Written anew', leave: 'Left as they were' } as const;
  return (['create', 'replace', 'leave'] as const).flatMap((step) => {
    const paths = files.filter((file) => file.step === step).map(({ path }) => `  ${visibleLine(path)}`);
    return paths.length === 0 ? [] : [[`${paint.strong(titles[step])} ${counted(paths.length, 'file')}`, ...paths]];
  });
}

function ignoreSection({ notIgnored }: InitReport, paint: Paint): string[] {
  return [paint.warning('Add to .gitignore, which was there and is left'), ...notIgnored.map((path) => `  ${path}`)];
}

function nextSteps(report: InitReport): string[] {
  const { folder, name, wasProject, inRepository } = report;
  const enter = folder === '.' ? [] : [`cd ${shellWord(folder)}`];
  const look = [
    'agentform validate, agentform plan, agentform apply: on the embedded emulator, with no account',
    ...(wasProject ? [] : [`Write what the agent is told: prompts/${name}.md and agents/${name}.yaml`]),
  ];
  const commit = `${inRepository ? 'Commit' : 'Run git init, and commit'} everything, .agentform/ included`;
  return [...enter, ...look, commit, ...productionSteps(report)];
}

function productionSteps({ wasProject, hasProduction, hasWorkflows }: InitReport): string[] {
  const secret = hasWorkflows ? ['Set the secret AGENT_TOKEN of the repository: the workflows use it'] : [];
  if (hasProduction) {
    return [
      'AGENT_TOKEN=... agentform plan -e production; if the agent exists, write its id under target first',
      ...secret,
    ];
  }
  const where = hasWorkflows ? ', and put its host under allowed-hosts in the workflows' : '';
  if (wasProject) return secret;
  return [`Once you have a service, take the comment signs off production in agentform.yaml${where}`, ...secret];
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}
