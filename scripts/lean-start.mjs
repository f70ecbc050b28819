import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * An esbuild plugin. When string-width is loaded, it compiles a regex of all emoji and opens an Intl.Segmenter. This
 * adds 20 ms to every start, and only yargs needs string-width. With this plugin, only a text that is not plain ASCII
 * loads string-width. For plain ASCII, the width is the length.
 */
export const lazyStringWidth = {
  name: 'lazy-string-width',
  setup({ initialOptions: { absWorkingDir: root }, onResolve, onLoad, resolve }) {
    onResolve({ filter: /^string-width$/ }, async ({ pluginData, resolveDir, kind }) => {
      if (pluginData === 'real') return undefined;
      const { path, errors } = await resolve('string-width', { resolveDir, kind, pluginData: 'real' });
      // The path must be relative, because the bundle contains the path and must not depend on the folder of the build.
      return errors.length > 0 ? { errors } : { path: relative(root, path), namespace: 'lazy-string-width' };
    });
    onLoad({ filter: /.*/, namespace: 'lazy-string-width' }, ({ path }) => ({
      contents: standIn(`./${path}`),
      resolveDir: root,
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
 * An esbuild plugin. yargs uses two functions of node:assert, which loads code that draws differences on a terminal.
 * This adds 4 ms to every start. yargs also prepares the help of every command that it runs, in case the command fails.
 * This adds another 4 ms. This help is never used, because our own error boundary reports every failure.
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

/**
 * An esbuild plugin for the action. recheck is as large as the rest of the action and takes 65 ms to load, but is
 * needed only to prove that a regex is safe. Therefore, recheck is a separate file.
 */
export const recheckApart = {
  name: 'recheck-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^recheck\/lib\/browser\.js$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './recheck.js', external: true },
    );
  },
};

/**
 * An esbuild plugin for the action. Each of GitHub's two packages contains its own undici, for a proxy and for OpenID
 * tokens. The action uses neither feature. With this plugin, the packages use our undici, and the code for OpenID
 * tokens is left out.
 */
export const leanActions = {
  name: 'lean-actions',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      /[/\\]node_modules[/\\]@actions[/\\]/.test(importer) ? { path: 'undici', namespace: 'lean-undici' } : undefined,
    );
    onResolve({ filter: /^\.\/(oidc-utils|platform)\.js$/ }, ({ path, importer }) =>
      /[/\\]@actions[/\\]core[/\\]/.test(importer) ? { path, namespace: 'lean-actions' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lean-actions' }, () => ({ contents: 'export class OidcClient {}' }));
  },
};

/** The paths of the undici modules that src/ uses, and of `fetch` for the packages of the action. */
const undiciParts = {
  Agent: 'dispatcher/agent.js',
  buildConnector: 'core/connect.js',
  Client: 'dispatcher/client.js',
  EnvHttpProxyAgent: 'dispatcher/env-http-proxy-agent.js',
  errors: 'core/errors.js',
  fetch: 'web/fetch/index.js',
  FormData: 'web/fetch/formdata.js',
  Pool: 'dispatcher/pool.js',
  ProxyAgent: 'dispatcher/proxy-agent.js',
};

/**
 * An esbuild plugin. The index of undici loads all parts, including caches, mocks and web sockets. Its code for cookies
 * also loads Node's own undici. Together, this adds 40 ms to every start. With this plugin, only the parts that src/
 * imports are bundled. The client uses HTTP/1.1, so HTTP/2 is hidden from undici, as in a Node that was built without
 * HTTP/2.
 */
export const leanUndici = {
  name: 'lean-undici',
  setup({ onResolve, onLoad }) {
    const lib = join(dirname(createRequire(import.meta.url).resolve('undici')), 'lib');
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      /[/\\]node_modules[/\\]/.test(importer) ? undefined : { path: 'undici', namespace: 'lean-undici' },
    );
    onResolve({ filter: /.*/, namespace: 'lean-undici' }, ({ path }) => ({
      path: join(lib, path),
      sideEffects: false,
    }));
    onResolve({ filter: /^node:http2$/ }, ({ importer }) =>
      importer.startsWith(lib) ? { path: 'http2', namespace: 'lean-http2' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lean-http2' }, () => ({ contents: 'export const constants = {};' }));
    onLoad({ filter: /.*/, namespace: 'lean-undici' }, () => ({ contents: undiciStandIn() }));
  },
};

// The bundle leaves out undici's index, which adds these methods to dispatchers.
const undiciMethods = `
  import Dispatcher from 'dispatcher/dispatcher.js';
  import api from 'api/index.js';
  Object.assign(Dispatcher.prototype, api);
`;

/**
 * Returns a single module for all imports of undici. With several modules, the order of the modules and therefore the
 * bundle would differ between builds.
 */
function undiciStandIn() {
  const parts = Object.entries(undiciParts).map(([name, path]) =>
    ['FormData', 'fetch'].includes(name)
      ? `export { ${name} } from '${path}';`
      : `export { default as ${name} } from '${path}';`,
  );
  return [undiciMethods, ...parts].join('\n');
}
