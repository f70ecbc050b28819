
export * as plan from './report/plan.ts';
export * as ledger from './report/ledger.ts';
export * as results from './report/markdown/results.ts';
export * as text from './report/terminal/text.ts';
export * as drift from './commands/drift/document.ts';
export * as status from './commands/status/document.ts';
export * as diff from './commands/diff/document.ts';
export * as history from './commands/history/document.ts';
export * as problems from './report/problems/problems-text.ts';
export * as failure from './report/markdown/failure.ts';
export * as annotations from './report/plan/annotations.ts';
export * as pa from './report/problems/annotations.ts';
export * as comment from './report/markdown/comment.ts';
export * as questions from './report/plan/questions.ts';
export * as json from './report/json.ts';
export * as ending from './report/progress/progress.ts';
