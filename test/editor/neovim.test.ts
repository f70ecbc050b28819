import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const top = resolve(import.meta.dirname, '../..');
const places = ['/usr/bin/nvim', '/usr/local/bin/nvim', '/opt/homebrew/bin/nvim'];
const isRequired = process.env.CI === 'true';

const neovim = installed() ?? (install() ? installed() : undefined);

function installed(): string | undefined {
  return places.find((place) => existsSync(place));
}

/** Installs Neovim on Debian if the tests run as root, because other users would need a password. */
function install(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['update'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'neovim'], { env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The setting for `init.lua` from the documentation. */
const setting =
  /### Neovim[\s\S]*?```lua\n([\s\S]*?)```/.exec(readFileSync(join(top, 'docs/editor.md'), 'utf8'))?.[1] ?? '';

/** Debian's Neovim 0.7 lacks `vim.lsp.start`, so this function calls the older functions instead. */
const before08 = `
vim.lsp.start = vim.lsp.start or function(config)
  for _, client in pairs(vim.lsp.get_active_clients()) do
    if client.name == config.name then return vim.lsp.buf_attach_client(0, client.id) end
  end
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
end
`;

/** A script that opens a manifest, waits for its problem, and follows the path of its prompt. */
const session = `
local function await(fits)
  if not vim.wait(60000, fits, 20) then vim.cmd('cquit 3') end
end
vim.cmd('edit agents/front-desk.yaml')
await(function() return #vim.diagnostic.get(0) > 0 end)
local shown = {}
for _, one in ipairs(vim.diagnostic.get(0)) do
  table.insert(shown, { line = one.lnum + 1, message = one.message, source = one.source, code = one.code or one.user_data.lsp.code })
end
vim.fn.search('prompts/front-desk.md')
vim.lsp.buf.definition()
await(function() return vim.fn.expand('%:t') == 'front-desk.md' end)
local clients = vim.tbl_count(vim.lsp.buf_get_clients(0))
vim.fn.writefile({ vim.fn.json_encode({ shown = shown, buffer = vim.fn.expand('%:p'), clients = clients }) }, 'result.json')
vim.cmd('qall!')
`;

const remedy = 'install it with `apt-get install neovim`';
if (neovim === undefined && !isRequired) process.stderr.write(`in Neovim: left out without Neovim; ${remedy}\n`);

(neovim === undefined && !isRequired ? describe.skip : describe)('in Neovim', () => {
  test('The documented setting of Neovim shows problems and goes to the definition of a path.', async () => {
    if (neovim === undefined) throw new Error(`there is no Neovim; ${remedy}`);
    const folder = await mkdtemp(join(tmpdir(), 'agentform-neovim-'));
    try {
      const project = join(folder, 'clinic');
      await cp(join(top, 'examples/clinic'), project, { recursive: true });
      const manifest = join(project, 'agents/front-desk.yaml');
      await writeFile(
        manifest,
        (await readFile(manifest, 'utf8')).replace('  title: Front desk', '  titel: Front desk'),
      );
      await mkdir(join(folder, 'bin'));
      await writeFile(
        join(folder, 'bin/agentform'),
        `#!/bin/sh\nexec "${process.execPath}" "${top}/dist/cli.js" "$@"\n`,
      );
      await chmod(join(folder, 'bin/agentform'), 0o755);
      await writeFile(join(folder, 'init.lua'), before08 + setting + session);
      const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: folder, PATH: `${folder}/bin:${process.env.PATH}` };
      execFileSync(neovim, ['--headless', '--clean', '-c', `luafile ${folder}/init.lua`], { cwd: project, env });
      const result: unknown = JSON.parse(await readFile(join(project, 'result.json'), 'utf8'));
      expect(result).toEqual({
        shown: expect.arrayContaining([expect.objectContaining({ line: 8, code: 'unknown-key', source: 'agentform' })]),
        buffer: expect.stringMatching(/prompts\/front-desk\.md$/),
        clients: 1,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
