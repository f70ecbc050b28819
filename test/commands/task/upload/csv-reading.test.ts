import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CsvReading, readTaskCsv } from '../../../../src/commands/task/upload/csv-reading.ts';
import { problemSentence } from '../../../../src/report/problems/sentence.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-csv-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(
  content: string | Buffer,
  { rows = 5_000, bytes = 1_000_000, fromRow = 1 } = {},
): Promise<CsvReading> {
  const path = join(folder, 'tasks.csv');
  await writeFile(path, content);
  const handle = await open(path);
  try {
    return await readTaskCsv(handle, { file: 'tasks.csv', limits: { rows, bytes }, fromRow, now: 1_795_000_000 });
  } finally {
    await handle.close();
  }
}

/** `line:column message` of every problem. */
async function rowProblems(content: string | Buffer): Promise<string[]> {
  const { problems, errors } = await read(content);
  expect(errors).toBe(problems.length);
  return problems.map((one) => `${one.at?.line}:${one.at?.column} ${problemSentence(one)}`);
}

const number = '+14155550100';

describe('a valid upload file', () => {
  test('The rows of a valid file are counted by type.', async () => {
    const csv = `type,target,waitToGreet,accountId,scheduledFor\ncall,${number},true,17,1796112000\ntext,${number},,,\nping,,false,-1,\nemail,a.b+c@x.example.com,,,\n`;
    expect(await read(csv)).toMatchObject({
      errors: 0,
      rows: 4,
      types: { call: 1, text: 1, ping: 1, email: 1 },
      past: { rows: 0 },
    });
  });

  test.each([
    ['a byte order mark', `\ufefftype,target\ncall,${number}\n`],
    ['CRLF', `type,target\r\ncall,${number}\r\n`],
    ['CR', `type,target\rcall,${number}\r`],
    ['CRLF, and LF or CR within a cell', `type,context,target\r\ncall,"a\nb\rc",${number}\r\n`],
    ['no line end at its end', `type,target\ncall,${number}`],
    ['blank lines', `type,target\n\ncall,${number}\n\n`],
    ['quotes, commas and line feeds in cells', `type,context,target\ncall,"a ""b"",\nc",${number}\n`],
  ])('A valid file may have %s.', async (_, csv) => {
    expect(await read(csv)).toMatchObject({ errors: 0, rows: 1 });
  });

  test('An upload from a given row counts and sends only the rows from there on.', async () => {
    const csv = 'type,scheduledFor\nping,5\n,\nping,6\nping,7\nping,\n';
    const { rows, types, past, batches } = await read(csv, { fromRow: 3 });
    expect({ rows, types, past }).toEqual({ rows: 4, types: { ping: 2 }, past: { rows: 1, first: 3 } });
    expect(batches).toMatchObject([{ firstRow: 3, lastRow: 4, stretches: [{ end: csv.length }] }]);
  });

  test('A row that repeats an earlier row is a warning with its line, and is sent.', async () => {
    const csv = 'type,context\nping,a\nping,"b\nc"\nping,"a"\nping,A\nping,"b\nc"\n';
    const { errors, repeats, problems, batches } = await read(csv, { fromRow: 3 });
    expect({ errors, repeats }).toEqual({ errors: 0, repeats: 2 });
    expect(problems.map((one) => `${one.severity} ${one.at?.line} ${problemSentence(one)}`)).toEqual([
      'warning 5 row 3 repeats row 1, so its task would be queued twice; delete one of them, unless this is intended',
      'warning 7 row 5 repeats row 2, so its task would be queued twice; delete one of them, unless this is intended',
    ]);
    expect(batches).toMatchObject([{ firstRow: 3, lastRow: 5 }]);
    expect(await read(csv, { fromRow: 4 })).toMatchObject({ repeats: 1 });
  });

  test('Rows in the past are reported and are not errors.', async () => {
    const csv = 'type,scheduledFor\nping,1796112000\nping,5\nping,6\n';
    expect(await read(csv)).toMatchObject({ errors: 0, past: { rows: 2, first: 2 } });
  });
});

test.each([
  ['typ,target', ["1:1 unknown column 'typ'; did you mean 'type'?"]],
  ['type,Target', ["1:6 unknown column 'Target'; did you mean 'target'?"]],
  ['type, target', ["1:6 unknown column ' target'; did you mean 'target'?"]],
  ['type,target,type', ["1:13 the column 'type' appears twice"]],
  ['type,', ['1:6 a column has no name']],
  ['type;target', ['1:1 the columns are separated by semicolons; save the table with commas']],
  ['target', ["1:1 the column 'type' is missing"]],
  ['meta.email.subjct,type', ["1:1 unknown column 'meta.email.subjct'; did you mean 'meta.email.subject'?"]],
])('The header %s is refused with its place.', async (header, expected) => {
  const rest = header.replace(/[^,]/g, '');
  expect((await rowProblems(`${header}\nping${rest}\n`)).filter((one) => one.startsWith('1:'))).toEqual(expected);
});

test('A missing header row has another message than a misspelt header.', async () => {
  expect((await rowProblems(`call,${number}\ncall,${number}\n`)).at(-1)).toBe(
    "1:1 the column 'type' is missing: the first row must contain the column names",
  );
});

test.each([
  ['type,target', `fax,${number}`, ["2:1 type is 'fax': expected call, text, email or ping"]],
  ['type,target', `Call,${number}`, ["2:1 type is 'Call': expected call, text, email or ping; did you mean 'call'?"]],
  ['type,target', `,${number}`, ['2:1 type is empty: expected call, text, email or ping']],
  ['type,target', 'call,', ['2:6 a task of type call needs a target: expected an E.164 number such as +14155550100']],
  ['type', 'email', ['2:1 a task of type email needs a target: expected one email address such as caller@example.com']],
  [
    'type,target',
    'text,+1 415 555 0100',
    ["2:6 target is '+1 415 555 0100': expected an E.164 number such as +14155550100; write '+14155550100'"],
  ],
  ['type,target', 'text,14155550100', ["2:6 target is '14155550100': expected an E.164 number such as +14155550100"]],
  [
    'type,target',
    "text,'+14155550100",
    ["2:6 target is ''+14155550100': expected an E.164 number such as +14155550100; write '+14155550100'"],
  ],
  ['type,target', 'text,4155550100', ["2:6 target is '4155550100': expected an E.164 number such as +14155550100"]],
  [
    'type,target',
    `email,${number}`,
    ["2:7 target is '+14155550100': expected one email address such as caller@example.com"],
  ],
  [
    'type,target',
    '"email","a@b.example, c@d.example"',
    ["2:9 target is 'a@b.example, c@d.example': expected one email address such as caller@example.com"],
  ],
  ['type,waitToGreet', 'ping,yes', ["2:6 waitToGreet is 'yes': expected true or false; write 'true'"]],
  ['type,waitToGreet', 'ping,FALSE', []],
  ['type,accountId', 'ping,1.5', ["2:6 accountId is '1.5': expected an integer"]],
  ['type,accountId', 'ping,99999999999999999999', ["2:6 accountId is '99999999999999999999': expected an integer"]],
  [
    'type,scheduledFor',
    'ping,1796112000000',
    ["2:6 scheduledFor is '1796112000000', which is in milliseconds: expected seconds, such as 1796112000"],
  ],
  [
    'type,scheduledFor',
    'ping,2026-12-01T09:00:00+01:00',
    ["2:6 scheduledFor is '2026-12-01T09:00:00+01:00': expected whole seconds since 1970; write '1796112000'"],
  ],
  [
    'type,scheduledFor',
    'ping,1e9',
    ["2:6 scheduledFor is '1e9': expected whole seconds since 1970, such as 1796112000"],
  ],
  ['type,target', 'ping,M\ufffdller', ['2:6 a character was lost here: save the file as UTF-8']],
  ['type,target', 'ping', ['2:1 the row has 1 field, but the header has 2']],
  ['type,target', 'ping,,', ['2:1 the row has 3 fields, but the header has 2; quote fields that contain commas']],
  ['type,meta.email.subject', 'ping,Hi', ['2:6 meta.email.subject is only for tasks of type email']],
  [
    'type,target,meta.email.attachments',
    'email,a@b.example,"[{""filename"":""a"",""type"":""pdf"",""content"":""YQ==""}]"',
    [expect.stringMatching(/^2:19 .*but in item 1, 'pdf' is not a MIME type such as application\/pdf$/)],
  ],
  [
    'type,target,meta.email.subject',
    'email,a@b.example,"Hi\r\nBcc: b@b.example"',
    [expect.stringMatching(/^2:19 meta\.email\.subject is '.*': expected one line without control characters$/)],
  ],
  [
    'type,target,meta.email.attachments',
    'email,a@b.example,"[{""filename"":""a"",""type"":""text/plain; x\\r\\nBcc: b"",""content"":""YQ==""}]"',
    [expect.stringMatching(/^2:19 .*but in item 1, the type '.*' has a line break or control character$/)],
  ],
  [
    'type,target,meta.email.attachments',
    'email,a@b.example,x',
    ['2:19 meta.email.attachments is \'x\': expected a JSON list of { "filename", "type", "content" }'],
  ],
  [
    'type,target,meta.email.attachments',
    'email,a@b.example,"[{""filename"":""a"",""type"":""text/plain"",""content"":""!""}]"',
    [expect.stringMatching(/^2:19 .*but the content of item 1 is not base64$/)],
  ],
  [
    'type,target,meta.email.attachments',
    'email,a@b.example,"[{""filename"":""a"",""type"":""text/plain"",""content"":""YQ==""},3]"',
    [expect.stringMatching(/^2:19 .*but item 2 is not an object$/)],
  ],
  [
    'type,target,meta.email.attachments',
    'email,a@b.example,"[{""filename"":""a""}]"',
    [expect.stringMatching(/^2:19 .*but item 1 needs 'type' as a string$/)],
  ],
  [
    'type,target,meta.email.attachments',
    'email,a@b.example,"[{""filename"":"""",""type"":""text/plain"",""content"":""YQ==""}]"',
    [expect.stringMatching(/^2:19 .*but the filename of item 1 is empty$/)],
  ],
  [
    'type,target,meta.email.attachments',
    'email,a@b.example,"[{""filename"":""a"",""type"":""text/plain"",""content"":""YQ=="",""disposition"":5}]"',
    [expect.stringMatching(/^2:19 .*but the disposition of item 1 is not a string$/)],
  ],
])('With the header %s, the row %s is refused with its place.', async (header, row, expected) => {
  expect(await rowProblems(`${header}\n${row}\n`)).toEqual(expected);
});

test('Every problem of a row is reported, each at its own column.', async () => {
  const told = await rowProblems('type,target,accountId,waitToGreet\ncall,x,y,z\n');
  expect(told.sort()).toEqual([
    "2:10 waitToGreet is 'z': expected true or false",
    "2:6 target is 'x': expected an E.164 number such as +14155550100",
    "2:8 accountId is 'y': expected an integer",
  ]);
});

test('A value that a spreadsheet lost is reported once, with what to do in the spreadsheet.', async () => {
  const csv = 'type,target,context,accountId\ncall,4.91556E+11,#N/A,1E+11\nping,,########,\nping,,#1 in 1E+1,\n';
  expect(await rowProblems(csv)).toEqual([
    "2:6 the cell is '4.91556E+11': a spreadsheet rounded this number; give the column the format Text, and enter the number again",
    "2:18 the cell is '#N/A': a spreadsheet could not calculate this cell; correct its formula",
    expect.stringMatching(/^2:23 the cell is '1E\+11': a spreadsheet rounded this number/),
    "3:7 the cell is '########': the column was too narrow for this value; widen it, and save the table again",
  ]);
});

test.each(['#BEZUG!', '#¡REF!', '#N/D', '#ИМЯ?', '#ERROR!', 'Err:502', '4.91556e+11'])(
  'The text %s, which a spreadsheet saved in place of a value, is refused.',
  async (cell) => {
    const csv = `type,context\nping,${cell}\nping,see ${cell}\n`;
    expect(await rowProblems(csv)).toEqual([expect.stringContaining(`2:6 the cell is '${cell}': a spreadsheet`)]);
  },
);

test('For a workbook, the error says to save it as CSV.', async () => {
  expect(await rowProblems(Buffer.from('PK\x03\x04\x14\x00\xe9xl/workbook.xml', 'latin1'))).toEqual([
    '1:1 not UTF-8: an Excel workbook; save the table as CSV in UTF-8; the rest of the file is not checked',
  ]);
});

test('Line ends inside cells do not shift the reported places.', async () => {
  const csv = '\ufefftype,context,accountId\r\nping,"a\r\nb\r\n""c",x\r\n\r\nping,,y\r\n';
  expect(await rowProblems(csv)).toEqual([
    "4:6 accountId is 'x': expected an integer",
    "6:7 accountId is 'y': expected an integer",
  ]);
});

test.each([
  [
    'a\r\nb\nc\r\n',
    /^2:\d+ this line ends with LF, but the lines before it end with CRLF; save the file with one kind/,
  ],
  ['a\nb\r\nc\n', /^2:\d+ this line ends with CRLF, but the lines before it end with LF;/],
  ['a\r\nb\rc\r\n', /^2:\d+ this line ends with CR, but the lines before it end with CRLF;/],
])(
  'A service might join rows of a file with mixed line endings, so such a file is refused: %j',
  async (csv, expected) => {
    const tasks = csv.replace('a', 'type,target').replace(/[bc]/g, `call,${number}`);
    expect(await rowProblems(tasks)).toEqual([expect.stringMatching(expected)]);
  },
);

test.each([
  ['ping,"a\nping,b\n', /^3:1 a quote is opened in this row and never closed; the rest of the file is not checked$/],
  ['ping,"a"b\n', /^3:1 this row has text after a closing quote; double every quote/],
  ['ping,a"b\n', /^3:1 an unquoted field of this row contains a quote; quote the whole field/],
])('Invalid CSV is reported with its row and ends the reading: %j', async (row, expected) => {
  expect(await rowProblems(`type,context\nping,ok\n${row}`)).toEqual([expect.stringMatching(expected)]);
});

test('A file in another encoding is reported with its first wrong byte.', async () => {
  const latin = Buffer.concat([Buffer.from('type,context\nping,caf'), Buffer.from([0xe9]), Buffer.from('\n')]);
  expect(await rowProblems(latin)).toEqual([
    "2:9 not UTF-8: the byte 0xE9 ('é' in Windows-1252); save the table as CSV in UTF-8; the rest of the file is not checked",
  ]);
  const utf16 = Buffer.from('\ufefftype,target\nping,\n', 'utf16le');
  expect(await rowProblems(utf16)).toEqual([
    expect.stringMatching(/^1:1 not UTF-8: text in UTF-16; save the table as CSV in UTF-8/),
  ]);
  const bare = utf16.subarray(2);
  expect(await rowProblems(bare)).toEqual([expect.stringMatching(/^1:1 not UTF-8: text in UTF-16/)]);
});

test.each([
  ['', 'the file is empty: expected a header row and tasks'],
  ['\n\n', 'the file is empty: expected a header row and tasks'],
  ['type,target\n', 'the file has a header row but no tasks'],
])('The file %j has no tasks.', async (csv, message) => {
  expect(await rowProblems(csv)).toEqual([`1:1 ${message}`]);
});

test('The reading keeps the first hundred problems of rows and counts all of them.', async () => {
  const { problems, errors, rows } = await read(`type\n${'x\n'.repeat(1_234)}`);
  expect({ kept: problems.length, errors, rows }).toEqual({ kept: 100, errors: 1_234, rows: 1_234 });
  expect(problems.at(-1)?.at).toMatchObject({ line: 101, column: 1 });
});

test('The reported places are correct in a long file.', async () => {
  const filler = 'ping,"line\nfeed"\n'.repeat(40_000);
  expect(await rowProblems(`type,context,accountId\n${filler.replaceAll('feed"\n', 'feed",\n')}ping,,x\n`)).toEqual([
    "80002:7 accountId is 'x': expected an integer",
  ]);
});

test('Batches contain whole rows, in order and each once, within the maximum number.', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', '\n', '\r\n', ',') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 7 }),
      async (cells, max) => {
        const csv = `type,context\n${cells.map((text) => `ping,"${text.replaceAll('"', '""')}"\n`).join('')}`;
        const { batches, header, rows, errors } = await read(csv, { rows: max, bytes: 60 });
        const bytes = Buffer.from(csv);
        expect({ errors, rows }).toEqual({ errors: 0, rows: cells.length });
        const parts = batches.map(({ stretches }) =>
          stretches.map(({ start, end }) => bytes.toString('utf8', start, end)).join(''),
        );
        expect(bytes.subarray(0, header.end).toString('utf8') + parts.join('')).toBe(csv);
        expect(parts.every((part) => part.startsWith('ping,"') && part.endsWith('"\n'))).toBe(true);
        let next = 1;
        for (const batch of batches) {
          expect(batch.firstRow).toBe(next);
          const size = batch.lastRow - batch.firstRow + 1;
          expect(size).toBeLessThanOrEqual(max);
          const length = batch.stretches.reduce((sum, { start, end }) => sum + end - start, 0);
          if (size > 1) expect(length).toBeLessThanOrEqual(60);
          next += size;
        }
        expect(next).toBe(cells.length + 1);
      },
    ),
    { numRuns: 60 },
  );
});
