// The tests that take long, apart from `npm test`. `npm run test:long` runs the simulations, the page in a browser, the whole package,
// the laws that hold for random input (`*.laws.test.ts`, test/fuzz/) and the largest inputs (`*.limits.test.ts`). `npm run test:editor`
// runs the settings and the extension that an editor gets, in a real one.
import { forAll, programTests } from './jest.config.mjs';

const takesLong = ['<rootDir>/test/{fuzz,long}/**/*.test.ts', '<rootDir>/test/**/*.{laws,limits}.test.ts'];

export default {
  projects: [
    programTests('long', { roots: ['<rootDir>/test'], testMatch: takesLong }),
    programTests('editor', { roots: ['<rootDir>/test/editor'] }),
  ],
  ...forAll,
};
