import { addressOf, commandIn } from '../kinds/desired.ts';
import { shellWord } from '../text/wording.ts';

/** How the conflicts of a resource are settled, either way: an apply does not choose between two people's values. */
export function conflictRemedies(
  environment: string,
  resource: { readonly kind: string; readonly name: string },
  paths: readonly string[],
): string {
  const [path = '', ...others] = paths;
  const field = others.length === 0 ? shellWord(path) : 'PATH';
  return (
    `${commandIn(environment, `apply --overwrite ${addressOf(resource)}`)} keeps the manifest's value, ` +
    `${commandIn(environment, `update ${resource.name} --field ${field}`)} copies the live value into the manifest`
  );
}
