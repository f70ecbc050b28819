/** The commands that a help lists under the command whose help it is: `record list` for that of `record`. */
export function commandsIn(help, parent) {
  const [, section = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(help) ?? [];
  const name = parent === '' ? '' : `${parent} `;
  return [...section.matchAll(new RegExp(`^  agentform (${name}[a-z-]+)`, 'gm'))].map(([, command = '']) => command);
}
