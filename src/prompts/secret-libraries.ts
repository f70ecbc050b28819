// Apart from the other libraries, because most texts have nothing that could be a key.

export { lintSource } from '@secretlint/core';
export { creator as secretRules } from '@secretlint/secretlint-rule-preset-recommend';
