import { join } from 'node:path';
import { cli, peakOf } from './processes.mjs';
import { longManifests } from './projects.mjs';
import { race } from './race.mjs';
import { memoryRow, ratioRow } from './rows.mjs';

const count = 1000;

/** How long it takes to validate many manifests, beside only parsing them. */
export async function measureValidate({ yaml, folder }) {
  const project = await longManifests(count);
  const args = [cli, 'validate', '--project', project];
  const warm = { args, env: { AGENTFORM_CACHE: join(folder, 'cache') } };
  const bare = { args: [yaml, join(project, 'agents')] };
  const times = await race({ bare, validate: { args }, warm }, 5);
  const what = `\`validate\` of ${count} manifests in 2 environments, beside parsing them`;
  return [
    ratioRow(what, { ms: times.validate, reference: times.bare, aim: 2 }),
    ratioRow(`${what}, with the cache`, { ms: times.warm, reference: times.bare, aim: 0.5 }),
    memoryRow(`peak memory of that \`validate\``, { megabytes: await peakOf(args), aim: 300 }),
  ];
}
