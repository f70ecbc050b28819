import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html, prose } from '../../../src/report/html/template.ts';
import { hostileText } from '../hostile-text.ts';

describe('values in a template', () => {
  test('A template escapes its values, in elements and in attributes.', () => {
    const text = `<script>alert("x")</script> & 'y'`;
    const shown = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;';
    expect(html`<p title="${text}">${text}</p>`.toString()).toBe(`<p title="${shown}">${shown}</p>`);
  });

  test('A template keeps values from other templates as markup, alone or in a list.', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>`.toString()).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
  });

  test('A template escapes a value that only looks like the result of a template.', () => {
    const alike = { toString: () => '<img>' };
    // @ts-expect-error A part must be a text or a fragment.
    expect(html`${alike}`.toString()).toBe('&lt;img&gt;');
  });

  test('A template prints nothing for undefined values.', () => {
    expect(html`<p>${undefined}${[]}${0}</p>`.toString()).toBe('<p>0</p>');
  });

  test('A template shows invisible characters as escapes.', () => {
    expect(html`${'a\u202eb\u200b'}`.toString()).toBe('a\\u202eb\\u200b');
  });

  test('A template never lets a value open or end an element.', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(html`${text}`.toString()).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
      { numRuns: 30 },
    );
  });
});

test('A template shows text between two backticks as code.', () => {
  expect(prose('run `record <adopt>` or not').toString()).toBe('run <code>record &lt;adopt&gt;</code> or not');
  expect(prose('one ` is none').toString()).toBe('one ` is none');
});
