// Jest's `testRunner`: runs a test file with jest-circus in the process of the worker itself. Jest's own module loader evaluates all
// modules again for each file, which took a fifth of the processor time of the suite. Here Node loads them (`load.mjs`): modules of
// src/ once for a process, as the program does, and modules of test/ for each file.
import { createRequire, register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import circus from 'jest-circus/runner';

// Most objects of a test are soon garbage. The young generation grows in one step, so that it is collected less often.
setFlagsFromString('--semi-space-growth-factor=16');
// Few functions run long enough to be worth optimizing, so V8 waits four times as long before it does.
setFlagsFromString('--interrupt-budget=600000');
register('./load.mjs', import.meta.url);

// Git in this process ignores the configuration of the person who runs the tests.
process.env.GIT_CONFIG_GLOBAL = resolve(import.meta.dirname, '../support/gitconfig');
process.env.GIT_CONFIG_NOSYSTEM = '1';

const require = createRequire(import.meta.url);
let files = 0;

export default function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  files += 1;
  // While jest watches files, a file of src/ may change between two runs of this process.
  const version = globalConfig.watch || globalConfig.watchAll ? `${files}&all` : files;
  const native = Object.create(runtime, {
    requireInternalModule: { value: requireAnew },
    unstable_shouldLoadAsEsm: { value: () => true },
    unstable_importModule: {
      value(path) {
        globalThis[Symbol.for('agentform.jest-globals')] = runtime.requireModuleOrMock(testPath, '@jest/globals');
        return import(`${pathToFileURL(path).href}?${version}`);
      },
    },
  });
  return circus.default(globalConfig, config, environment, native, testPath, sendMessageToJest);
}

/** Loads the part of jest-circus that keeps the tests and handlers of a file, in globals and in its module. */
function requireAnew(path) {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
  }
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  delete require.cache[path];
  return require(path);
}
