// Loaded before the built program. Optimizing compilers, for undici's parser and for the program, take a quarter of a short run,
// which no test runs long enough to earn back. As an argument of node each of these flags makes V8 compile Node's own modules
// itself, because it takes the compiled ones only under the flags that they were compiled with: so they come first.
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
// The young generation grows in one step to what no run fills.
v8.setFlagsFromString('--semi-space-growth-factor=16');
