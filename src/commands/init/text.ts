import { createPaint, type Paint } from '../../report/terminal/paint.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { counted, joinWithAnd, shellWord } from '../../text/wording.ts';
import type { InitResult } from './init.ts';

/** Lists written, kept and unchanged files, and the next steps. */
export function renderInit(report: InitResult, { color }: { readonly color: boolean }): string {
  const paint = createPaint(color);
  const { notIgnored, editor } = report;
  const ignored = [
    paint.warning('Add these lines to your existing .gitignore'),
    ...notIgnored.map((path) => `  ${path}`),
  ];
  const sections = [
    ...fileSections(report, paint),
    ...(notIgnored.length === 0 ? [] : [ignored]),
    ...editor.map(({ path, lacks }) => [
      paint.warning(`Add these settings to your existing ${visibleLine(path)}`),
      ...visible(lacks).trimEnd().split('\n').slice(1, -1),
    ]),
    [paint.strong('Next'), ...nextSteps(report).map((step, index) => `  ${index + 1}. ${step}`)],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function fileSections({ files }: InitResult, paint: Paint): string[][] {
  const titles = { create: 'Created', replace: 'Replaced', leave: 'Kept', same: 'Unchanged' } as const;
  return (['create', 'replace', 'leave', 'same'] as const).flatMap((step) => {
    const paths = files.filter((file) => file.step === step).map(({ path }) => `  ${visibleLine(path)}`);
    return paths.length === 0 ? [] : [[`${paint.strong(titles[step])} ${counted(paths.length, 'file')}`, ...paths]];
  });
}

function nextSteps(report: InitResult): string[] {
  const { folder, sample, wasProject, hasProduction, hasWorkflows, branch, inRepository, needsRemote, lacksApply } =
    report;
  const enter = folder === '.' ? [] : [`cd ${shellWord(visibleLine(folder))}`];
  const on = hasProduction ? ' -e local' : '';
  const first = `Try the project on the embedded emulator (no account needed): agentform validate, agentform plan${on}, agentform apply${on}`;
  // An existing project may have no emulator environment.
  const start = wasProject ? 'Run: agentform validate' : first;
  const check = hasProduction && sample === undefined ? [] : [start];
  const write =
    sample === undefined || wasProject
      ? []
      : [`Write the agent's instructions in prompts/${sample}.md and its settings in agents/${sample}.yaml`];
  const repository = [...(inRepository ? [] : ['git init']), ...(needsRemote ? ['git remote add origin URL'] : [])];
  const ready = repository.length === 0 ? 'Commit' : `Run ${repository.join(' and ')}, and commit`;
  const commit = `${ready} everything, including .agentform/`;
  const secret = hasWorkflows
    ? [
        "In the workflows, replace the zeros with the commit of an agentform release. Then set the repository's secret AGENT_TOKEN",
        `The workflows run for ${lacksApply ? 'pull requests to' : 'merges into'} the branch ${visibleLine(branch)}. ` +
          'If your main branch has another name, change `branches` in the workflows',
      ]
    : [];
  const applying = lacksApply && !wasProject ? [applyFromWorkflows] : [];
  return [
    ...enter,
    ...check,
    ...write,
    ...tokenSteps(report),
    commit,
    ...secret,
    ...productionSteps(report),
    ...applying,
  ];
}

function tokenSteps({ sample, secrets }: InitResult): string[] {
  if (sample === undefined || secrets.length === 0) return [];
  const [name, account] =
    secrets.length === 1 ? ['the name', 'its account'] : ['each name', 'its account in each environment'];
  return [
    `Before you plan Agent/${sample} on a service, set ${joinWithAnd(secrets)} to the token of ${account}. ` +
      'The embedded emulator needs no token. In workflows, add ' +
      `${name} under \`secrets\` and its value under \`env\``,
  ];
}

const applyFromWorkflows =
  'To apply from a workflow, set record: { store: git } in agentform.yaml. Then run agentform record move --to git ' +
  'and agentform init --workflows';

function productionSteps({ sample, wasProject, hasProduction, hasWorkflows }: InitResult): string[] {
  if (!hasProduction) {
    const where = hasWorkflows ? ', and add the host of the service to allowed-hosts in the workflows' : '';
    return wasProject
      ? []
      : [`Once you have a service, uncomment the production environment in agentform.yaml${where}`];
  }
  if (sample === undefined) {
    const here = 'AGENT_TOKEN=... agentform import AGENT_ID --name NAME -e production';
    const there = 'run the workflow "Agents by hand" with the command: import AGENT_ID --name NAME --description TEXT';
    return [
      hasWorkflows
        ? `For each existing agent, ${there}. If you have its token on this machine, you can run instead: ${here}`
        : `For each existing agent, run: ${here}`,
      'For a new agent, run: agentform init --name NAME',
    ];
  }
  return [
    'If the agent already exists, set target.agentId in its manifest. Then run: AGENT_TOKEN=... agentform plan -e production',
    `If the account has no agent yet, run: AGENT_TOKEN=... agentform apply -e production --new Agent/${sample}`,
  ];
}
