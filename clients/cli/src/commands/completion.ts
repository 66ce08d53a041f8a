import { Argument, type Command } from 'commander';
import type { Tools } from '../tools.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

interface CompletionPoint {
  /** Preceding words: empty, `keys`, `keys list`. */
  readonly words: string;
  readonly next: readonly string[];
  /** Whether only subcommands can follow. */
  readonly isGroup: boolean;
}

interface CompletionWords {
  readonly places: readonly CompletionPoint[];
  /** Options that take a value. */
  readonly valued: readonly string[];
}

const visibleOptions = (command: Command) => command.options.filter(({ hidden }) => !hidden);
const optionNames = (command: Command): string[] => visibleOptions(command).flatMap(({ long }) => long ?? []);
const choiceNames = (command: Command): string[] =>
  command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);

/** Possible next words for every command. */
function collectWords(program: Command): CompletionWords {
  const common = [...optionNames(program), '--help'];
  const of = (command: Command, words: string): CompletionPoint[] => {
    const commands = command.commands.map((each) => each.name());
    const next = [
      ...commands,
      ...choiceNames(command),
      ...optionNames(command),
      ...(words === '' ? ['--help'] : common),
    ];
    const below = command.commands.flatMap((each) => of(each, `${words} ${each.name()}`.trim()));
    return [{ words, next, isGroup: commands.length > 0 }, ...below];
  };
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const valued = all(program)
    .flatMap(visibleOptions)
    .flatMap(({ long, required }) => (required && long ? [long] : []));
  return { places: of(program, ''), valued: [...new Set(valued)] };
}

/** Skips option values to find the command words. bash treats `=` as a word. */
const bash = ({ places, valued }: CompletionWords): string => `# scs completion bash > /etc/bash_completion.d/scs
_scs() {
  local before="" value="" next="" each i
  for ((i = 1; i < COMP_CWORD; i++)); do
    each="\${COMP_WORDS[i]}"
    if [[ "$each" == "=" ]]; then value=1
    elif [[ -n "$value" ]]; then value=""
    else
      case "$each" in
        ${valued.join('|')}) value=1 ;;
        -*) ;;
        *) before="$before $each" ;;
      esac
    fi
  done
  COMPREPLY=()
  if [[ -n "$value" ]]; then return; fi
  case "$before" in
${places.map((point) => `    ${toPattern(point)}) next="${point.next.join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _scs scs
`;

function toPattern({ words, isGroup }: CompletionPoint): string {
  if (words === '') return '""';
  return isGroup ? `" ${words}"` : `" ${words}"|" ${words} "*`;
}

const zsh = (words: CompletionWords): string => `#compdef scs
# source <(scs completion zsh)
(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }
autoload -U +X bashcompinit && bashcompinit
${bash(words).split('\n').slice(1).join('\n')}`;

function fish({ places, valued }: CompletionWords): string {
  const line = ({ words, next, isGroup }: CompletionPoint): string[] => {
    const condition = `__scs_after '${words}'${isGroup ? '' : ' more'}`;
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c scs -n "${condition}" -l ${word.slice(2)}${valued.includes(word) ? ' -r' : ''}`
        : `complete -c scs -f -n "${condition}" -a ${word}`,
    );
  };
  return `# scs completion fish > ~/.config/fish/completions/scs.fish
function __scs_after
  set -l before
  set -l value 0
  for each in (commandline -opc)[2..-1]
    if test $value = 1
      set value 0
      continue
    end
    switch $each
      case ${valued.join(' ')}
        set value 1
      case '-*'
      case '*'
        set -a before $each
    end
  end
  set -l line (string join ' ' -- $before)
  test "$line" = "$argv[1]"; and return 0
  test "$argv[2]" = more; and string match -q -- "$argv[1] *" "$line"
end
${places.flatMap(line).join('\n')}
`;
}

const scripts: Readonly<Record<Shell, (words: CompletionWords) => string>> = { bash, zsh, fish };

export function addCompletion(program: Command, { io }: Tools): void {
  program
    .command('completion')
    .description('Prints a script that completes scs commands in a shell.')
    .addArgument(new Argument('<shell>', 'shell to print the script for').choices(shells))
    .action((shell: Shell) => void io.output.write(scripts[shell](collectWords(program))));
}
