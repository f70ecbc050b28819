// The libraries that look into texts: loaded when there is a text to check, and in the action a file of their own.

export { lintSource } from '@secretlint/core';
export { creator as secretRules } from '@secretlint/secretlint-rule-preset-recommend';
export { francAll } from 'franc-min';
export { default as MarkdownIt } from 'markdown-it';
