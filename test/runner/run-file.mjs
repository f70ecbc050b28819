// Jest's `testRunner`, which runs a test file with jest-circus in the worker process. Jest's module loader would
// evaluate all modules again for each test file, which took a fifth of the suite's processor time. Therefore, Node.js
// loads the modules instead (`load.mjs`). Node.js evaluates modules in src/ once per process, as in the program, and
// modules in test/ once per test file.
import { createRequire, register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import circus from 'jest-circus/runner';

// Most objects in tests are short-lived. A young generation that grows in one step is collected less often.
setFlagsFromString('--semi-space-growth-factor=16');
// Few functions run long enough for optimization to pay off, so V8 waits four times longer before it optimizes a
// function. Later versions of Node.js lack this flag.
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=600000');
register('./load.mjs', import.meta.url);

// Tests must not depend on the git configuration of the developer.
process.env.GIT_CONFIG_GLOBAL = resolve(import.meta.dirname, '../support/gitconfig');
process.env.GIT_CONFIG_NOSYSTEM = '1';

const require = createRequire(import.meta.url);
let files = 0;

export default function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  files += 1;
  // In watch mode, files in src/ may change between two runs in this process.
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

/** Reloads the part of jest-circus that stores a file's tests and handlers in globals and in its module. */
function requireAnew(path) {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
  }
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  delete require.cache[path];
  return require(path);
}
