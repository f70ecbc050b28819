// A test runner for StrykerJS that bundles tests and code into one module and runs this module in one process. This
// takes milliseconds per mutant, whereas jest takes seconds. If a mutant changes code that is evaluated once, the
// module is evaluated again. The tests use jest's own `test` and `expect`.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { addEventHandler, describe, getState, resetState, run } from 'jest-circus';

/** The object that Stryker's instrumented code reads and writes. */
const control = {};
globalThis.__stryker__ = control;

/**
 * The bundle calls these functions around each file's declarations, so that the file's hooks run only around its own
 * tests.
 */
globalThis.__testFile__ = {
  begin(name) {
    describe(name, () => {});
    const state = getState();
    state.currentDescribeBlock = state.rootDescribeBlock.children.at(-1);
  },
  end() {
    const state = getState();
    state.currentDescribeBlock = state.rootDescribeBlock;
  },
};

class OneProcessRunner {
  static inject = ['options'];
  #entry;
  #bundle = '';
  #evaluations = 0;
  /** Whether the module must be evaluated again, because it was evaluated with a mutant or not at all. */
  #isStale = true;
  #wanted;
  /** Matches the names of the tests to run. */
  #named;
  /** The time limit of a test in milliseconds. */
  #patience;
  #results = [];

  constructor({ oneProcess }) {
    this.#entry = oneProcess.tests
      .flatMap((path) => [`begin:${path}`, `./${path}`, `end:${path}`])
      .map((module) => `import '${module}';`)
      .join('\n');
    this.#named = new RegExp(oneProcess.named);
    this.#patience = oneProcess.patience;
    addEventHandler((event, state) => this.#watch(event, state));
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.#bundle = join(process.cwd(), `gathered-${process.pid}.mjs`);
    await build({
      stdin: { contents: this.#entry, resolveDir: process.cwd() },
      outfile: this.#bundle,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      plugins: [{ name: 'places', setup: keepPlaces }],
      logLevel: 'silent',
    });
  }

  async dryRun() {
    await this.#run({ anew: true });
    return { status: 'complete', tests: this.#results, mutantCoverage: control.mutantCoverage };
  }

  async mutantRun({ activeMutant, mutantActivation, reloadEnvironment, testFilter, hitLimit }) {
    const { id } = activeMutant;
    const isStatic = mutantActivation === 'static';
    const anew = isStatic || reloadEnvironment;
    try {
      await this.#run({ id, isStatic, anew, hitLimit, wanted: testFilter && new Set(testFilter) });
    } catch (error) {
      return { status: 'killed', killedBy: ['all'], failureMessage: String(error), nrOfTests: 0 };
    }
    if (hitLimit !== undefined && control.hitCount > hitLimit) return { status: 'timeout' };
    const failed = this.#results.filter(({ status }) => status === 1);
    const nrOfTests = this.#results.length;
    if (failed.length === 0) return { status: 'survived', nrOfTests };
    return {
      status: 'killed',
      killedBy: failed.map((each) => each.id),
      failureMessage: failed[0].failureMessage,
      nrOfTests,
    };
  }

  async #run({ id, isStatic, anew, hitLimit, wanted }) {
    this.#results = [];
    this.#wanted = wanted;
    control.mutantCoverage = undefined;
    control.currentTestId = undefined;
    control.hitLimit = hitLimit;
    control.hitCount = hitLimit === undefined ? undefined : 0;
    control.activeMutant = isStatic ? id : undefined;
    if (anew || this.#isStale) await this.#evaluate();
    else for (const test of testsIn(getState().rootDescribeBlock)) Object.assign(test, notYetRun, { errors: [] });
    this.#isStale = isStatic === true;
    control.activeMutant = id;
    await run();
  }

  async #evaluate() {
    resetState();
    getState().testTimeout = this.#patience;
    this.#evaluations += 1;
    await import(`${pathToFileURL(this.#bundle)}?${this.#evaluations}`);
  }

  #watch(event, state) {
    if (event.name === 'run_start') {
      const { rootDescribeBlock } = state;
      for (const test of testsIn(rootDescribeBlock)) {
        const name = nameOf(test);
        if (!this.#named.test(name) || this.#wanted?.has(name) === false) test.mode = 'skip';
      }
      state.unhandledErrors = [];
    }
    if (event.name === 'test_start') control.currentTestId = nameOf(event.test);
    if (event.name !== 'test_done') return;
    const { errors, duration } = event.test;
    control.currentTestId = undefined;
    const [failure] = errors;
    const failureMessage =
      failure === undefined ? {} : { failureMessage: String(failure[0]?.message ?? failure[0] ?? failure) };
    const name = nameOf(event.test);
    this.#results.push({ id: name, name, timeSpentMs: duration ?? 0, status: failure ? 1 : 0, ...failureMessage });
    // One failure kills the mutant, so the other tests are skipped.
    if (failure && control.activeMutant !== undefined) {
      for (const test of testsIn(state.rootDescribeBlock)) test.mode = 'skip';
    }
  }
}

const notYetRun = { status: null, mode: undefined, invocations: 0, startedAt: null, duration: null };

function testsIn(block) {
  return block.children.flatMap((child) => (child.type === 'describeBlock' ? testsIn(child) : [child]));
}

function nameOf({ name, parent }) {
  return parent === undefined || parent.name === 'ROOT_DESCRIBE_BLOCK' ? name : `${nameOf(parent)} ${name}`;
}

/**
 * An esbuild plugin that makes every module keep its own `import.meta`, because modules use it to find files. The
 * bundle uses jest's functions from this process.
 */
function keepPlaces({ onLoad, onResolve }) {
  onResolve({ filter: /^(begin|end):/ }, ({ path }) => ({ path, namespace: 'test-file' }));
  onLoad({ filter: /.*/, namespace: 'test-file' }, ({ path }) => {
    const [step, name] = path.split(':');
    return { contents: `globalThis.__testFile__.${step}(${JSON.stringify(name)});` };
  });
  onResolve({ filter: /^@jest\/globals$/ }, () => ({ path: 'globals', namespace: 'jest' }));
  onLoad({ filter: /.*/, namespace: 'jest' }, () => ({
    contents: "export * from 'jest-circus'; export { expect } from 'expect';",
    resolveDir: process.cwd(),
  }));
  onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
    contents: (await readFile(path, 'utf8'))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    loader: 'ts',
  }));
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'one-process', injectableClass: OneProcessRunner }];
