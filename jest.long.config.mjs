// The simulations that take minutes, which `npm run test:long` runs.
import { forAll, programTests } from './jest.config.mjs';

export default { projects: [programTests('long', ['<rootDir>/test/long'])], ...forAll };
