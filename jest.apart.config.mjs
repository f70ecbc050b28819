// Tests that `npm test` omits. `npm run test:long` runs slow tests: simulations, rarer situations,
// the page in a browser, the package, random input (`*.laws.test.ts`, test/fuzz/), large input
// (`*.limits.test.ts`) and every store (`stores.test.ts`). `npm run test:editor` tests the editor settings and the
// extension in real editors.
import { forAll, programTests } from './jest.config.mjs';

const takesLong = ['<rootDir>/test/{fuzz,long}/**/*.test.ts', '<rootDir>/test/**/*.{laws,limits}.test.ts'];
// `npm test` runs these with one store (`storesToTest`).
const inEveryStore = ['<rootDir>/test/**/stores.test.ts', '<rootDir>/test/**/*.stores.test.ts'];

export default {
  projects: [
    programTests('long', {
      roots: ['<rootDir>/test'],
      testMatch: [...takesLong, ...inEveryStore],
      globals: { runsBuiltProgram: true, inEveryStore: true },
    }),
    programTests('editor', { roots: ['<rootDir>/test/editor'] }),
  ],
  ...forAll,
  workerIdleMemoryLimit: '512MB',
};
