import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, isFormatOf, type Renderers } from '../../cli/formats.ts';
import { cacheIn } from '../../cli/host.ts';
import {
  type Command,
  cacheOption,
  environmentsOption,
  type Parsed,
  projectOptions,
  selectedNames,
  selectionOptions,
  switchOption,
  textOption,
} from '../../cli/options.ts';
import { answeringFailure, printWarnings, problemFormats } from '../../cli/problem-formats.ts';
import { exitCodes } from '../../errors.ts';
import type { TestResult } from './test.ts';

export const testCommand: Command<ReturnType<typeof testOptions>> = {
  syntax: { usage: 'test [names..]', options: testOptions },
  describe: 'Run Tests against the manifests; needs no network and no secrets',
  examples: [
    ['$0 test', 'Run every case in every environment'],
    ['$0 test front-desk -e production', 'Test one agent in one environment'],
    ['$0 test --coverage', 'Also list settings that no case covers'],
    ['$0 test --format junit > tests.xml', 'Write a test report for CI'],
  ],
  run,
};

const { json: _, ...annotations } = problemFormats;

const testFormats: Renderers<
  TestResult & { readonly project: string },
  'text' | 'json' | 'junit' | keyof typeof annotations
> = {
  text: async ({ report }, { answerStyle }) => (await import('./text.ts')).renderTestText(report, answerStyle),
  json: inJson(({ report }) => report),
  junit: async ({ report }) => (await import('./junit.ts')).renderTestJunit(report),
  ...annotations,
};

function testOptions() {
  return {
    ...projectOptions(),
    ...selectionOptions,
    names: {
      ...selectedNames,
      describe: 'Agents to test (name, Agent/name or glob), or Tests to run (name); default: all',
    },
    environment: environmentsOption(
      'Test only in these environments: names or globs, separated by commas (default: all)',
    ),
    filter: textOption('Run only cases with this text in their name, or in the name of their Test'),
    ...cacheOption,
    coverage: switchOption('Also list the caller rules and timing settings that no case checks (text and json)'),
    format: formatOption(
      testFormats,
      'Output format; junit is a test report, github, gitlab and sarif annotate the files',
    ),
  } as const;
}

async function run(options: Parsed<ReturnType<typeof testOptions>>, console: Console): Promise<void> {
  const { project, environment, format } = options;
  await answeringFailure(isFormatOf(annotations, format) ? format : undefined, { project, console }, async () => {
    const { test } = await import('./test.ts');
    const { env } = console.process;
    const host = { env, cache: await cacheIn(env, options) };
    const result = await test(host, { ...options, environments: environment?.patterns });
    const { problems, sourceOf, report } = result;
    if (!isFormatOf(annotations, format)) {
      await printWarnings({ warnings: problems.filter(({ severity }) => severity === 'warning'), sourceOf }, console);
    }
    await answerIn(format, { renderers: testFormats, answer: { ...result, project } }, console);
    if (report.summary.failed + report.summary.errors > 0) console.process.exitCode = exitCodes.failed;
  });
}
