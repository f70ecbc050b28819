import { readFile } from 'node:fs/promises';

/**
 * An esbuild plugin. string-width compiles a regex of all emoji and opens an Intl.Segmenter when it is loaded, which is
 * 20 ms of every start, for yargs alone. With this it is loaded by the first text that is not plain ASCII; a text that
 * is takes as many columns as it has characters.
 */
export const lazyStringWidth = {
  name: 'lazy-string-width',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^string-width$/ }, async ({ pluginData, resolveDir, kind }) => {
      if (pluginData === 'real') return undefined;
      const { path, errors } = await resolve('string-width', { resolveDir, kind, pluginData: 'real' });
      return errors.length > 0 ? { errors } : { path, namespace: 'lazy-string-width' };
    });
    onLoad({ filter: /.*/, namespace: 'lazy-string-width' }, ({ path }) => ({
      contents: standIn(path),
      resolveDir: '/',
    }));
  },
};

function standIn(path) {
  return `export default function stringWidth(text, options) {
    if (typeof text === 'string' && /^[ -~]*$/.test(text)) return text.length;
    return require(${JSON.stringify(path)}).default(text, options);
  }`;
}

/**
 * An esbuild plugin. Of node:assert yargs uses two functions, with which comes all that draws differences on a terminal:
 * 4 ms of every start. And it writes the help of every command that it runs, in case somebody asks for it later, which
 * is 4 ms more; nobody does, because every failure is reported by our own error boundary.
 */
export const leanYargs = {
  name: 'lean-yargs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?assert$/ }, ({ importer }) =>
      /[/\\]node_modules[/\\]yargs[/\\]/.test(importer) ? { path: 'assert', namespace: 'lean-yargs' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lean-yargs' }, () => ({ contents: assertions }));
    onLoad({ filter: /[/\\]yargs[/\\]build[/\\]lib[/\\]command\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const call = 'yargs.getInternalMethods().getUsageInstance().cacheHelpMessage();';
      if (!text.includes(call)) throw new Error(`${path} no longer has the call that is left out`);
      return { contents: text.replace(call, '') };
    });
  },
};

const assertions = `
  const fail = (message) => { throw new Error(message ?? 'an assertion of yargs failed'); };
  export const strictEqual = (one, other, message) => Object.is(one, other) || fail(message);
  export const notStrictEqual = (one, other, message) => Object.is(one, other) && fail(message);
`;
