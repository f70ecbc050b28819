/** The steps of a JSON pointer. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function formatPointer(steps: readonly string[]): string {
  return steps.map((step) => `/${escapeStep(step)}`).join('');
}

export function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}
