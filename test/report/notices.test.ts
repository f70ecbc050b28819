import { expect, test } from '@jest/globals';
import { notice } from '../../src/notices/notice.ts';
import { refuseRun } from '../../src/report/notices.ts';

const creates = notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 }, [['--allow-creates', '51']]);
const members = notice('limit-creates', { creates: 9, kinds: ['Member'], limit: 5 }, [['--allow-creates', '9']]);

test('A rule that refuses a run is one sentence, and several are a list.', () => {
  expect(() => refuseRun([])).not.toThrow();
  expect(() => refuseRun([creates])).toThrow(/^limit-creates: [^\n]+$/);
  expect(() => refuseRun([creates, members])).toThrow(
    /^this run is refused for several reasons:\n- limit-creates: [^\n]+51\n- limit-creates: [^\n]+9$/,
  );
});
