import { join } from 'node:path';
import { cli } from './processes.mjs';
import { fleet } from './projects.mjs';
import { race } from './race.mjs';
import { msRow, ratioRow } from './rows.mjs';

const count = 10_000;

/**
 * Measures the time that a large fleet adds to the check of one member with a warm cache. The time for a fleet of one
 * member is subtracted. The reference is the time that parsing the table adds to an empty node process.
 */
export async function measureFleet({ csv, folder }) {
  const [many, one] = [await fleet(count), await fleet(1)];
  const env = { AGENTFORM_CACHE: join(folder, 'cache-of-fleets') };
  const validate = (project) => ({ args: [cli, 'validate', 'client-1', '--project', project], env });
  const times = await race(
    {
      node: { args: ['-e', '0'] },
      table: { args: [csv, join(many, 'tables/clients.csv')] },
      one: validate(one),
      many: validate(many),
    },
    5,
  );
  const added = { ...times.many, ms: times.many.ms - times.one.ms };
  const parsing = { ms: times.table.ms - times.node.ms };
  return [
    msRow(`\`validate\` of one member of ${count}`, times.many),
    ratioRow(`what the others add to it, beside parsing their table`, added, { reference: parsing, most: 4 }),
  ];
}
