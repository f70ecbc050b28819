// Only reads and parses a table.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

const [path] = process.argv.slice(2);
const rows = parse(readFileSync(path));
if (rows.length < 2) throw new Error(`${path} has no rows`);
