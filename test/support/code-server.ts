import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { build } from 'esbuild';
import { type Browser, ElementHandle, type KeyInput, type Page } from 'puppeteer-core';
import { hasBrowser, openBrowser } from './browser.ts';

const root = resolve(import.meta.dirname, '../..');
const installed = join(root, 'tools/code-server/node_modules/code-server');
const isInstalled = existsSync(join(installed, 'lib/vscode/node_modules.asar')) && hasBrowser;
const hasNode = process.versions.node.startsWith('20.');

/**
 * Declares a suite that needs VS Code in a browser. Without VS Code, the suite is skipped with a message, or fails if
 * CI=true.
 */
export function describeInCodeServer(name: string, suite: () => void): void {
  const isRun = hasNode && (isInstalled || process.env.CI === 'true');
  if (!isRun) process.stderr.write(`${name}: left out without code-server, which needs Node 20, and Chromium\n`);
  (isRun ? describe : describe.skip)(name, suite);
}

/** The time limit in milliseconds. It is long enough for a busy machine. */
const patience = 240_000;

/** VS Code in a browser, with our packaged extension and an extension that runs the YAML language server. */
export class CodeServer {
  readonly #home: string;
  readonly #server: ChildProcess;
  readonly #browser: Browser;
  readonly page: Page;

  private constructor(home: string, server: ChildProcess, browser: Browser, page: Page) {
    this.#home = home;
    this.#server = server;
    this.#browser = browser;
    this.page = page;
  }

  static async start(folder: string): Promise<CodeServer> {
    const home = await mkdtemp(join(tmpdir(), 'agentform-code-server-'));
    await mkdir(join(home, 'data/User'), { recursive: true });
    await writeFile(join(home, 'data/User/settings.json'), JSON.stringify(settings));
    await addExtensions(home);
    const server = spawn(process.execPath, [join(installed, 'out/node/entry.js'), ...serverArguments(home)], {
      env: environmentOf(home),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const address = await addressOf(server);
    const browser = await openBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(patience);
    await page.setViewport({ width: 1200, height: 720 });
    await page.goto(`${address}?folder=${encodeURIComponent(folder)}`);
    await page.waitForSelector('.monaco-workbench .explorer-folders-view');
    return new CodeServer(home, server, browser, page);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    const ended = once(this.#server, 'exit');
    this.#server.kill();
    await ended;
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  async open(path: string): Promise<void> {
    const name = path.split('/').at(-1) ?? '';
    await this.press('Control', 'KeyP');
    await this.#pick(path, name);
    await this.see(name, '.tab.active .label-name');
    await this.page.waitForSelector('.editor-instance .view-line');
  }

  /** Runs a command from the command palette. */
  async command(title: string): Promise<void> {
    await this.press('F1');
    await this.#type(`>${title}`);
    // The list begins with recently used commands. The label of such a command may continue after the title.
    const label = JSON.stringify(title).slice(0, -1);
    const [whole, beginning] = [`[aria-label=${label}"]`, `[aria-label^=${label},"]`];
    await this.click(title, `.quick-input-list .monaco-list-row:is(${whole}, ${beginning})`);
  }

  /** Moves the cursor. Lines and columns are counted from 1. */
  async goTo(line: number, column: number): Promise<void> {
    await this.press('Control', 'KeyG');
    await this.#type(`:${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await this.see(`Ln ${line}, Col ${column}`, '#status\\.editor\\.selection');
  }

  /** Presses keys at the same time. */
  async press(...keys: readonly KeyInput[]): Promise<void> {
    const { keyboard } = this.page;
    for (const key of keys) await keyboard.down(key);
    for (const key of keys.toReversed()) await keyboard.up(key);
  }

  /**
   * Opens the quick fixes at the cursor. Repeats the request, because VS Code drops it if problems change in the
   * meantime.
   */
  async quickFix(expected: string): Promise<void> {
    const pause = 10_000;
    for (let tries = patience / pause; ; tries -= 1) {
      await this.press('Control', 'Period');
      try {
        await this.#seen(expected, '.action-widget .monaco-list-row.focused', pause);
        return;
      } catch (error) {
        if (tries <= 1) throw error;
        await this.press('Escape');
      }
    }
  }

  /** Waits until an element with the text is visible. */
  async see(text: string, selector: string): Promise<void> {
    await this.#seen(text, selector);
  }

  /** Waits until the YAML extension will not add more late problems to a file. */
  async withoutLateProblems(path: string): Promise<void> {
    const record = join(this.#home, 'late-problems');
    for (let tries = patience / 100; !existsSync(record) || !readFileSync(record, 'utf8').includes(path); tries -= 1) {
      if (tries === 0) throw new Error(`late problems of ${path} were not removed`);
      await setTimeout(100);
    }
  }

  /** Clicks an element. Clicks again if VS Code replaces the element at the same moment. */
  async click(text: string, selector: string): Promise<void> {
    for (;;) {
      const element = await this.#seen(text, selector);
      const isDone = await element.click().then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }

  /** Returns the texts of all visible elements. */
  async texts(selector: string): Promise<string[]> {
    const found = await this.page.$$eval(selector, (all) =>
      all.flatMap((one) => ('innerText' in one && one.checkVisibility() ? [String(one.innerText)] : [])),
    );
    return found.map(plainText);
  }

  /** Returns the hover text at the cursor. Runs `meanwhile` while the hover is visible. */
  async hover(expected: string, meanwhile: (text: string) => Promise<void> = async () => {}): Promise<string> {
    await this.press('Control', 'KeyK');
    await this.press('Control', 'KeyI');
    const shown = await this.#seen(expected, '.monaco-hover-content');
    const text = plainText(await shown.evaluate((one) => ('innerText' in one ? String(one.innerText) : '')));
    await meanwhile(text);
    await this.press('Escape');
    return text;
  }

  /** Chooses an item of a list at the top of the window. */
  async choose(text: string): Promise<void> {
    await this.#pick(text, text);
  }

  /** Returns the text of a webview, which is inside two nested frames. */
  async panel(expected: string): Promise<string> {
    const found = await this.page.waitForFunction(
      `[...document.querySelectorAll('iframe.webview')]
        .map((one) => one.contentDocument?.querySelector('iframe#active-frame')?.contentDocument?.body?.innerText ?? '')
        .find((text) => text.replace(/\\s+/g, ' ').includes(${JSON.stringify(expected)}))`,
      { timeout: patience, polling: 100 },
    );
    return String(await found.jsonValue());
  }

  /** Types a text in the palette, and chooses the first item of the list once it is the wanted item. */
  async #pick(typed: string, wanted: string): Promise<void> {
    await this.#type(typed);
    await this.see(wanted, '.quick-input-list .monaco-list-row.focused');
    await this.page.keyboard.press('Enter');
  }

  async #seen(text: string, selector: string, timeout = patience): Promise<ElementHandle> {
    const found = await this.page.waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) =>
        one.checkVisibility() && one.innerText?.replaceAll('\u00a0', ' ').includes(${JSON.stringify(text)}))`,
      { timeout, polling: 100 },
    );
    if (found instanceof ElementHandle) return found;
    throw new Error(`no ${selector} shows ${text}`);
  }

  async #type(text: string): Promise<void> {
    const input = await this.page.waitForSelector('.quick-input-widget .quick-input-box input', { visible: true });
    await input?.click({ count: 3 });
    await input?.type(text);
  }
}

/** Replaces the non-breaking spaces that editors show instead of blanks. */
function plainText(text: string): string {
  return text.replaceAll('\u00a0', ' ').trim();
}

const settings = {
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Default Light Modern',
  'workbench.tips.enabled': false,
  'workbench.layoutControl.enabled': false,
  'chat.commandCenter.enabled': false,
  'window.commandCenter': false,
  'editor.minimap.enabled': false,
  'editor.wordWrap': 'on',
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'git.enabled': false,
};

function serverArguments(home: string): string[] {
  return [
    ...['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check'],
    ...['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')],
    ...['--disable-workspace-trust', '--disable-getting-started-override'],
  ];
}

function environmentOf(home: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return {
    ...{ PATH, TMPDIR, HOME: home, EXTENSIONS_GALLERY: '{}', CLINIC_TOKEN: 'tok-clinic' },
    AGENTFORM_TEST_LATE_PROBLEMS: join(home, 'late-problems'),
    AGENTFORM_TEST_YAML_SERVER: join(root, 'tools/node_modules/yaml-language-server/bin/yaml-language-server'),
  };
}

function addressOf(server: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((settle, reject) => {
    server.stdout?.on('data', (chunk) => {
      said += String(chunk);
      const [, address] = /listening on (http:\S+)/.exec(said) ?? [];
      if (address !== undefined) settle(address);
    });
    server.on('exit', () => reject(new Error(`code-server ended: ${said}`)));
  });
}

/**
 * Packages our extension and installs the archive as a user does. The YAML extension is installed in a folder beside
 * ours.
 */
async function addExtensions(home: string): Promise<void> {
  const folder = join(root, 'editors/vscode');
  execFileSync('npm', ['run', '--silent', 'package', '--', '--out', join(home, 'agentform.vsix')], { cwd: folder });
  const where = ['--extensions-dir', join(home, 'extensions'), '--user-data-dir', join(home, 'data')];
  const install = ['--install-extension', join(home, 'agentform.vsix'), ...where];
  const options = { env: environmentOf(home), stdio: 'pipe' } as const;
  execFileSync(process.execPath, [join(installed, 'out/node/entry.js'), ...install], options);
  // Without this list of installed extensions, VS Code searches their folders.
  await rm(join(home, 'extensions/extensions.json'));
  await addYamlExtension(join(home, 'extensions'));
}

async function addYamlExtension(extensions: string): Promise<void> {
  const folder = join(extensions, 'redhat.vscode-yaml-1.25.0');
  await build({
    entryPoints: [join(import.meta.dirname, 'yaml-extension.ts')],
    ...{ outfile: join(folder, 'extension.js'), bundle: true, platform: 'node', format: 'cjs', external: ['vscode'] },
  });
  const manifest = {
    ...{ name: 'vscode-yaml', publisher: 'redhat', version: '1.25.0', engines: { vscode: '^1.91.0' } },
    ...{ main: './extension.js', activationEvents: ['onLanguage:yaml'] },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
}
