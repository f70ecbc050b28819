/** Describes which values plans show in words. Returns an empty string if there are no such values. */
export function plainWordsText({ 'x-values': values = {} }) {
  const shown = Object.entries(values).filter(([value, words]) => !words.includes('%') && value !== words);
  // Words that a caller speaks are already in quotes.
  const quoted = (words) => (words.startsWith('“') ? words : `“${words}”`);
  const texts = shown.map(([value, words]) => `\`${value}\` as ${quoted(words)}`);
  return texts.length === 0 ? '' : `Plans show ${texts.join(', ')}.`;
}

/** Describes the valid values of a schema in words. */
export function valueText(property) {
  if ('const' in property) return `\`${property.const}\``;
  if (property.enum !== undefined) return property.enum.map((value) => `\`${value}\``).join(', ');
  if (property.anyOf !== undefined) return property.anyOf.map(valueText).join(' or ');
  const type = [property.type].flat().join(' or ');
  if (property.items !== undefined) return `list of ${valueText(property.items)}s`;
  return `${type}${rangeText(property)}`;
}

function rangeText({ minimum, maximum }) {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : `, from ${minimum}`;
}
