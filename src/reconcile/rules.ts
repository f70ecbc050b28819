/** The rules by name, as data: what the documentation is made from. */
export { comparisonRules } from '../kinds/compare.ts';
export { errorRules, lintRules } from '../manifest/index.ts';
