// The tests that take long, apart from `npm test`: `npm run test:long` runs the simulations, the largest inputs, the page in a
// browser and the whole package, `npm run test:editor` the settings and the extension that an editor gets, in a real one.
import { forAll, programTests } from './jest.config.mjs';

export default {
  projects: [programTests('long', ['<rootDir>/test/long']), programTests('editor', ['<rootDir>/test/editor'])],
  ...forAll,
};
