// The libraries for checking texts, in one bundled file, which is loaded when there is a text to check.

export { francAll } from 'franc-min';
export { default as MarkdownIt } from 'markdown-it';
