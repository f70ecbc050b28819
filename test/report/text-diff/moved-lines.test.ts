import { describe, expect, test } from '@jest/globals';
import { viewChange } from '../../../src/report/change-view.ts';
import { renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
import { processorTime } from '../../../src/yaml/values.ts';
import { change, plan, resource } from '../plan/plan-builders.ts';

const paragraphs = Array.from(
  { length: 8 },
  (_, index) => `Paragraph ${'abcdefgh'[index]} has a sentence.\nAnd it has another one.`,
);
const before = paragraphs.join('\n\n');

/** The paragraphs in this order. */
function inOrder(order: string): string {
  return [...order].map((name) => paragraphs['abcdefgh'.indexOf(name)]).join('\n\n');
}

/** The sign and text of each line that changed. */
function changed(from: string, to: string): string[] {
  return viewChange({ from, to })
    .lines.filter(({ sign, text }) => sign !== ' ' && sign !== '@' && text !== '')
    .map(({ sign, text }) => `${sign} ${text}`.trimEnd());
}

function texts(from: string, to: string): { readonly text: string; readonly markdown: string } {
  const made = plan([resource({ changes: [change({ path: 'settings.agentInstructions', from, to })] })]);
  return { text: renderPlanText(made, { color: false, width: 100 }), markdown: renderPlanMarkdown(made) };
}

describe('a moved paragraph', () => {
  test.each([
    ['further down', 'acdefgbh'],
    ['further up', 'agbcdefh'],
    ['at the very end', 'acdefghb'],
    ['at the very beginning', 'habcdefg'],
  ])('A paragraph that moved %s is reported as moved.', (_, order) => {
    const found = changed(before, inOrder(order));
    expect(new Set(found.map((line) => line[0]))).toEqual(new Set(['<', '>']));
    expect(viewChange({ from: before, to: inOrder(order) }).summary).toMatch(/^2 lines moved/);
  });

  test('A moved paragraph is shown at its new place, with a line about its old place.', () => {
    expect(texts(before, inOrder('acdefgbh')).text).toContain(`\
    ~ settings.agentInstructions: 2 lines moved
        @ line 2
          And it has another one.

        @ 2 lines moved away
          Paragraph c has a sentence.
          And it has another one.
        @ line 17
          And it has another one.

        @ 2 lines moved here
        ~ Paragraph b has a sentence.
        ~ And it has another one.
        ~
          Paragraph h has a sentence.
          And it has another one.
`);
  });

  test('A moved paragraph is shown in Markdown as well.', () => {
    const { markdown } = texts(before, inOrder('acdefgbh'));
    expect(markdown).toContain('| moved | Paragraph b has a sentence. |\n| moved | And it has another one. |\n');
  });

  test('A moved paragraph is reported beside other changes.', () => {
    const edited = inOrder('acdefgbh').replace('Paragraph e has a', 'Paragraph e has no');
    expect(changed(before, edited)).toEqual(
      expect.arrayContaining(['- Paragraph e has a sentence.', '> Paragraph b has a sentence.']),
    );
    expect(viewChange({ from: before, to: edited }).summary).toBe('1 line reworded, 2 lines moved');
  });

  test('A moved paragraph that was copied, too, is reported once as moved.', () => {
    const found = changed(before, inOrder('acdebfgb'));
    expect(found.filter((line) => line === '< Paragraph b has a sentence.')).toHaveLength(1);
    expect(found.filter((line) => line === '+ Paragraph b has a sentence.')).toHaveLength(1);
  });
});

describe('lines that did not move', () => {
  test('A short equal text does not count as moved.', () => {
    const found = changed(
      'Yes.\n\nThe first of all the lines.\nThe second one.',
      'The first of all the lines.\nThe second one.\n\nYes.',
    );
    expect(found.map((line) => line[0])).not.toContain('>');
  });

  test('The search for moved lines ends in little time.', () => {
    const lines = Array.from({ length: 700 }, (_, index) => (index % 2 === 0 ? 'a' : ''));
    const started = processorTime();
    changed(
      [...lines, 'in the middle of it all', 'end'].join('\n'),
      ['in the middle of it all', ...lines, 'END'].join('\n'),
    );
    expect(processorTime() - started).toBeLessThan(10_000);
  });
});
