import { describe, expect, test } from '@jest/globals';
import { notice } from '../../src/notices/notice.ts';
import { keyOfCauses, noticeForAll, selectorOf, withGlob } from '../../src/report/alike.ts';
import { sentenceOf } from '../../src/report/notices.ts';
import { unread } from '../support/notices.ts';

const agent = (name: string, labels?: Record<string, string>) => ({ kind: 'Agent', name, ...(labels && { labels }) });
const many = (stem: string) => Array.from({ length: 11 }, (_, index) => agent(`${stem}${index}`));

describe('selectors for several resources', () => {
  test('A few resources are selected by their names.', () => {
    const some = [agent('a', { ring: 'late' }), agent('b')];
    expect(selectorOf(some, [...some, agent('c')])).toBe('a b');
  });

  test('A label selects resources if no others have it.', () => {
    const some = [agent('a', { ring: 'late', role: 'x' }), agent('b', { ring: 'late', role: 'x' })];
    expect(selectorOf(some, [...some, agent('c', { ring: 'late' })])).toBe('-l role=x');
  });

  test('A name that two kinds share is listed once, or with its kind if only one of them is selected.', () => {
    const some = [agent('a'), { kind: 'Organization', name: 'a' }];
    expect(selectorOf(some, [...some, agent('b')])).toBe('a');
    expect(selectorOf([agent('a'), agent('b')], [...some, agent('b')])).toBe('Agent/a b');
  });

  test('Many resources are selected by a common prefix of names that no other has.', () => {
    const clinics = many('clinic-');
    expect(selectorOf(clinics, [...clinics, agent('front-desk')])).toBe("'clinic-*'");
    expect(selectorOf(clinics, [...clinics, { kind: 'Member', name: 'clinic-owner' }])).toBe("'Agent/clinic-*'");
    expect(selectorOf(clinics, [...clinics, agent('clinic-x')])).toBe(clinics.map(({ name }) => name).join(' '));
  });

  test('Resources with different prefixes are all listed.', () => {
    const some = [...many('east-'), agent('west')];
    expect(selectorOf(some, some)).toBe(some.map(({ name }) => name).join(' '));
  });
});

describe('commands for several resources', () => {
  const update = (names: readonly string[]) => ['update', ...names, '--field', 'settings.title', '-e', 'desk-1'];

  test('A command has a glob in place of many names, and none if no glob selects exactly these.', () => {
    const desks = many('desk-');
    const names = desks.map(({ name }) => name);
    expect(withGlob(update(names), desks, desks)).toEqual(update(['desk-*']));
    const overwrite = ['apply', ...names.flatMap((name) => ['--overwrite', `Agent/${name}`]), '-e', 'production'];
    expect(withGlob(overwrite, desks, desks)).toEqual(['apply', '--overwrite', 'desk-*', '-e', 'production']);
    expect(withGlob(update(names), desks, [...desks, agent('desk-x')])).toBeUndefined();
    expect(withGlob(update(['a', 'b']), [agent('a'), agent('b')], [])).toEqual(update(['a', 'b']));
  });
});

describe('notices of several resources', () => {
  const held = (name: string) => notice('bug', { problem: 'p' }, [['unhold', `Agent/${name}`, '-e', 'production']]);

  test('Two notices that differ only in their resource count as equal.', () => {
    expect(keyOfCauses([held('a')], agent('a'))).toBe(keyOfCauses([held('b')], agent('b')));
    expect(keyOfCauses([held('a')], agent('b'))).not.toBe(keyOfCauses([held('b')], agent('b')));
  });

  test('Failed reads count as equal despite different retries and ids in the messages of the service.', () => {
    const some = ['a', 'b'].map((name) => ({ ...agent(name), id: `camp_${name}` }));
    const keys = some.map((one, index) => keyOfCauses([unread(one.id, index + 1, 'no agent')], one));
    expect(keys[0]).toBe(keys[1]);
    const shared = noticeForAll(unread('camp_a', 3, 'no agent'), some, some);
    expect(sentenceOf(shared)).toBe('reading the agent failed: the service returned 404 and said "no agent ID"');
  });

  test.each([
    ['no agent camp_a.', 'no agent ID.'],
    ['GET /agent/camp_a?x="camp_a" failed', 'GET /agent/ID?x="ID" failed'],
    ['connecting to camp_a.example.com failed', 'connecting to camp_a.example.com failed'],
    ['eu.camp_a, my-camp_a, camp_a-eu, xcamp_a and camp_a2', 'eu.camp_a, my-camp_a, camp_a-eu, xcamp_a and camp_a2'],
  ])('An id is left out of a shared notice only if it is a whole word: %s', (problem, shared) => {
    const some = ['a', 'b'].map((name) => ({ ...agent(name), id: `camp_${name}` }));
    expect(noticeForAll(notice('bug', { problem }), some, some).facts).toEqual({ problem: shared });
  });

  test('The command of a shared notice covers all its resources, with a list for an option.', () => {
    const some = [agent('a'), agent('b')];
    expect(noticeForAll(held('a'), some, some).remedies).toEqual([['unhold', 'a', 'b', '-e', 'production']]);
    const option = notice('bug', { problem: 'p' }, [['--older', 'Agent/a']]);
    expect(noticeForAll(option, some, some).remedies).toEqual([['--older', 'Agent/a,Agent/b']]);
  });

  test('The command of a shared notice has a placeholder if the command accepts only one resource.', () => {
    const some = [agent('a'), agent('b')];
    const unclear = notice('bug', { problem: 'p' }, [['record', 'adopt', 'Agent/a', 'ID', '-e', 'test']]);
    expect(noticeForAll(unclear, some, some).remedies).toEqual([['record', 'adopt', 'Agent/NAME', 'ID', '-e', 'test']]);
  });

  test('The command of a shared notice keeps its own name and environment if a resource has the same name.', () => {
    const some = [agent('production'), agent('unhold')];
    for (const name of ['production', 'unhold']) {
      const all = some.toSorted((one) => (one.name === name ? -1 : 1));
      const [remedy] = noticeForAll(held(name), all, all).remedies;
      expect(remedy?.filter((_, index) => index % 3 === 0)).toEqual(['unhold', '-e']);
      expect(remedy?.at(-1)).toBe('production');
    }
  });
});
