import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import puppeteer, { type Browser } from 'puppeteer-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const path = [process.env.CHROMIUM ?? '', ...places].find((place) => place !== '' && existsSync(place));

/** Whether a browser for tests is installed. */
export const hasBrowser = path !== undefined;

const isRequired = process.env.CI === 'true';
const remedy = 'install it with `apt-get install chromium`, or name it in the variable CHROMIUM';

/**
 * Declares a suite that needs a browser. Without a browser, the suite is skipped with a message, or fails if CI=true.
 */
export function describeInBrowser(name: string, suite: () => void): void {
  if (path === undefined && !isRequired) process.stderr.write(`${name}: left out without Chromium; ${remedy}\n`);
  (path === undefined && !isRequired ? describe.skip : describe)(name, suite);
}

/** Starts Chromium without a window. */
export async function openBrowser(): Promise<Browser> {
  if (path === undefined) throw new Error(`there is no Chromium; ${remedy}`);
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  // The time limit in milliseconds. This is longer than the longest wait in a test.
  return puppeteer.launch({ executablePath: path, args, protocolTimeout: 300_000 });
}
