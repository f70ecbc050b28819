// The libraries that look into texts: loaded when there is a text to check.

export { francAll } from 'franc-min';
export { default as MarkdownIt } from 'markdown-it';
