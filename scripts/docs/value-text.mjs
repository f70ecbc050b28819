/** The valid values of a schema, in words. */
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
