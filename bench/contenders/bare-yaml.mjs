// Does the minimum work of reading manifests: parses every file with positions. Usage: node bare-yaml.mjs FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';

const [folder] = process.argv.slice(2);
for (const name of readdirSync(folder)) {
  const lineCounter = new LineCounter();
  const { errors } = parseDocument(readFileSync(join(folder, name), 'utf8'), { lineCounter });
  if (errors.length > 0) throw errors[0];
}
