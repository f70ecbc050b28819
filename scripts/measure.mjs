// Measures the size of the source: files, lines, long and branching functions, full folders, and the files and
// functions that run in a `plan` of one changed agent. With --plan, it lists these functions by folder. With --check,
// it runs no plan, and fails if a function or folder exceeds its limit.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { packageBundle, root } from './bundles.mjs';

// `import` would search all nine megabytes of the compiler for exports. This search takes longer than loading it.
const ts = createRequire(import.meta.url)('typescript');

/** The limits above which a function is long or branching, or a folder is full. */
const limits = { lines: 40, branches: 15, files: 12 };

const run = promisify(execFile);
const sources = await sourcesOf(`${root}src`);
const functions = sources.flatMap(functionsOf);
const long = functions.filter(({ lines }) => lines > limits.lines).sort((a, b) => b.lines - a.lines);
const branching = functions
  .filter(({ branches }) => branches > limits.branches)
  .sort((a, b) => b.branches - a.branches);
const full = filesByFolder(sources).filter(([, files]) => files > limits.files);

console.log(`files: ${sources.length}`);
console.log(`lines: ${sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)}`);
list(`functions over ${limits.lines} lines`, long, (one) => `${one.lines} ${one.path}:${one.line} ${one.name}`);
list(
  `functions with more than ${limits.branches} branches`,
  branching,
  (one) => `${one.branches} ${one.path}:${one.line} ${one.name}`,
);
list(`folders with more than ${limits.files} files`, full, ([folder, files]) => `${files} ${folder}`);
if (process.argv.includes('--check')) {
  if ([long, branching, full].some(({ length }) => length > 0)) process.exitCode = 1;
} else {
  const ran = await planOfOneChangedAgent();
  console.log(`plan of one changed agent runs: ${ran.size} files, ${[...ran.values()].flat().length} functions`);
  if (process.argv.includes('--plan')) listRun(ran);
}

function list(title, entries, textOf) {
  console.log(`${title}: ${entries.length}`);
  for (const entry of entries) console.log(`  ${textOf(entry)}`);
}

function listRun(namesByFile) {
  const sorted = [...namesByFile].sort();
  for (const folder of new Set(sorted.map(([path]) => dirname(path)))) {
    const files = sorted.filter(([path]) => dirname(path) === folder);
    console.log(`${folder}: ${files.length} files, ${files.flatMap(([, names]) => names).length} functions`);
    for (const [path, names] of files) console.log(`  ${names.length} ${basename(path)}: ${names.join(' ')}`);
  }
}

/** Returns the source files that are not generated. */
async function sourcesOf(folder) {
  const names = await readdir(folder, { recursive: true });
  const written = names.filter((name) => name.endsWith('.ts') && !name.startsWith('schemas/')).sort();
  return Promise.all(written.map(async (path) => ({ path, text: await readFile(join(folder, path), 'utf8') })));
}

function filesByFolder(files) {
  const counts = new Map();
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** Finds each function with its lines and branches, including the lines and branches of inner functions. */
function functionsOf({ path, text }) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, inside) => {
    let current = inside;
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const [first, last] = [node.getStart(), node.end].map((at) => file.getLineAndCharacterOfPosition(at).line);
      current = { outer: inside, path, line: first + 1, name: nameOf(node), lines: last - first + 1, branches: 0 };
      found.push(current);
    } else if (isBranch(node)) {
      for (let each = current; each !== undefined; each = each.outer) each.branches += 1;
    }
    ts.forEachChild(node, (child) => visit(child, current));
  };
  visit(file, undefined);
  return found;
}

function nameOf(node) {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? (ts.isConstructorDeclaration(node) ? 'constructor' : '=>');
}

function isBranch(node) {
  if (ts.isBinaryExpression(node)) {
    return ['&&', '||', '??', '&&=', '||=', '??='].includes(node.operatorToken.getText());
  }
  return (
    node.questionDotToken !== undefined ||
    (ts.isParameter(node) && node.initializer !== undefined) ||
    ts.isIfStatement(node) ||
    ts.isConditionalExpression(node) ||
    ts.isCaseClause(node) ||
    ts.isCatchClause(node) ||
    ts.isIterationStatement(node, false)
  );
}

/** Returns, by file, the names of the functions that a plan runs in a project with one changed agent. */
async function planOfOneChangedAgent() {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-measure-'));
  const emulator = await buildInto(folder);
  try {
    await cp(`${root}schemas`, join(folder, 'schemas'), { recursive: true });
    const project = join(folder, 'project');
    await mkdir(join(project, 'agents'), { recursive: true });
    await writeFile(join(project, 'agentform.yaml'), projectAt(await addressOf(emulator)));
    await writeFile(join(project, 'agents/desk.yaml'), agentTitled('Front desk'));
    const env = { PATH: process.env.PATH, TOKEN: 'token-of-the-measured-agent' };
    const agentform = (args, more) =>
      run('node', [join(folder, 'dist/cli.js'), ...args], { cwd: project, env: { ...env, ...more } });
    await agentform(['apply', '--yes', '--new', 'Agent/desk']);
    await writeFile(join(project, 'agents/desk.yaml'), agentTitled('Reception'));
    const { stdout } = await agentform(['plan'], { NODE_V8_COVERAGE: join(folder, 'coverage') });
    if (!stdout.includes('Reception')) throw new Error(`the plan does not show the change:\n${stdout}`);
    return await functionsRun(join(folder, 'coverage'));
  } finally {
    emulator.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Builds the program without minifying it, so that function names and esbuild's comments between files remain. Returns
 * a running emulator.
 */
async function buildInto(folder) {
  await build({ ...packageBundle, outdir: join(folder, 'dist'), minifyWhitespace: false, minifySyntax: false });
  return spawn('node', [join(folder, 'dist/cli.js'), 'emulator', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function addressOf({ stdout }) {
  let text = '';
  for await (const chunk of stdout) {
    text += chunk;
    const address = /http:\/\/\S+:\d+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`the emulator did not start: ${text}`);
}

function projectAt(address) {
  return `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
defaultEnvironment: local
environments:
  local: { baseUrl: "${address}", token: "\${secret.TOKEN}" }
`;
}

function agentTitled(title) {
  return `apiVersion: agentform/v1
kind: Agent
name: desk
settings:
  title: ${title}
  description: Answers the phone
  agentInstructions: Answer calls.
`;
}

/**
 * Returns the functions that ran and have a name in the source. If a function is an argument of a call, V8 reports it
 * under the name of the called function.
 */
async function functionsRun(coverage) {
  const found = new Map();
  for (const name of await readdir(coverage)) {
    const { result } = JSON.parse(await readFile(join(coverage, name), 'utf8'));
    for (const { url, functions: ranges } of result.filter(({ url }) => url.startsWith('file:'))) {
      const text = await readFile(new URL(url), 'utf8');
      const files = [...text.matchAll(/^\/\/ (\S+)$/gm)];
      for (const {
        functionName,
        ranges: [{ startOffset, count }],
      } of ranges) {
        const path = files.findLast(({ index }) => index < startOffset)?.[1];
        if (count === 0 || !path?.startsWith('src/') || path.startsWith('src/schemas/')) continue;
        found.set(path, [
          ...(found.get(path) ?? []),
          ...(/^(?:get |set )?[\w$#]+$/.test(functionName) ? [functionName] : []),
        ]);
      }
    }
  }
  return found;
}
