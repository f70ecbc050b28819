// Loaded before the built program. Turns off optimizations for which no test runs long enough. Optimizing undici's
// parser and the program takes a quarter of a short run. As arguments of node, these flags would make V8 compile Node's
// own modules, because the precompiled modules need the default flags. Therefore, Node's modules are loaded first.
const v8 = require('node:v8');

const ownModules = [
  'assert',
  'child_process',
  'crypto',
  'fs/promises',
  'https',
  'module',
  'perf_hooks',
  'readline/promises',
  'stream/web',
  'timers/promises',
  'worker_threads',
  'zlib',
];
for (const name of ownModules) require(`node:${name}`);
v8.setFlagsFromString('--no-opt');
v8.setFlagsFromString('--liftoff-only');
