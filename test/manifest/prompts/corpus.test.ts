import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { problemsIn } from './example-agent.ts';

const read = (name: string) => readFileSync(new URL(`corpus/${name}`, import.meta.url), 'utf8');

interface CleanText {
  readonly lang: string;
  readonly role: 'spoken' | 'instructs';
  readonly text: string;
}

/** Prompts as people write them, by name. */
const clean = new Map(
  ['clean-1.txt', 'clean-2.txt', 'clean-3.txt', 'clean-4.txt'].flatMap((file) =>
    read(file).split(/^=== /m).slice(1).map(cleanText),
  ),
);

function cleanText(entry: string): readonly [string, CleanText] {
  const [head = '', ...lines] = entry.split('\n');
  const [name = '', lang = 'en-US', role] = head.split(' | ');
  return [name, { lang, role: role === 'spoken' ? 'spoken' : 'instructs', text: lines.join('\n') }];
}

interface PlantedText extends CleanText {
  readonly rule: string;
  readonly name: string;
}

/** A rule, the name of a clean text with the language to check it for, what is taken out of it, and what is put in. */
const planted = read('planted.txt').trim().split('\n').map(plantedText);

function plantedText(line: string): PlantedText {
  const [rule = '', place = '', from = '', ...rest] = line.split(' | ');
  const [name = '', lang] = place.split(' !');
  const source = clean.get(name);
  const to = rest.join(' | ').replaceAll('\\n', '\n');
  const plain = to.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const old = from.replaceAll('\\n', '\n');
  if (source === undefined || !source.text.includes(old)) throw new Error(`nothing to replace: ${line}`);
  return { ...source, lang: lang ?? source.lang, rule, name, text: source.text.replace(old, () => plain) };
}

test.each<[string, string, readonly string[]]>([
  ['a slot of one word that shouts', 'The clinic is at <ADDRESS>.', ['prompt-placeholder']],
  [
    'a slot in Spanish that shouts',
    'Llame al [TELÉFONO] de [NOMBRE DEL RESTAURANTE].',
    ['prompt-placeholder', 'prompt-placeholder'],
  ],
  ['a slot in Spanish to fill in', 'Abrimos: [insertar el horario].', ['prompt-placeholder']],
  [
    'a slot in Spanish for a thing of the business',
    'Somos [tu empresa], en [dirección de la clínica].',
    ['prompt-placeholder', 'prompt-placeholder'],
  ],
  ['what a Spanish caller says', 'Pregunta por [nombre del cliente] y repite: "Hasta el [día] a las [hora]".', []],
  ['a mark at the end of a sentence', 'The price is XXX.', ['prompt-placeholder']],
  ['a pattern of digits', 'Read it as XXX.XXX or XXX-XX.', []],
  ['such a word between quotes', 'Say: "You are at <ADDRESS>, right?"', []],
  ['an HTML tag', 'Write <address> around the street.', []],
  ['a comma in the domain of an address', 'Write to groups@mapmuseum,example.org.', ['prompt-contact-invalid']],
  ['a word behind the comma', 'Write to bob@localhost,then call him.', []],
  ['a signed token', `Send eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'dozjgNryP4J3jVmNHl0w5N'}.`, ['prompt-secret']],
  [
    'the hours of a Spanish business',
    'Abrimos a las [HORA DE APERTURA] y cerramos a las [HORA DE CIERRE].',
    ['prompt-placeholder', 'prompt-placeholder'],
  ],
  ['an hour that the caller names', 'Repite el día y la [HORA DE LA CITA].', []],
  [
    'a Spanish word that is stressed',
    '- Confirma TODO: nombre, hora y teléfono de la persona.\n- Di el precio de TODO lo que pida.',
    [],
  ],
  [
    'a note in a Spanish text',
    '- TODO: pedir los precios al dueño de la tienda\n- Horario de verano: TODO',
    ['prompt-placeholder', 'prompt-placeholder'],
  ],
  [
    'a skill that a Spanish text names',
    'Para cobrar, usa la habilidad `cobros`; para citas, la habilidad `calendar`.',
    ['prompt-unknown-reference'],
  ],
  ['a Spanish text that says what is not there', 'No tienes la habilidad `cobros`.', []],
  [
    'the opposite in Spanish',
    '- Puedes ofrecer descuentos a los clientes frecuentes.\n- Habla despacio.\n- No puedes ofrecer descuentos a los clientes frecuentes.',
    ['prompt-contradiction'],
  ],
  [
    'two sorts of Spanish clients',
    '- Los clientes que tienen seguro pagan en la caja.\n- Habla despacio.\n- Los clientes que no tienen seguro pagan en la caja.',
    [],
  ],
])('%s', async (_name, text, rules) => {
  expect((await problemsIn(text)).map(({ rule }) => rule)).toEqual(rules);
});

test('of 100 planted faults at least 95 are found, and of the clean texts at most 2 in 100 are warned about', async () => {
  const wrong: string[] = [];
  let warned = 0;
  for (const [name, { lang, role, text }] of clean) {
    const found = await problemsIn(text, { lang, role });
    if (found.length > 0) warned += 1;
    for (const { rule, message } of found) wrong.push(`clean ${name}: ${rule} ${message}`);
  }
  let found = 0;
  for (const { name, rule, lang, role, text } of planted) {
    const rules = (await problemsIn(text, { lang, role })).map((one) => one.rule);
    if (rules.some((one) => one === rule)) found += 1;
    if (new Set(rules).size !== 1 || rules[0] !== rule)
      wrong.push(`planted ${name}: ${rule}, found ${rules.join(', ')}`);
  }
  process.stdout.write(
    `prompt checks: found ${found} of ${planted.length} planted faults, warned about ${warned} of ${clean.size} clean texts\n${wrong.map((line) => `  ${line}\n`).join('')}`,
  );
  expect(planted).toHaveLength(100);
  expect(clean.size).toBeGreaterThanOrEqual(100);
  expect(found / planted.length).toBeGreaterThanOrEqual(0.95);
  expect(warned / clean.size).toBeLessThanOrEqual(0.02);
});
