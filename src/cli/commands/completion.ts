// memctl completion: completion scripts for shells, generated from the commands.
import { Argument, type Command } from 'commander'
import { generateBashCompletion } from '../completion/bash.ts'
import { listCommandNodes } from '../completion/commandTree.ts'
import { generateFishCompletion } from '../completion/fish.ts'
import { generateZshCompletion } from '../completion/zsh.ts'
import type { CliContext } from '../context/cliContext.ts'

const GENERATORS = { bash: generateBashCompletion, zsh: generateZshCompletion, fish: generateFishCompletion } as const

const INSTALLATION = `
Install the script once, and again after an update:
  bash   memctl completion bash > ~/.local/share/bash-completion/completions/memctl
  zsh    memctl completion zsh > "\${fpath[1]}/_memctl"
  fish   memctl completion fish > ~/.config/fish/completions/memctl.fish`

export function registerCompletion(program: Command, io: CliContext): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(GENERATORS)))
    .addHelpText('after', INSTALLATION)
    .action((shell: keyof typeof GENERATORS) => {
      io.out.write(GENERATORS[shell](listCommandNodes(program)))
    })
}
