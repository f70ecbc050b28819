import { AgentformError } from '../../errors.ts';
import { canonicalJson } from '../../json/json.ts';
import { nounOf } from '../../kinds/kind.ts';
import { remedyIn } from '../../notices/notice.ts';
import { remedyText } from '../../report/notices.ts';
import type { KindName } from '../../schemas/fields.ts';
import { counted, joinWithAnd } from '../../text/wording.ts';
import type { UpdatedField } from './fields.ts';

export interface RestoredResource {
  readonly kind: KindName;
  readonly updated: readonly UpdatedField[];
}

export interface TemplateQuestion {
  readonly environment: string;
  /** The selection as typed. */
  readonly names: readonly string[];
  readonly selector?: string | undefined;
}

/**
 * Several resources that were rolled back together go back to one text that they share. It belongs into their template:
 * otherwise the next ring gets the rolled-back text, and each of them an override of the shared value.
 */
export function refuseOverridesOfTemplate(resources: readonly RestoredResource[], asked: TemplateQuestion): void {
  const groups = new Map<
    string,
    { readonly file: string; readonly field: string; readonly members: Set<RestoredResource> }
  >();
  for (const resource of resources) {
    for (const { path, change, shared } of resource.updated) {
      if (shared === undefined) continue;
      const key = JSON.stringify([path, shared.file, canonicalJson(shared.value)]);
      const group = groups.get(key) ?? { file: shared.file, field: change.path, members: new Set() };
      group.members.add(resource);
      groups.set(key, group);
    }
  }
  const large = [...groups.values()].filter(({ members }) => members.size > 1);
  const [first] = large;
  if (first === undefined) return;
  const members = [...new Set(large.flatMap((group) => [...group.members]))];
  const files = [...new Set(large.map(({ file }) => file))].sort();
  const typed = [...asked.names, ...(asked.selector === undefined ? [] : ['-l', asked.selector])];
  const command = (...options: string[]) => remedyIn(asked.environment, 'update', ...typed, ...options);
  const shared = files.map((file) => {
    const fields = [...new Set(large.filter((group) => group.file === file).map(({ field }) => field))];
    return command(...fields.flatMap((field) => ['--field', field]), '--to', file);
  });
  const own = command('--own');
  const noun = nounOf(members);
  throw new AgentformError(
    'edit-refused',
    `nothing was written: ${counted(members.length, noun)} have the same ${files.length === 1 ? 'text' : 'texts'}: ` +
      `change ${joinWithAnd(files)} with ${joinWithAnd(shared.map(remedyText))}; ` +
      `to give each ${noun} an override instead, run ${remedyText(own)}`,
    { remedies: [...shared, own] },
  );
}
