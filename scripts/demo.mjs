// Shows the main workflow in a minute, on the embedded emulator: validate, plan, apply, edit, plan again. It uses a
// copy of examples/clinic, so that nothing in the repository changes.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'dist', 'cli.js');
const project = join(await mkdtemp(join(tmpdir(), 'agentform-demo-')), 'clinic');
await cp(join(root, 'examples', 'clinic'), project, {
  recursive: true,
  filter: (path) => !path.split(/[\\/]/).includes('.agentform'),
});

const bold = (text) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[22m` : text);
const tell = (text) => console.log(`\n${bold(`# ${text}`)}`);

function agentform(args, { expected = 0 } = {}) {
  console.log(`\n${bold(`$ agentform ${args.join(' ')}`)}`);
  const { status } = spawnSync(process.execPath, [cli, ...args], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === expected) return;
  console.error(`\nthe demo stops: agentform ${args[0]} exited with ${status} instead of ${expected}`);
  process.exit(1);
}

async function edit(file, from, to) {
  const path = join(project, file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  await writeFile(path, text.replace(from, to));
  console.log(`\n  ${file}\n  - ${from}\n  + ${to}`);
}

tell('Three agents of a clinic, as YAML and Markdown files. Are they valid?');
agentform(['validate']);
tell('What would an apply do? Nothing is there yet, so it would create them.');
agentform(['plan', '--exit-code'], { expected: 2 });
tell('Do it.');
agentform(['apply', '--yes']);
tell('Planned again, there is nothing to do.');
agentform(['plan', '--exit-code']);
tell('Now a prompt of the front desk changes, and a setting that all three agents share.');
await edit('prompts/front-desk.md', 'A check-up takes 30 minutes', 'A check-up takes 40 minutes');
await edit('shared/clinic.yaml', 'agentVoice: warm-1', 'agentVoice: warm-2');
tell('This is what the pull request shows.');
agentform(['plan', '--exit-code'], { expected: 2 });
tell('After the merge it is applied, and everything agrees again.');
agentform(['apply', '--yes']);
agentform(['plan', '--exit-code']);

const at = relative(process.cwd(), project);
console.log(`
${bold('That was agentform.')} The demo's project is in ${at.startsWith('..') ? project : at}.

What to do next:
  - look at examples/clinic, which this was a copy of
  - write your first manifest: README.md, "Write your first manifest"
  - go to a real service: README.md, "The way to production"
`);
