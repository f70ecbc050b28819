import { join } from 'node:path';
import { cli } from './processes.mjs';
import { longManifests, longPrompts } from './projects.mjs';
import { race } from './race.mjs';
import { ratioRow } from './rows.mjs';

const count = 1000;

/** Measures the validation of many manifests. The reference only parses the manifests. */
export async function measureValidate({ yaml, folder }) {
  const project = await longManifests(count);
  const args = [cli, 'validate', '--project', project];
  const warm = { args, env: { AGENTFORM_CACHE: join(folder, 'cache') } };
  const bare = { args: [yaml, join(project, 'agents')] };
  const times = await race({ bare, validate: { args }, warm }, 5);
  const what = `\`validate\` of ${count} manifests in 2 environments, beside parsing them`;
  return [
    ratioRow(what, times.validate, { reference: times.bare, most: 2.5 }),
    ratioRow(`${what}, with the cache`, times.warm, { reference: times.bare, most: 0.25 }),
    await promptsRow(),
  ];
}

/** Measures the prompt checks. The reference is a run without these checks. */
async function promptsRow() {
  const { all, off } = await longPrompts(300);
  const [checked, unchecked] = [all, off].map((project) => ({
    args: [cli, 'validate', '--no-cache', '--project', project],
  }));
  const times = await race({ unchecked, checked }, 5);
  const what = '`validate` of 300 different prompts of 20 KB, beside the same without prompt checks';
  return ratioRow(what, times.checked, { reference: times.unchecked, most: 4 });
}
