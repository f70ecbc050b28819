import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/**
 * An esbuild plugin that reduces the number of files. esbuild makes one file of all modules that the same set of
 * entries needs, and every module that is imported on demand is an entry. Without this plugin, `validate` reads forty
 * files, each of which costs a third of a millisecond. With this plugin, there is one file for the code that each of
 * the `levels` adds. An entry that needs a part of a level therefore loads the whole level. For this reason, our
 * modules must have no effect when they are loaded.
 */
export async function fewChunks(options, levels) {
  // Only our modules are relevant here. Packages are left out, because most of the code is in packages.
  const ours = { packages: 'external', alias: {}, plugins: [] };
  const { metafile } = await build({ ...options, ...ours, write: false, metafile: true });
  const { entries, needsOf } = importGraph(metafile.inputs);
  const ofLevels = levels.map(needsOf);
  const levelOf = (file) => ofLevels.findIndex((files) => files.has(file));
  const shared = new Set(entries.flatMap((entry) => (levels.includes(entry) ? [] : [...needsOf(entry)])));
  return {
    name: 'few-chunks',
    setup({ onLoad, onResolve }) {
      const root = options.absWorkingDir;
      onResolve({ filter: /^level:/ }, ({ path }) => ({ path: path.slice('level:'.length), namespace: 'level' }));
      onResolve({ filter: /.*/, namespace: 'level' }, ({ path }) => ({ path: join(root, path) }));
      onLoad({ filter: /.*/, namespace: 'level' }, ({ path: level }) => {
        const files = [...shared].filter((file) => levelOf(file) >= 0 && levelOf(file) <= Number(level));
        return { contents: files.map((file) => `import '${file}';`).join('\n') };
      });
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const entry = relative(root, path);
        if (!entries.includes(entry) || entry === levels[0]) return undefined;
        const level = Math.max(...[...needsOf(entry)].map(levelOf));
        const contents = `import 'level:${level}';\n${await readFile(path, 'utf8')}`;
        return { contents, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

/** Returns our modules that are imported on demand, each with the modules that it needs. */
function importGraph(inputs) {
  const isOurs = (file) => /^src\/.*\.ts$/.test(file);
  const imported = (file, wanted) =>
    inputs[file].imports.filter(({ kind, path }) => kind === wanted && path in inputs).map(({ path }) => path);
  const needsOf = (entry) => {
    const found = new Set([entry]);
    for (const file of found) for (const other of imported(file, 'import-statement')) found.add(other);
    return new Set([...found].filter(isOurs));
  };
  const onDemand = Object.keys(inputs).flatMap((file) => imported(file, 'dynamic-import'));
  return { entries: ['src/index.ts', ...new Set(onDemand.filter(isOurs))], needsOf };
}
