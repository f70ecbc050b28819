// Makes the pictures of the README from a real run: examples/clinic on an emulator, with edits to a prompt, to a
// setting, and in the dashboard. `test/e2e/readme-plan.test.ts` repeats the run and checks that the pictures contain
// the same words. This script also makes the icon of the VS Code extension. `test/editor/vscode.test.ts` makes the
// pictures of VS Code.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { renderPlanHtml, renderPlanText, startEmulator } from '../dist/index.js';
import { terminalSvg } from './pictures/terminal-svg.mjs';
import { withDescription, wordsOfMarkup } from './pictures/words.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs', 'pictures');
const columns = 112;

const plan = await examplePlan();
await mkdir(folder, { recursive: true });
const text = renderPlanText(plan, { color: true, width: columns });
const title =
  'The plan of a clinic in a terminal: a number changed in a prompt, a setting that cannot be read back, and drift';
await writeFile(
  join(folder, 'plan.svg'),
  terminalSvg(text, { title, command: 'agentform plan -e production', columns }),
);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
await photograph(renderPlanHtml(plan));
await drawIcon(join(root, 'editors/vscode'));
await browser.close();

/** Makes the plan that the README shows. */
async function examplePlan() {
  const project = await mkdtemp(join(tmpdir(), 'agentform-pictures-'));
  const emulator = await startEmulator();
  const run = (...args) =>
    promisify(execFile)(process.execPath, [join(root, 'dist', 'cli.js'), ...args, '-e', 'production'], {
      cwd: project,
      env: { ...process.env, CLINIC_TOKEN: 'tok-clinic' },
    });
  try {
    await cp(join(root, 'examples', 'clinic'), project, {
      recursive: true,
      filter: (path) => !path.includes('.agentform'),
    });
    await edit(join(project, 'agentform.yaml'), 'https://service.example.com', emulator.baseUrl);
    await run('apply', '--yes', '--new', 'all');
    await edit(join(project, 'prompts/front-desk.md'), 'A check-up takes 30', 'A check-up takes 40');
    await edit(join(project, 'agents/front-desk.yaml'), /^ {2}title: .*$/m, '$&\n  callerResponseTimeout: 20');
    const record = JSON.parse(
      await readFile(join(project, '.agentform/records/production/Agent/web-chat.json'), 'utf8'),
    );
    await fetch(`${emulator.baseUrl}/__emulator/agents/${record.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ agentVoice: 'warm-2' }),
    });
    const { stdout } = await run('plan', '--format', 'json');
    return JSON.parse(stdout.replaceAll(new URL(emulator.baseUrl).host, 'service.example.com'));
  } finally {
    await emulator.close();
    await rm(project, { recursive: true });
  }
}

async function edit(path, from, to) {
  const before = await readFile(path, 'utf8');
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${path} does not have ${from}`);
  await writeFile(path, after);
}

/**
 * Photographs the upper part of the page in both themes. The file of each picture contains all words of the page as
 * text.
 */
async function photograph(page) {
  for (const theme of ['light', 'dark']) {
    const tab = await browser.newPage();
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await tab.setViewport({ width: 1100, height: 860 });
    await tab.setContent(page);
    const png = await tab.screenshot({ type: 'png' });
    await writeFile(join(folder, `page-${theme}.png`), withDescription(Buffer.from(png), wordsOfMarkup(page)));
  }
}

async function drawIcon(extension) {
  const tab = await browser.newPage();
  await tab.setViewport({ width: 256, height: 256 });
  await tab.setContent(`<style>body{margin:0}</style>${await readFile(join(extension, 'icon.svg'), 'utf8')}`);
  await writeFile(join(extension, 'icon.png'), await tab.screenshot({ type: 'png', omitBackground: true }));
}
