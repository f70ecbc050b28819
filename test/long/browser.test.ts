// The page as a browser shows it. All tests share one browser, which takes a second to start.
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'puppeteer-core';
import { renderDriftHtml } from '../../src/commands/drift/html.ts';
import { renderPlanHtml } from '../../src/report/html/plan.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { richDrift } from '../commands/drift/drift-builders.ts';
import { change, plan, resource, richPlan } from '../report/plan/plan-builders.ts';
import { describeInBrowser, openBrowser } from '../support/browser.ts';
import { saying } from '../support/notices.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const lines = Array.from({ length: 60 }, (_, index) => `- Rule ${index} of the prompt says something of its own.`);

/** A plan that has one of everything, a text with folded, changed and moved parts among it. */
function fullPlan(): Plan {
  const from = lines.join('\n');
  const to = [...lines.toSpliced(30, 4), ...lines.slice(30, 34)].join('\n').replace('Rule 10', 'Rule ten');
  const theirs = from.replace('Rule 20', 'Rule twenty');
  const { resources, refusals } = richPlan();
  return plan(
    [
      resource({ name: 'moved', changes: [change({ path: 'settings.agentInstructions', from, to })] }),
      resource({ name: 'torn', changes: [change({ cause: 'conflict', lastApplied: from, from: theirs, to })] }),
      ...['one', 'two'].map((name) => resource({ name, changes: [change({ from: 'x', to: 'y' })] })),
      ...resources,
    ],
    { refusals },
  );
}

/** So many agents, each with a change of its own. */
function largePlan(agents: number): Plan {
  return plan(
    Array.from({ length: agents }, (_, index) => {
      const from = lines.map((line) => `${line} It is that of agent ${index}.`).join('\n');
      const to = from.replace('Rule 30 ', `Rule thirty of agent ${index} `);
      return resource({ name: `agent-${index}`, changes: [change({ path: 'settings.agentInstructions', from, to })] });
    }),
  );
}

describeInBrowser('a plan in a browser', () => {
  let browser: Browser;
  let server: Server;
  let served = '';
  let address = '';
  let requests: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end(served);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const place = server.address();
    if (place === null || typeof place === 'string') throw new Error('the server has no port');
    address = `http://127.0.0.1:${place.port}`;
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  async function open(page: string, { width = 1280, theme = 'light' } = {}): Promise<Page> {
    [served, requests] = [page, []];
    const tab = await browser.newPage();
    await tab.setBypassCSP(false);
    await tab.setViewport({ width, height: 800 });
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await tab.goto(`${address}/page`, { waitUntil: 'load' });
    return tab;
  }

  /** What axe-core finds wrong, with all that is folded unfolded. */
  async function findings(page: string, options: { width: number; theme: string }): Promise<string[]> {
    const tab = await open(page, options);
    await tab.setBypassCSP(true);
    await tab.reload();
    await tab.$$eval('details', (all) => {
      for (const one of all) one.open = true;
    });
    await tab.addScriptTag({ path: axe });
    const { violations } = (await tab.evaluate('axe.run()')) as AxeResults;
    const overflow = await tab.$eval('html', ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await tab.close();
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
      ...(overflow > 0 ? [`wider than the screen by ${overflow} px`] : []),
    ];
  }

  test.each([
    { width: 360, theme: 'light' },
    { width: 1600, theme: 'dark' },
  ])('A page has nothing that axe-core complains of at $width px, $theme.', async (options) => {
    expect(await findings(renderPlanHtml(fullPlan()), options)).toEqual([]);
  });

  test('A page of drift has nothing that axe-core complains of.', async () => {
    expect(await findings(renderDriftHtml(richDrift()), { width: 360, theme: 'dark' })).toEqual([]);
  });

  test('A page shows every section, and each change in it.', async () => {
    const tab = await open(renderPlanHtml(fullPlan()));
    const headings = await tab.$$eval('h1, h2, h3', (all) => all.map(({ innerText }) => innerText));
    expect(headings.slice(0, 5)).toEqual([
      'Plan for production',
      'Check first',
      'Changes',
      'Agent/moved',
      'Agent/torn',
    ]);
    expect(headings.slice(-2)).toEqual(['What was checked', 'What the words mean']);
    const marked = await tab.$$eval('mark', (all) => all.map(({ innerText }) => innerText));
    expect(marked.slice(0, 2)).toEqual(['10', 'ten']);
    await tab.close();
  });

  test('A page is read by keyboard: what is folded opens, and a link leads into what is closed.', async () => {
    const tab = await open(renderPlanHtml(largePlan(20)));
    expect(await tab.$eval('#change-2', (one) => one.checkVisibility())).toBe(false);
    for (let index = 0; index < 3; index += 1) await tab.keyboard.press('Tab');
    expect(await tab.$eval(':focus', (one) => one.getAttribute('href'))).toBe('#change-2');
    await tab.keyboard.press('Enter');
    await tab.waitForFunction("document.querySelector('#change-2').checkVisibility()");
    await tab.focus('#change-2 details.fold summary');
    await tab.keyboard.press('Space');
    expect(await tab.$eval('#change-2 details.fold', (one) => one.hasAttribute('open'))).toBe(true);
    await tab.close();
  });

  test('A page takes its colours from the theme.', async () => {
    const colours = await Promise.all(
      ['light', 'dark'].map(async (theme) => {
        const tab = await open(renderPlanHtml(richPlan()), { theme });
        return tab.evaluate('getComputedStyle(document.body).backgroundColor');
      }),
    );
    expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(20, 23, 27)']);
  });

  test('A page shows on paper what is closed on the screen.', async () => {
    const tab = await open(renderPlanHtml(largePlan(20)));
    await tab.emulateMediaType('print');
    expect(await tab.$eval('#change-19', (one) => one.checkVisibility({ contentVisibilityAuto: true }))).toBe(true);
    await tab.close();
  });

  test('A page sends no request, and runs nothing that a text says.', async () => {
    const hostile = [
      `</script><script>fetch('${address}/script')</script>`,
      `<img src="${address}/img" onerror="fetch('${address}/error')">`,
      `"><link rel="stylesheet" href="${address}/link">`,
      `</style><style>body { background: url(${address}/style) }</style>`,
      'javascript:alert(1)',
      'safe \u202e gnihtemos',
    ];
    const tab = await open(
      renderPlanHtml(
        plan([
          resource({
            warnings: hostile.map(saying),
            changes: hostile.map((text) => change({ from: `${text}\na`, to: `${text}\nb` })),
          }),
        ]),
      ),
    );
    await tab.$$eval('a, summary', (all) => {
      for (const one of all) one.click();
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(requests).toEqual(['/page']);
    const text = await tab.$eval('body', (body) => body.innerText);
    expect(text).toContain('</script><script>fetch(');
    expect(text).toContain('safe \\u202e gnihtemos');
    await tab.close();
  });

  test('A page of 500 changed agents has few enough elements to open in a moment.', async () => {
    const tab = await open(renderPlanHtml(largePlan(500)));
    await tab.$eval('#changes', (one) => one.getBoundingClientRect().top);
    expect((await tab.$$('*')).length).toBeLessThan(40_000);
    await tab.close();
  });
});
