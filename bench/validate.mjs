import { join } from 'node:path';
import { cli, peakOf } from './processes.mjs';
import { longManifests } from './projects.mjs';
import { race } from './race.mjs';
import { memoryRow, ratioRow } from './rows.mjs';

const count = 1000;

/** How long it takes to validate many manifests, beside only parsing them. */
export async function measureValidate({ yaml }) {
  const project = await longManifests(count);
  const args = [cli, 'validate', '--project', project];
  const times = await race({ bare: { args: [yaml, join(project, 'agents')] }, validate: { args } }, 5);
  return [
    ratioRow(`\`validate\` of ${count} manifests in 2 environments, beside parsing them`, {
      ms: times.validate,
      reference: times.bare,
    }),
    memoryRow(`peak memory of that \`validate\``, { megabytes: await peakOf(args), aim: 300 }),
  ];
}
