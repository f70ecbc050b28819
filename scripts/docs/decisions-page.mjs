import { readdir, readFile } from 'node:fs/promises';

const introduction = `
# Decision records

Each record explains a decision that a newcomer would question. Code refers to a record by its number.

To add a record, use the next free number and write its context, decision and consequences on at most one page. Numbers
never change, and some are unused. When a later record overrules an earlier one, add one of these lines below the
heading of the earlier record. Then run \`npm run docs\`:

\`\`\`
**Superseded by** [12](0012-title.md): why it no longer applies.
**Amended by** [12](0012-title.md): what changed, if the rest still holds.
\`\`\`
`;

/**
 * Returns the index of docs/decisions/. The index is made from the heading of each decision record, and from the line
 * that names a later record, if any.
 */
export async function decisionsPage(root) {
  const folder = `${root}docs/decisions`;
  const names = (await readdir(folder)).filter((name) => name !== 'README.md').sort();
  const rows = await Promise.all(names.map(async (name) => rowOf(name, await readFile(`${folder}/${name}`, 'utf8'))));
  return `${introduction}\n| number | decision | status |\n| --- | --- | --- |\n${rows.join('')}`;
}

const list = new Intl.ListFormat('en-GB');

function rowOf(name, text) {
  const number = Number(name.slice(0, 4));
  const [, title] = text.match(/^# \d+\. (.+)/) ?? [];
  if (title === undefined) throw new Error(`docs/decisions/${name} must begin with "# ${number}. Title"`);
  const later = [...text.matchAll(/^\*\*(Superseded|Amended) by\*\* ([^:]+):/gm)];
  const status = ['Superseded', 'Amended'].flatMap((verb) => {
    const links = later.flatMap(([, found, linked]) => (found === verb ? linked.match(/\[\d+\]\([^)]*\)/g) : []));
    return links.length === 0 ? [] : [`${verb.toLowerCase()} by ${list.format(links)}`];
  });
  return `| ${number} | [${title.replaceAll('|', '\\|')}](${name}) | ${status.join('; ')} |\n`;
}
