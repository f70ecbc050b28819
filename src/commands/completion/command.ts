import type { Console } from '../../cli/console.ts';
import type { Command, Parsed } from '../../cli/options.ts';
import { AgentformError } from '../../errors.ts';

/** The option that completion scripts pass before the words up to the cursor. */
export const completionFlag = '--get-yargs-completions';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completionCommand: Command<ReturnType<typeof completionOptions>> = {
  syntax: { usage: 'completion [SHELL]', options: completionOptions },
  describe: 'Print a shell script that completes commands, options, environments and names',
  examples: [
    ['source <($0 completion bash)', 'Add this line to ~/.bashrc; in ~/.zshrc, write zsh instead of bash'],
    ['$0 completion fish > ~/.config/fish/completions/agentform.fish', 'Run this command once'],
  ],
  run,
};

function completionOptions() {
  return {
    SHELL: { choices: shells, describe: 'Shell to print the script for (default: from the variable SHELL)' },
  } as const;
}

async function run({ SHELL }: Parsed<ReturnType<typeof completionOptions>>, console: Console): Promise<void> {
  const shell = SHELL ?? shellOf(console.process.env.SHELL);
  console.data(completionScripts[shell]);
}

function shellOf(path: string | undefined): (typeof shells)[number] {
  const found = shells.find((shell) => path?.split('/').at(-1) === shell);
  if (found !== undefined) return found;
  throw new AgentformError(
    'usage',
    `unknown shell; name one of ${shells.join(', ')}, as in \`agentform completion bash\``,
  );
}

/**
 * Shell scripts that ask agentform for completions. The scripts pass the shell's name, because yargs adds explanations
 * for some shells. If there are no completions, the shell completes file names.
 */
const completionScripts = {
  bash: `# agentform completion for bash. In ~/.bashrc: source <(agentform completion bash)
_agentform() {
  local IFS=$'\\n'
  COMPREPLY=($(SHELL=bash "\${1/#\\~/$HOME}" ${completionFlag} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null))
}
complete -o bashdefault -o default -F _agentform agentform
`,
  zsh: `#compdef agentform
# agentform completion for zsh. In ~/.zshrc, after compinit: source <(agentform completion zsh)
_agentform() {
  local -a found
  found=(\${(f)"$(SHELL=zsh \${(e)~words[1]} ${completionFlag} "\${(@)words[1,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then _describe agentform found; else _files; fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _agentform "$@"; else compdef _agentform agentform; fi
`,
  fish: `# agentform completion for fish. Run once: agentform completion fish > ~/.config/fish/completions/agentform.fish
function __agentform_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (env SHELL=fish $words[1] ${completionFlag} $words "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c agentform -f -a '(__agentform_complete)'
`,
} as const;
