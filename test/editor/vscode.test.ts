// Tests the packaged extension in VS Code, beside an extension for YAML. All tests share one window, and each test
// continues where the previous test ended.
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { descriptionOf, withDescription, wordsOfText } from '../../scripts/pictures/words.mjs';
import { CodeServer, describeInCodeServer } from '../support/code-server.ts';
import { type Remote, startRemote } from '../support/remote.ts';

const root = resolve(import.meta.dirname, '../..');

describeInCodeServer('the extension for VS Code', () => {
  let project: string;
  let remote: Remote;
  let editor: CodeServer;

  beforeAll(async () => {
    remote = await startRemote();
    project = join(await mkdtemp(join(tmpdir(), 'agentform-test-')), 'clinic');
    await cp(join(root, 'examples/clinic'), project, { recursive: true });
    await edit('agentform.yaml', 'https://service.example.com', remote.baseUrl);
    await writeFile(
      join(project, 'call.yaml'),
      '# yaml-language-server: $schema=.agentform/schemas/task.schema.json\n',
    );
    execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', project]);
    const as = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', ['add', '.'], { cwd: project });
    execFileSync('git', [...as, 'commit', '--quiet', '--message', 'Start'], { cwd: project });
    await edit('agents/front-desk.yaml', '  welcomeMessage:', '  welcomeMesage:');
    editor = await CodeServer.start(project);
  });

  afterAll(async () => {
    await editor?.stop();
    await remote.close();
    await rm(join(project, '..'), { recursive: true, force: true });
  });

  const file = (path: string) => join(project, path);

  async function edit(path: string, from: string, to: string): Promise<void> {
    const text = await readFile(file(path), 'utf8');
    expect(text).toContain(from);
    await writeFile(file(path), text.replace(from, to));
  }

  /** Compares the window with a picture in the docs that `npm run pictures` made. The window must show these words. */
  async function expectPicture(name: string, words: string): Promise<void> {
    const path = join(root, 'docs/pictures', `${name}.png`);
    const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: project, encoding: 'utf8' }).trim();
    const described = wordsOfText(words.replaceAll(commit, 'COMMIT'));
    if (process.env.PICTURES === 'write') {
      const png = await editor.page.screenshot({ type: 'png' });
      await writeFile(path, withDescription(Buffer.from(png), described));
    }
    expect(descriptionOf(await readFile(path))).toBe(described);
  }

  test('VS Code shows a mistake with one squiggle, even if the YAML extension would find it, too.', async () => {
    await editor.open(file('agents/front-desk.yaml'));
    await editor.see('agentform', '#status\\.editor\\.mode');
    await editor.withoutLateProblems(file('agents/front-desk.yaml'));
    await editor.page.waitForSelector('.squiggly-error');
    // No file may have another error or warning. VS Code sometimes updates the status bar late.
    await editor.page.waitForSelector('#status\\.problems[aria-label="Errors: 1"]');
    await editor.goTo(10, 6);
    const shown = await editor.hover(
      "unknown key 'welcomeMesage' in settings; did you mean 'welcomeMessage'?",
      // VS Code shows the line for quick fixes after it has found the fixes.
      (text) =>
        expectPicture(
          'vscode-editor',
          text.replace(/(?:Checking for quick fixes|Quick Fix)\.\.\.(?: \(Ctrl\+\.\))?/, ''),
        ),
    );
    expect(shown.match(/welcomeMesage/g)).toHaveLength(1);
  });

  test('VS Code corrects the mistake with the first quick fix.', async () => {
    await editor.quickFix("Replace with 'welcomeMessage'");
    await editor.press('Enter');
    await editor.see('welcomeMessage: Thank you', '.view-line');
    await editor.page.waitForSelector('.squiggly-error', { hidden: true });
  });

  test('VS Code explains a setting and a variable once, with their values in each environment.', async () => {
    await editor.goTo(8, 4);
    const setting = await editor.hover('Title (settings.title)');
    expect(setting.match(/The title of the agent\./g)).toHaveLength(1);
    expect(setting).toContain('staging: Front desk (staging) from agents/front-desk.yaml:26');
    await editor.goTo(9, 45);
    expect(await editor.hover('Variable clinic')).toContain('staging: Elm Street Dental (staging)');
  });

  test('VS Code offers each key once.', async () => {
    await editor.goTo(12, 1);
    await editor.press('Control', 'Space');
    await editor.see('renamedFrom', '.suggest-widget .monaco-list-row');
    const offered = await editor.texts('.suggest-widget .monaco-list-row .label-name');
    expect(new Set(offered).size).toBe(offered.length);
    await editor.press('Escape');
  });

  test('VS Code opens the prompt that a path names with F12.', async () => {
    await editor.goTo(11, 36);
    await editor.press('F12');
    await editor.see('front-desk.md', '.tab.active .label-name');
  });

  test('VS Code lists the agents that use a base.', async () => {
    await editor.open(file('shared/clinic.yaml'));
    await editor.click('used by 3 agents', '.codelens-decoration a');
    await editor.see('web-chat.yaml', '.peekview-widget .monaco-list-row');
    const files = (await editor.texts('.peekview-widget .monaco-list-row')).filter((text) => text.includes('.yaml'));
    expect(files.map((text) => /^[\w-]+\.yaml/.exec(text)?.[0])).toEqual(
      expect.arrayContaining(['after-hours.yaml', 'front-desk.yaml', 'web-chat.yaml']),
    );
    await editor.press('Escape');
  });

  test('A YAML file outside the project stays with the YAML extension.', async () => {
    await editor.open(file('call.yaml'));
    await editor.see('YAML', '#status\\.editor\\.mode');
    await editor.goTo(2, 1);
    await editor.press('Control', 'Space');
    await editor.see('TaskFile', '.suggest-widget .monaco-list-row');
    await editor.press('Escape');
  });

  test('The lens of a manifest shows its plan beside it, without a question on the emulator.', async () => {
    await editor.open(file('agents/front-desk.yaml'));
    await editor.click('Show plan', '.codelens-decoration a');
    const words = await editor.panel('Plan for local');
    expect(words).toContain('Thank you for calling Elm Street Dental.');
    expect(words).not.toContain('After hours');
    await expectPicture('vscode-plan', words);
  });

  test('The plan of another environment asks once before it connects.', async () => {
    await editor.command('agentform: Select Environment');
    await editor.choose('production');
    await editor.see('production', '[id="agentform.agentform.agentform.environment"]');
    await editor.command('agentform: Show Plan');
    await editor.see(`Connect to ${remote.baseUrl}?`, '.monaco-dialog-box');
    await editor.click('Cancel', '.monaco-dialog-box .monaco-button');
    expect(await remote.requests()).toEqual([]);
    await editor.command('agentform: Show Plan');
    await editor.click('Connect', '.monaco-dialog-box .monaco-button');
    await editor.panel('Plan for production');
    await editor.command('agentform: Show Plan of What Changed');
    await editor.panel('Compared with');
    await editor.command('agentform: Show Plan');
    await editor.see('Plan: production', '.tab.active');
    expect(await editor.texts('.monaco-dialog-box')).toEqual([]);
  });

  test('Explain Setting shows where the value at the cursor comes from.', async () => {
    await editor.open(file('agents/front-desk.yaml'));
    await editor.goTo(8, 4);
    await editor.command('agentform: Explain Setting');
    const words = await editor.panel('settings.title');
    expect(words).toContain('Agent/front-desk  (production)');
    expect(words).toContain('agents/front-desk.yaml:8');
  });

  test('Show History shows what changed on the service.', async () => {
    await editor.command('agentform: Show History');
    await editor.see('History: Agent/front-desk settings.title in production', '.tab.active');
    await editor.panel('History');
  });

  test('Validate shows the result for the saved files.', async () => {
    await editor.command('agentform: Validate');
    await editor.see('every manifest is valid in every environment', '.notification-toast');
  });
});
