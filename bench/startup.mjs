import { cli } from './processes.mjs';
import { oneManifest, oneManifestWithRegex } from './projects.mjs';
import { race } from './race.mjs';
import { ratioRow } from './rows.mjs';

/** Measures short commands. The reference is a node process that does nothing. */
export async function measureStartup() {
  const [plain, regex] = [await oneManifest(), await oneManifestWithRegex()];
  const times = await race(
    {
      node: { args: ['-e', '0'] },
      version: { args: [cli, '--version'] },
      help: { args: [cli, '--help'] },
      validate: { args: [cli, 'validate', '--project', plain] },
      regex: { args: [cli, 'validate', '--project', regex] },
    },
    20,
  );
  const row = (what, one, most) => ratioRow(what, one, { reference: times.node, most });
  return [
    row('`--version`, beside `node -e 0`', times.version, 1.4),
    row('`--help`, beside `node -e 0`', times.help, 3),
    row('`validate` of one manifest, beside `node -e 0`', times.validate, 4),
    row('`validate` of one with a regex to prove safe', times.regex),
  ];
}
