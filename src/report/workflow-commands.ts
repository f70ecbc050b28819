import type { Annotation } from './annotations.ts';
import { visible } from './visible-text.ts';

/** Annotations as the commands that GitHub's runner reads from the output of a step, one on each line. */
export function renderWorkflowCommands(annotations: readonly Annotation[]): string {
  return annotations.map((annotation) => `${commandOf(annotation)}\n`).join('');
}

function commandOf({ level, message, file, line, endLine, column, endColumn, title }: Annotation): string {
  const properties = Object.entries({ file, line, endLine, col: column, endColumn, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${properties.join(',')}::${escapeData(message)}`;
}

/** A line break would end the command, and let what follows be read as another one; the log shows names of files. */
function escapeData(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
