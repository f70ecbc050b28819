import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html, prose } from '../../../src/report/html/template.ts';
import { hostileText } from '../hostile-text.ts';

describe('values in a template', () => {
  test('Values in a template are escaped, in elements and in attributes.', () => {
    const text = `<script>alert("x")</script> & 'y'`;
    const shown = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;';
    expect(html`<p title="${text}">${text}</p>`.toString()).toBe(`<p title="${shown}">${shown}</p>`);
  });

  test('Values in a template are markup if a template made them, alone or in a list.', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>`.toString()).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
  });

  test('Values in a template are text if they only look like the result of a template.', () => {
    const alike = { toString: () => '<img>' };
    // @ts-expect-error what is no text and no fragment is no part
    expect(html`${alike}`.toString()).toBe('&lt;img&gt;');
  });

  test('Undefined values in a template produce nothing.', () => {
    expect(html`<p>${undefined}${[]}${0}</p>`.toString()).toBe('<p>0</p>');
  });

  test('Values in a template show invisible characters as escapes.', () => {
    expect(html`${'a\u202eb\u200b'}`.toString()).toBe('a\\u202eb\\u200b');
  });

  test('Values in a template never open or end an element.', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(html`${text}`.toString()).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
      { numRuns: 30 },
    );
  });
});

test('text between two backticks of a sentence is code', () => {
  expect(prose('run `record <adopt>` or not').toString()).toBe('run <code>record &lt;adopt&gt;</code> or not');
  expect(prose('one ` is none').toString()).toBe('one ` is none');
});
