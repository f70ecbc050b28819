import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import type { RenderResult } from './render.ts';

/** Each resource with its digest, and how much of the folder changed. */
export function renderRenderedText({ resources, changed, out }: RenderResult & { readonly out: string }): string {
  const lines = resources.map((one) => {
    const texts = counted(Object.keys(one.texts).length, 'text');
    return `${addressOf(one)}  ${one.body} and ${texts}  ${one.digest}`;
  });
  const end =
    changed.length === 0
      ? `Everything in ${out} was up to date.`
      : `Changed ${counted(changed.length, 'file')} in ${out}.`;
  return `${[...lines, end].map(visibleLine).join('\n')}\n`;
}
