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
