import { Argument, type Command } from 'commander';
import type { Tools } from '../tools.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

interface Place {
  /** The words before: empty, `keys`, `keys list`. */
  readonly words: string;
  readonly next: readonly string[];
}

const optionsOf = (command: Command): string[] =>
  command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);

/** What may follow where, of all commands. */
function places(program: Command): Place[] {
  const common = [...optionsOf(program), '--help'];
  const of = (command: Command, words: string): Place[] => [
    { words, next: [...command.commands.map((each) => each.name()), ...optionsOf(command), ...common] },
    ...command.commands.flatMap((each) => of(each, `${words} ${each.name()}`.trim())),
  ];
  const first = { words: '', next: [...program.commands.map((each) => each.name()), ...common] };
  return [first, ...program.commands.flatMap((each) => of(each, each.name()))];
}

const bash = (all: readonly Place[]): string => `# scs completion bash > /etc/bash_completion.d/scs
_scs() {
  local words="" each next
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $each == -* ]] || words="$words $each"; done
  case "\${words# }" in
${all
  .toReversed()
  .map(({ words, next }) => `    ${words === '' ? '""' : `"${words}"*`}) next="${next.join(' ')}" ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _scs scs
`;

const zsh = (all: readonly Place[]): string => `#compdef scs
# source <(scs completion zsh)
autoload -U +X bashcompinit && bashcompinit
${bash(all).split('\n').slice(1).join('\n')}`;

function fish(all: readonly Place[]): string {
  const line = ({ words, next }: Place): string[] => {
    const condition = words === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${words.split(' ').at(-1)}`;
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c scs -n '${condition}' -l ${word.slice(2)}`
        : `complete -c scs -f -n '${condition}' -a ${word}`,
    );
  };
  return `# scs completion fish > ~/.config/fish/completions/scs.fish\n${all.flatMap(line).join('\n')}\n`;
}

const scripts: Readonly<Record<Shell, (all: readonly Place[]) => string>> = { bash, zsh, fish };

export function addCompletion(program: Command, { surroundings }: Tools): void {
  program
    .command('completion')
    .description('A script that completes the words of scs in a shell.')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell) => void surroundings.output.write(scripts[shell](places(program))));
}
