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

/**
 * Per line: a rule, the name of a clean text, the language to check it for, the text to remove, and the text to insert.
 */
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
  ['a price and a share', 'It costs $5, or $var less. Of $20, 50% is 100%off%.', []],
  ['a variable of another program between percent signs', 'The caller asks for %name%.', ['prompt-placeholder']],
  ['a variable of another program after a dollar sign', 'Answer for $company_name.', ['prompt-placeholder']],
  [
    'variables of a shell, of Windows, of a query and of a URL',
    "Set $HOME, $clinics or %TEMP%. Search for '%name%', or open https://a.example/%e4%b8%ad. It costs $USD 5.",
    [],
  ],
  ['a variable of another program that the call fills in', 'Greet %caller_name%. Say "Hi %name%".', []],
  ['a variable of a shell in code', 'Run `echo $var.clinic %PATH%`.', []],
  ['only the path of a file', '../prompts/front-desk.md', ['prompt-placeholder']],
  ['the name of a file in a sentence', 'Read the prices in prices.md.', []],
  ['a slot in Spanish to fill in', 'Abrimos: [insertar el horario].', ['prompt-placeholder']],
  [
    'a slot in Spanish for a thing of the business',
    'Somos [tu empresa], en [dirección de la clínica].',
    ['prompt-placeholder', 'prompt-placeholder'],
  ],
  ['what a Spanish caller says', 'Pregunta por [nombre del cliente] y repite: "Hasta el [día] a las [hora]".', []],
  [
    'slots that end in a word such as "here"',
    'You are [Your Name Here] at {your clinic name here}. Call [Your Phone Number Here]. Abrimos: [su horario aquí].',
    ['prompt-placeholder', 'prompt-placeholder', 'prompt-placeholder', 'prompt-placeholder'],
  ],
  [
    'such words without brackets',
    'You are Your Name Here. Call (Your Phone Number Here), or see YOUR WEBSITE HERE.',
    ['prompt-placeholder', 'prompt-placeholder', 'prompt-placeholder'],
  ],
  [
    'the name and the employer of the agent',
    'You are [Name], the receptionist at [Clinic].\nYou work for [name of your business].',
    ['prompt-placeholder', 'prompt-placeholder', 'prompt-placeholder'],
  ],
  ['a mark at the end of a sentence', 'The price is XXX.', ['prompt-placeholder']],
  ['a pattern of digits', 'Read it as XXX.XXX or XXX-XX.', []],
  ['a pattern of digits in groups', 'Pide los 9 dígitos: 6XX XXX XXX. Ask for XXX XX XXXX.', []],
  ['such a word between quotes', 'Say: "You are at <ADDRESS>, right?"', []],
  ['direction marks around Latin words in Arabic', 'الهاتف: \u200e+971 4 123 4567. (alnoor.ae)\u200f.', []],
  ['direction marks in Hebrew', 'התקשרו: \u200e03-555-1234\u200e, או C++\u200f.', []],
  ['a direction mark on a line without such letters', 'Call +971 4 123 4567\u200e.\nشكرًا', ['prompt-invisible']],
  ['joiners in Gujarati and Punjabi', 'ક્\u200dષ ਕ\u200dਰ', []],
  ['a separated ending in Persian', 'فایل PDF\u200cها و ۱۲\u200cساله', []],
  ['zero-width spaces between Thai, Khmer and Burmese words', 'สวัสดี\u200bครับ សូម\u200bរង់ចាំ မင်္ဂလာ\u200bပါ', []],
  ['a zero-width space between English words beside Thai', 'ไทย pay\u200b by card', ['prompt-invisible']],
  ['a joiner in Japanese', 'お名\u200d前', ['prompt-invisible']],
  ['an HTML tag', 'Write <address> around the street.', []],
  ['a comma in the host of a URL', 'Book at https://www.elm,example.org.', ['prompt-contact-invalid']],
  ['a second comment without its end', '<!-- One. -->\nAsk.\n<!-- Two.', ['prompt-markdown']],
  ['a link that is not encoded', 'See [the offer](offer-%zz.md).', []],
  ['a comma in the domain of an address', 'Write to groups@mapmuseum,example.org.', ['prompt-contact-invalid']],
  ['a word behind the comma', 'Write to bob@localhost,then call him.', []],
  [
    'expressions of a template engine, once for all',
    'Hi {{ name }}.\n{% if late %}Sorry, {{ name | upper }}.{% endif %}\nAt {{ clinic }}.',
    ['prompt-placeholder'],
  ],
  ['a text and a filter', 'It is {{"now" | date: "%A", "America/New_York"}}.', ['prompt-placeholder']],
  ['names in braces, once for all', 'Be nice at {clinic_name}, in {clinic_city}.', ['prompt-placeholder']],
  ['a value of JSON', 'Answer with { "title": "{{info-title}}" }.', []],
  ['JSON in double braces', 'Answer {{"intent": "book", "day": "Monday"}}.', []],
  ['a word that the answer has', 'Answer: "{topic} is great", or {topic} is not.', []],
  [
    'what is to be pasted',
    'Menu: PASTE YOUR MENU HERE.\nMenú: PEGAR EL MENÚ AQUÍ',
    ['prompt-placeholder', 'prompt-placeholder'],
  ],
  [
    'a name to be replaced',
    'You work for REPLACE_WITH_COMPANY. Send YOUR_LINK.',
    ['prompt-placeholder', 'prompt-placeholder'],
  ],
  ['a name of a constant', 'Answer with ADD_TO_CART or ENTER_PIN.', []],
  ['a name to fill in', 'Dr. <LAST NAME> is in on Mondays.', ['prompt-placeholder']],
  ['a line to write on', 'Our hours: ____', ['prompt-placeholder']],
  ['a line between two parts', 'Be nice.\n\n____\n\nBe brief.', []],
  ['a gap in an example', 'E.g.,\n\n- Good because ____ was early.', []],
  ['a gap in what is said', 'Say: "Hello, my name is ____."', []],
  ['a quotation that a person left open before', 'Say "hi.\nThen ask "Is it [DATE]?" and wait.', []],
  ['notes of programmers', 'Leave no TODO in the code; mark gaps with TODO comments.', []],
  ['the version of a package', 'Use react@18 and @types/node@20, or vite@latest.', []],
  ['an address in a URL', 'See https://example.com/share?text=Potion%20@maker.', []],
  ['the app of a caller', 'Tell callers to open the "Elm Clinic" app, or the "Settings" app.', []],
  ['words with a hyphen', 'It is a note-taking app with a built-in skill in the per-app `theme.css`.', []],
  ['a value that is used', 'Use `direction` of "more"; use `first_name` if it is there.', []],
  ['a skill at the beginning of a sentence', 'The `billing` skill takes payments.', ['prompt-unknown-reference']],
  ['a misspelled name under one domain', 'See booking.elm.com or boking.elm.com.', ['prompt-contact-differs']],
  ['names under one domain', 'See api.elm.com, app.elm.com, docs.elm.com and dogs.elm.com.', []],
  [
    'a list that goes on behind another one',
    '1. Ask.\n\nCheck:\n\n1. The day\n2. The hour\n3. The name\n\nThen go on.\n\n2. Book.',
    [],
  ],
  ['letters that are signs', 'Write it as b@ck, v0c@bUl@ry or D15@BL3D@n5w3r.', []],
  ['what the agent puts into its answer', 'Begin with {current_mode} > {storageChoice}.', []],
  ['a form of an answer as code', 'Answer so:\n\n```\n[Your name here]\nLorem ipsum\n```', []],
  ['a list that begins again', '1. One\n2. Two\n~ Then\n1. Three\n2. Four', []],
  ['the same slot twice', 'Call [TELÉFONO]. If nobody answers, call [TELÉFONO] again.', ['prompt-placeholder']],
  ['a sentence that the agent makes up', 'If asked, say "[Insert a funny text that declines]".', []],
  ['a tag with anything in it', 'Write it within the <insert ...> tags.', []],
  ['a scheme without a host', 'Never read out https:// or http://.', []],
  ['a tag in braces', 'Never write {agent_note} or {/agent_note}.', []],
  ['a public login', 'Look at ftp://anonymous:anonymous@ftp.example.com/list first.', []],
  ['a host in an encoded URL', 'Open app://clone?remote=https%3A%2F%2Fgithub.com%2Fa or https://github.com/a.', []],
  ['a piece of Ruby', 'Raise "cannot load #{clinic_url}" then.', []],
  ['a list whose items all have the number 1', '1. One\n1. Two\n1. Three', []],
  ['fences with other indentations', '- Answer so:\n\t```json\n{}\n```\nBe nice.', []],
  [
    'many of one kind, of which five are told',
    Array.from({ length: 30 }, (_, index) => `Price ${index}: [INSERT PRICE ${index}]`).join('\n'),
    Array.from({ length: 5 }, () => 'prompt-placeholder'),
  ],
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
])('The prompt checks judge the text correctly: %s', async (_name, text, rules) => {
  expect((await problemsIn(text)).map(({ rule }) => rule)).toEqual(rules);
});

test.each([
  ['settings before a prompt', '---\nname: Desk\nenv:\n  KEY: ${KEY_OF_DESK}\nhours: [INSERT HOURS]\n---\n\nBe brief.'],
  ['kinds of apps', 'You review the code of an iOS app, or of the macOS app.'],
  ['skills that there may be', 'Look for a `browser` skill. If the `tmux` skill is available, use it.'],
  ['blocks that replace code', 'Answer like this:\n\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE'],
  ['an index and a footnote', "Take os.environ['SITE_URL'], and cite sources as [^URL] or [^URL2]."],
  [
    'an argument in a line of code',
    'Write log("it took ${time}") and @import url(<FONT_URL>), or {{ env_var(\'KEY\') }}.',
  ],
  ['references that a text explains', 'Links have the format {{INT}}, so {{PREFIX-INT}} is one of many.'],
  ['what the agent replaces with a reference', 'Replace a password with {{secret_name}}, and say why.'],
  ['braces that are weights', 'A word in "{{{{masterpiece}}}}" is important.'],
  ['dollars in what is said', 'Say: "Somebody else offers ${top_bid}."'],
  [
    'talk of notes',
    'Save no temporary TODO state, only a TODO-with-owner.\n- TODO markers have a date.\n### TODO Tool\nMark doubts with [TODO].',
  ],
  ['a note in code', '    // TODO: change this\n\nconst hosts = [];\n// FIXME: and this'],
  ['a name that is TBC', 'Use no decorators, because TBC does not know them.'],
  ['words of a filler as an example', 'A source follows the period (lorem ipsum. [1]).'],
  ['a form of answers', 'Write about the guests:\nName: XXX\nJob: XXX\n\nPlace: ____\nDay: ____'],
  [
    'links and stage directions that end in "here"',
    'See [our hours here](https://elm.example.com). [pause here] [insert a pause here] [Your call ends here]\nYour Journey Starts Here. [transfer here]',
  ],
  [
    'what the agent writes or says',
    'Answer: [your answer here], <your reasoning here> or {your text here}. Say: "My name is [your name here]."\nYou are [Name]\'s friend if asked.',
  ],
  ['the end of a letter', 'End the letter with:\n\n[Your Name]\n[Company Name]'],
  ['what the agent inserts', 'Question: [insert question - 1 sentence]\n\n[Insert a joke.]'],
  ['a thing of callers', 'Ask: "What do you like about your [BUSINESS TYPE]?"'],
  ['marks for the model', '##EXAMPLES##\n\nNone.\n\n##SEARCH: a type\n##SEARCH: a phrase'],
  ['a link without a scheme', 'See [our engine](google.in).'],
  ['symbols of a formula', 'The strength is αcc·fck, and not νt.'],
  ['a list of sites', 'https://www.hackingwithgo.com/\n\nhttps://www.hackingwithc.com/'],
  ['numbered sites', 'See www.phone-reviews.com, www.phone-reviews-2.com and www.phone-reviews-3.com.'],
  ['a name with a sign', 'The song is by JMR@KaZaA.'],
])('The prompt checks accept %s.', async (_name, text) => {
  expect(await problemsIn(text)).toEqual([]);
});

test.each([
  ['Write to office@elmstreet,com.', 'prompt-contact-invalid'],
  ['Write to office@elm-street.com.\n\nOr to:\n\nofice@elm-street.com', 'prompt-contact-differs'],
  ['The fee is TODO.', 'prompt-placeholder'],
  ['- Holiday hours: TODO\n- Parking', 'prompt-placeholder'],
  ['You answer for [Your Company Name].', 'prompt-placeholder'],
  ['Say: "Welcome to ${company}."', 'prompt-placeholder'],
  ['Use the `tmux` skill.', 'prompt-unknown-reference'],
  ['Look it up in the flightSearch app.', 'prompt-unknown-reference'],
])('The text %j breaks the rule %s.', async (text, rule) => {
  expect((await problemsIn(text)).map((one) => one.rule)).toEqual([rule]);
});

test('A text with many dead links shows five of them, and counts the others.', async () => {
  const links = Array.from({ length: 12 }, (_, index) => `See [page ${index}](pages/${index}.md).`).join('\n');
  const found = await problemsIn(links);
  expect(found).toHaveLength(5);
  expect(found.at(-1)?.message).toBe(
    'this link leads to a file that does not exist; correct or remove the link (7 more like it in this text)',
  );
});

test('A text with many slots names the first, and counts the others.', async () => {
  const [found] = await problemsIn('Hi {{ name }}.\n{% if late %}Sorry, {{ name }}.{% endif %}');
  expect(found?.message).toBe(
    "'{{ name }}' and 3 similar placeholders are never filled in; replace them with the actual text",
  );
  const prices = Array.from({ length: 30 }, (_, index) => `Price ${index}: [INSERT PRICE ${index}]`).join('\n');
  expect((await problemsIn(prices)).at(-1)?.message).toBe(
    "'[INSERT PRICE 4]' is a placeholder that is never filled in; replace it with the actual text (25 more like it in this text)",
  );
});

test('The prompt checks find 95 of 100 planted faults, and warn of at most 2 in 100 clean texts.', async () => {
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
  expect(planted.length).toBeGreaterThanOrEqual(100);
  expect(clean.size).toBeGreaterThanOrEqual(100);
  expect(found / planted.length).toBeGreaterThanOrEqual(0.95);
  expect(warned / clean.size).toBeLessThanOrEqual(0.02);
});

test('A text in another language names both languages in words.', async () => {
  const text =
    'You answer the phone of the clinic. Ask each caller what it is about and whether it is urgent. Then offer the next free appointment, and repeat the day and the time before you book it.';
  const [found] = await problemsIn(text, { lang: 'es-MX' });
  expect(found?.message).toBe(
    "this text is in English, but the agent is set to Spanish (Mexico); translate the text, or change the agent's language",
  );
});
