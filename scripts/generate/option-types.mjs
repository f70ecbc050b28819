/**
 * Generates src/schemas/option-types.ts. The file contains interfaces for the options of the command line. The library
 * and the use cases of commands use these interfaces.
 */
export function optionTypes({ options, task }, header) {
  const { names, selector, exclude, concurrency } = options.serviceOptions();
  const groups = {
    SelectionOptions: ['Options that select resources.', { names, selector, exclude }],
    ConcurrencyOptions: ['The option that limits concurrency.', { concurrency }],
    SinceOptions: ['The option that selects resources by commit.', options.changedSinceOption],
    DecisionOptions: ['Options that make decisions for a run.', { ...options.guardOptions, ...options.choiceOptions }],
    TaskFields: ['Options that set the fields of a task.', task.taskFields()],
  };
  const interfaces = Object.entries(groups).map(
    ([name, [comment, declared]]) => `/** ${comment} */\nexport interface ${name} {\n${membersOf(declared)}\n}\n`,
  );
  return [header.replace('schemas/', 'the options of the command line'), ...interfaces].join('\n');

  function membersOf(declared) {
    const members = Object.entries(declared).map(([name, option]) => [
      `  /** ${option.describe}${choicesOf(option)}${defaultOf(option)}. */`,
      `  readonly ${Object.keys(options.camelCased({ [name]: option }))[0]}?: ${typeOf(option)} | undefined;`,
    ]);
    return members.flat().join('\n');
  }

  function typeOf(option) {
    if (options.isList(option)) return 'readonly string[]';
    if (option.number) return 'number';
    return option.type;
  }
}

function choicesOf({ choices = [] }) {
  return choices.length === 0 ? '' : `: ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

function defaultOf({ number, default: usual }) {
  return number && usual !== undefined ? `; ${usual} by default` : '';
}
