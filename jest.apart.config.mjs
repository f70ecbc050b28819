// Tests that `npm test` omits. `npm run test:long` runs slow tests: simulations, the page in a browser, the package,
// random input (`*.laws.test.ts`, test/fuzz/) and large input (`*.limits.test.ts`). `npm run test:editor` tests the
// editor settings and the extension in real editors.
import { forAll, programTests } from './jest.config.mjs';

const takesLong = ['<rootDir>/test/{fuzz,long}/**/*.test.ts', '<rootDir>/test/**/*.{laws,limits}.test.ts'];

export default {
  projects: [
    programTests('long', { roots: ['<rootDir>/test'], testMatch: takesLong }),
    programTests('editor', { roots: ['<rootDir>/test/editor'] }),
  ],
  ...forAll,
};
