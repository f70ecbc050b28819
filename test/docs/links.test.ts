import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const { files }: { files: string[] } = JSON.parse(text('package.json'));

/** The files that npm packs: those in `files`, and some files that npm always includes. */
const packed = [...files, 'README.md', 'LICENSE', 'package.json'];
const isPacked = (path: string) => packed.some((entry) => path === entry || path.startsWith(`${entry}/`));
const pages = [
  ...readdirSync(root),
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ),
].filter((path) => path.endsWith('.md'));

interface Link {
  readonly page: string;
  readonly line: string;
  readonly path: string;
  readonly anchor: string;
}

/** The relative links outside of code. */
function linksOf(page: string): Link[] {
  const prose = text(page).replace(/^ *```[\s\S]*?^ *```$/gm, '');
  return [...prose.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path = '', anchor = '']) => ({
    page,
    line: `${page} → ${path}${anchor === '' ? '' : `#${anchor}`}`,
    path: path === '' ? page : relative(root, resolve(root, dirname(page), path)),
    anchor,
  }));
}

/** The anchors that GitHub creates for headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll(/[`*]/g, ''));
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const links = pages.flatMap(linksOf);

test('The docs contain links.', () => {
  expect(links.length).toBeGreaterThan(150);
});

test('Every link in the docs leads to a file.', () => {
  expect(links.filter(({ path }) => !existsSync(join(root, path))).map(({ line }) => line)).toEqual([]);
});

test('Every link to a heading in the docs leads to an existing heading.', () => {
  const anchored = links.filter(({ anchor, path }) => anchor !== '' && path.endsWith('.md'));
  expect(anchored.filter(({ path, anchor }) => !anchorsOf(path).has(anchor)).map(({ line }) => line)).toEqual([]);
});

test('No link in the package leads out of it.', () => {
  const shipped = links.filter(({ page }) => isPacked(page));
  expect(shipped.filter(({ path }) => !isPacked(path)).map(({ line }) => line)).toEqual([]);
});

test('The index of the docs names every page.', () => {
  const indexed = new Set(linksOf('docs/README.md').map(({ path }) => path));
  const guides = pages.filter((page) => /^docs\/(?:reference\/)?[\w.-]+\.md$/.test(page) && page !== 'docs/README.md');
  expect(guides.filter((page) => !indexed.has(page))).toEqual([]);
});
