import type { Console } from '../../cli/console.ts';
import { inEnvironments, onlyEnvironment } from '../../cli/environments.ts';
import { formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import {
  type Command,
  environmentsServiceOptions,
  type Parsed,
  switchOption,
  textOption,
  verboseOption,
} from '../../cli/options.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import { exitCodes } from '../../errors.ts';
import type { Host } from '../../session/host.ts';
import type { SessionOptions } from '../../session/session.ts';
import type { DriftResult } from './drift.ts';

export const driftSyntax = { usage: 'drift [names..]', options: driftOptions };

export const driftCommand: Command<ReturnType<typeof driftOptions>> = {
  syntax: driftSyntax,
  describe: 'Show what changed on the service since the last apply; changes nothing on the service',
  examples: [
    ['$0 drift', 'Check every resource in the default environment'],
    ['$0 drift -e production --exit-code', 'Make a nightly job fail if the dashboard was edited'],
    ["$0 drift -e 'prod-*'", 'Check several environments, one after the other'],
    ['$0 drift -e production --branch drift', 'Commit dashboard edits to the branch drift'],
    ['$0 drift front-desk --format markdown', 'Check one agent, formatted for an issue'],
  ],
  run,
};

/** The drift. `isRefused` is set if part of the drift could not be written to the branch. */
type ReportedDrift = DriftResult & { readonly isRefused?: boolean };

type DriftAnswer = ReportedDrift & { readonly full: boolean; readonly verbose: boolean };

const driftFormats: Renderers<DriftAnswer, 'text' | 'json' | 'markdown' | 'html'> = {
  text: async ({ drift, full, verbose }, { answerStyle }) =>
    (await import('./document.ts')).renderDriftText(drift, { ...answerStyle, full, verbose }),
  json: inJson(({ drift }) => drift),
  markdown: async ({ drift }) => (await import('./document.ts')).renderDriftMarkdown(drift),
  html: async ({ drift }) => (await import('./document.ts')).renderDriftHtml(drift),
};

function driftOptions() {
  return {
    ...environmentsServiceOptions(),
    format: formatOption(driftFormats, 'Output format; markdown is for issues and pull requests, html is a web page'),
    full: switchOption('Show long texts in full'),
    verbose: verboseOption,
    'exit-code': switchOption('Exit with 2 if a setting was or may have been edited, or if records are missing'),
    branch: textOption('Commit manifests with the live values to this branch; does not change the work tree'),
  } as const;
}

async function run(options: Parsed<ReturnType<typeof driftOptions>>, console: Console): Promise<void> {
  if (options.branch !== undefined) onlyEnvironment(options.environment, '--branch');
  if (options.format === 'html') onlyEnvironment(options.environment, '--format html');
  return inEnvironments(
    options,
    {
      async run(environment) {
        const result = await withHost(console, options, (host) => found(host, { ...options, environment }, console));
        await printWarnings(result, console);
        return { ...options, ...result };
      },
      renderers: driftFormats,
      async exitCodeOf({ drift, isRefused }) {
        const { exitCodeOfDrift } = await import('./drift.ts');
        const code = exitCodeOfDrift(drift, { driftCounts: options.exitCode });
        return isRefused && code !== exitCodes.failed ? exitCodes.refused : code;
      },
    },
    console,
  );
}

async function found(
  host: Host,
  { branch, ...options }: SessionOptions & { readonly branch?: string | undefined },
  console: Console,
): Promise<ReportedDrift> {
  if (branch === undefined) return (await import('./drift.ts')).drift(host, options);
  const { branchText, driftOnBranch, isRefused } = await import('./branch.ts');
  const result = await driftOnBranch(host, { ...options, branch });
  console.say(branchText(result, branch));
  return { ...result, isRefused: isRefused(result.update) };
}
