import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Console, reportFailure } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { cacheIn } from '../../cli/host.ts';
import { waitForInterrupt } from '../../cli/interrupt.ts';
import {
  baseOption,
  type Command,
  cacheOption,
  changeSelectionOptions,
  environmentsOption,
  type Parsed,
  projectOptions,
} from '../../cli/options.ts';
import { answeringFailure, type ProblemFormat, problemFormats } from '../../cli/problem-formats.ts';
import { AgentformError, exitCodes } from '../../errors.ts';
import type { FactCache } from '../../manifest/project/load-project.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import { ProblemsError } from '../../yaml/problem.ts';
import type { ValidateResult } from './validate.ts';

export const validateSyntax = { usage: 'validate [names..]', options: validateOptions };

export const validateCommand: Command<ReturnType<typeof validateOptions>> = {
  syntax: validateSyntax,
  describe: 'Check every manifest in every environment; needs no network and no secrets',
  examples: [
    ['$0 validate', 'Check the project in this folder'],
    ['$0 validate --project clinic', 'Check the project in another folder'],
    ['$0 validate -e production', 'Check only the environment production'],
    ['$0 validate --watch', 'Show the problems while you edit'],
    ['$0 validate elm-street', 'Check one resource, and ignore problems in other files'],
    ['$0 validate --changed-since origin/main', 'Check what a branch changes'],
    ['$0 validate --format github', 'In a workflow: show each problem at its line'],
    ['$0 validate --format gitlab > agentform.json', "Write a report for GitLab's Code Quality"],
    ['$0 validate --format sarif > agentform.sarif', 'Write a report for code scanning'],
  ],
  run,
};

const validateFormats: Renderers<ValidateResult & { readonly project: string }, 'text' | ProblemFormat> = {
  text: validationText,
  ...problemFormats,
};

function validateOptions() {
  return {
    ...projectOptions(),
    ...changeSelectionOptions,
    environment: environmentsOption(
      'Check only these environments: names or globs, separated by commas (default: all)',
    ),
    ...cacheOption,
    watch: {
      type: 'boolean',
      describe: 'Check again after every edit, until Ctrl-C',
    },
    base: baseOption,
    format: formatOption(
      validateFormats,
      'Output format; sarif is for code scanning, github and gitlab annotate the files',
    ),
  } as const;
}

type ValidateArguments = Parsed<ReturnType<typeof validateOptions>>;

async function run(options: ValidateArguments, console: Console): Promise<void> {
  const { project, environment, format, watch } = options;
  const { env } = console.process;
  const cache = await cacheIn(env, options);
  const check = async (kept?: FactCache) => {
    const { validate } = await import('./validate.ts');
    const host = { env, now: () => new Date(), cache: cache ?? kept };
    return validate(host, { ...options, environment: environment?.patterns });
  };
  return answeringFailure(format === 'text' ? undefined : format, { project, console }, async () => {
    if (watch && format !== 'text') throw new AgentformError('usage', '--watch only prints text; remove --format');
    if (watch) return watching(project, check, console);
    const result = await check();
    await answerIn(format, { renderers: validateFormats, answer: { ...result, project } }, console);
    if (!result.valid) console.process.exitCode = exitCodes.failed;
  });
}

/** Checks again after every edit. Keeps facts in memory, so that only affected manifests are checked. */
async function watching(
  project: string,
  check: (kept: FactCache) => Promise<ValidateResult>,
  console: Console,
): Promise<void> {
  const { FolderWatch } = await import('../../workspace/folder-watch.ts');
  const { factsInMemory } = await import('../../manifest/project/trace.ts');
  const facts = factsInMemory();
  const cache = { factsOf: () => facts };
  if (!existsSync(project)) {
    await check(cache);
    return;
  }
  const stopped = new AbortController();
  const watch = new FolderWatch(statSync(project).isDirectory() ? project : dirname(project), stopped.signal);
  const stop = waitForInterrupt(console).then(() => stopped.abort());
  const { isTTY } = console.process.stdout;
  let shown: string | undefined;
  try {
    do {
      const { text, print } = await outcomeOf(() => check(cache), console);
      // If the output goes to a file in the project, each output would start another check in an endless loop.
      if (!isTTY && text === shown) continue;
      if (isTTY) console.process.stdout.write(cleared);
      await print();
      console.say('\nWatching for edits; press Ctrl-C to stop.\n');
      shown = text;
    } while (await watch.edited());
    await stop;
  } finally {
    watch.close();
  }
}

/** The escape sequence that clears a terminal and its scrollback. */
const cleared = '\u001b[2J\u001b[3J\u001b[H';

/**
 * Returns the outcome of a check: a text that differs if the outcome differs, and a function that prints the outcome.
 * The outcome can be an expected failure, because a file is often invalid while a person edits it.
 */
async function outcomeOf(check: () => Promise<ValidateResult>, console: Console) {
  try {
    const text = await validationText(await check(), console);
    return { text, print: () => console.inPieces('answer', text) };
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    const problems = error instanceof ProblemsError ? error.problems : [];
    const print = async () => {
      await reportFailure(error, console);
    };
    return { text: JSON.stringify([error.message, problems]), print };
  }
}

async function validationText(
  { problems, sourceOf, valid, manifests, resources, environments, changedSince }: ValidateResult,
  { answerStyle, redact }: Console,
): Promise<string> {
  const names = environments.join(', ');
  const members = resources > manifests ? ` with ${counted(resources, 'resource')}` : '';
  const declared = `${counted(manifests, 'manifest')}${members}`;
  let end = `${declared} valid in ${counted(environments.length, 'environment')} (${names})\n`;
  if (changedSince !== undefined) {
    const { changedSinceSentences } = await import('../../report/wording.ts');
    end += `${visibleLine(changedSinceSentences(changedSince, 'checked'))}\n`;
  }
  if (problems.length === 0) return end;
  const { renderProblems } = await import('../../report/problems/problems-text.ts');
  return renderProblems(problems, { ...answerStyle, sourceOf, redact }) + (valid ? end : '');
}
