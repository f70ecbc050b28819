import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html, prose } from '../../../src/report/html/template.ts';
import { hostileText } from '../hostile-text.ts';

describe('what stands in a template', () => {
  test('What stands in a template is escaped, in an element as in an attribute.', () => {
    const text = `<script>alert("x")</script> & 'y'`;
    const shown = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;';
    expect(html`<p title="${text}">${text}</p>`.toString()).toBe(`<p title="${shown}">${shown}</p>`);
  });

  test('What stands in a template is markup if a template made it, alone or in a list.', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>`.toString()).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
  });

  test('What stands in a template is text if it only looks like what a template makes.', () => {
    const alike = { toString: () => '<img>' };
    // @ts-expect-error what is no text and no fragment is no part
    expect(html`${alike}`.toString()).toBe('&lt;img&gt;');
  });

  test('What stands in a template is nothing where there is nothing.', () => {
    expect(html`<p>${undefined}${[]}${0}</p>`.toString()).toBe('<p>0</p>');
  });

  test('What stands in a template spells out what is invisible.', () => {
    expect(html`${'a\u202eb\u200b'}`.toString()).toBe('a\\u202eb\\u200b');
  });

  test('What stands in a template never opens or ends an element, whatever it is.', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(html`${text}`.toString()).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
      { numRuns: 30 },
    );
  });
});

test('what stands between two backticks of a sentence is code', () => {
  expect(prose('run `record <adopt>` or not').toString()).toBe('run <code>record &lt;adopt&gt;</code> or not');
  expect(prose('one ` is none').toString()).toBe('one ` is none');
});
