// The libraries that check texts, in one file of the program: they are loaded when there is a text to check.

export { francAll } from 'franc-min';
export { default as MarkdownIt } from 'markdown-it';
