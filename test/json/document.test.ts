import { describe, expect, test } from '@jest/globals';
import { type Check, checkedBy } from '../../src/json/check.ts';
import { excessIn, readDocument } from '../../src/json/document.ts';
import { planFile } from '../../src/schemas/plan-validators.js';
import { policyFile } from '../../src/schemas/policy-validators.js';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { recordFile } from '../../src/schemas/record-validators.js';
import { serviceAgentUpdated } from '../../src/schemas/service-validators.js';

const record = {
  formatVersion: 1,
  environment: 'a',
  kind: 'Agent',
  name: 'b',
  host: 'c',
  query: {},
  credentials: {},
  fields: {},
};
const form = { newest: 1, check: checkedBy<ResourceRecord>(recordFile, { showTexts: true }) };

function problemOf(text: string): string {
  const reading = readDocument(text, form);
  return reading.fits ? 'none' : reading.problem;
}

describe('a versioned document', () => {
  test('A valid versioned document is read as its value.', () => {
    expect(readDocument(JSON.stringify(record), form)).toEqual({ fits: true, value: record });
  });

  test('A versioned document of a newer format is refused with both versions, whatever else it contains.', () => {
    expect(readDocument('{"formatVersion": 7, "fields": 1}', form)).toEqual({
      fits: false,
      problem: 'it has format version 7, but this agentform reads up to version 1; upgrade agentform',
      newer: 7,
    });
  });

  test('A document that is cut off anywhere is reported as incomplete.', () => {
    const text = JSON.stringify({ ...record, lastUpdate: 12, query: { a: 'b"c' } });
    for (let length = 1; length < text.length; length++) {
      expect([length, problemOf(text.slice(0, length))]).toEqual([length, 'it is incomplete JSON']);
    }
  });

  test.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    ['{"name": "a",\n "host" "b"}', 'it is not JSON (line 2, column 9)'],
    ['hunter2', 'it is not JSON'],
    [JSON.stringify({ ...record, query: { 'a:': '\\u003a "a:": ', a: 1 } }), 'query.a is 1: expected a string'],
    ['[]', 'it is an empty list: expected an object'],
    ['"x"', "it is 'x': expected an object"],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'its values are nested more than 100 levels deep'],
    [`[${'1,'.repeat(1_000_000)}1]`, 'it has more than 1,000,000 values'],
    [JSON.stringify(record).replace('"fields":{}', '"lastUpdate":1e999'), 'it has a number that is too large'],
    [JSON.stringify({ ...record, formatVersion: 0 }), 'formatVersion is 0: expected 1'],
    [JSON.stringify({ ...record, formatVersion: '1' }), "formatVersion is '1': expected 1"],
    [JSON.stringify({ ...record, formatVersion: undefined, host: undefined }), 'formatVersion and host are missing'],
    [JSON.stringify({ ...record, hots: 1 }), 'unknown key hots'],
    [JSON.stringify({ ...record, fields: { 'a.b': 1 } }), "fields['a.b'] is 1: expected an object"],
    [JSON.stringify({ ...record, fields: { x: { '': 1 } } }), "unknown key fields.x['']"],
    [JSON.stringify({ ...record, lastUpdate: 'soon' }), "lastUpdate is 'soon': expected an integer"],
    [JSON.stringify({ ...record, host: 1, name: null }), 'name is null: expected a string (and 1 more place)'],
  ])('The document %j is reported in one sentence.', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });
});

describe('shape checks', () => {
  const problem = (check: Check<unknown>, value: unknown) => {
    const checked = check(value);
    return checked.fits ? 'none' : checked.problem;
  };

  test('A shape check names a nested place, and every allowed value.', () => {
    const resource = { kind: 'Agent', name: 'a', action: 'patch', digest: '', target: { host: '', query: {} } };
    const rest = { reasons: [], warnings: [], coverage: { compared: 0, blind: 0, assumed: 0 }, changes: [] };
    const summary = Object.fromEntries(
      'create update forget unchanged waiting blocked failed orphans drift conflicts blind compared assumed'
        .split(' ')
        .map((name) => [name, 0]),
    );
    const plan = { formatVersion: 1, environment: 'a', digest: '', summary, refusals: [], questions: [] };
    expect(
      problem(checkedBy(planFile, { showTexts: true }), { ...plan, resources: [{ ...resource, ...rest }] }),
    ).toMatch(/^resources\[0\]\.action is 'patch': expected 'create', 'update', .* or 'orphan'$/);
  });

  test('A shape check names the limit of a text.', () => {
    const check = checkedBy(policyFile, { showTexts: true });
    const policy = { apiVersion: 'agentform/v1', kind: 'Policy', name: 'p', rules: [{ deny: 'true', message: 'm' }] };
    const reason = 'x'.repeat(501);
    expect(problem(check, { ...policy, exceptions: [{ name: 'desk', reason }] })).toMatch(
      / expected a string of at most 500 characters$/,
    );
  });

  test('A shape check of an answer does not repeat its texts.', () => {
    const check = checkedBy(serviceAgentUpdated, { showTexts: false });
    expect(problem(check, { success: 'hunter2', campaignId: 5 })).toMatch(/^success is a string: expected true/);
    expect(problem(check, { success: true, campaignId: 5 })).toBe('campaignId is 5: expected a string');
  });
});

test.each([
  [`${'['.repeat(100)}${']'.repeat(100)}`, undefined],
  [`${'['.repeat(101)}${']'.repeat(101)}`, 'depth'],
  [`[${'[],'.repeat(1000)}[]]`, undefined],
  [JSON.stringify({ text: '[{"\\'.repeat(300_000) }), undefined],
  [JSON.stringify({ text: ','.repeat(300_000) }), undefined],
  [`[${'1,'.repeat(49_990)}1]`, undefined],
  [`[${'1,'.repeat(50_000)}1]`, 'values'],
  [`"${'\\'.repeat(9)}`, undefined],
  ['', undefined],
])('The limits of an answer are checked before it is parsed: %.20j', (json, excess) => {
  expect(excessIn(json, 50_000)).toBe(excess);
});

test('Every schema rejects infinite numbers.', () => {
  const checkRecord = checkedBy<ResourceRecord>(recordFile, { showTexts: true });
  expect(checkRecord({ ...record, lastUpdate: 1 / 0 })).toEqual({
    fits: false,
    problem: 'lastUpdate is Infinity: expected an integer',
  });
});
