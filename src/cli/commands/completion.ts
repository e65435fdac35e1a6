// memctl completion: what a shell needs to complete memctl's words, as a script made from the commands themselves.
import { Argument, type Command } from 'commander'
import { generateBashCompletion } from '../completion/bash.ts'
import { listCommandNodes } from '../completion/commandTree.ts'
import { generateFishCompletion } from '../completion/fish.ts'
import { generateZshCompletion } from '../completion/zsh.ts'
import type { CliContext } from '../context/cliContext.ts'

const SCRIPTS = { bash: generateBashCompletion, zsh: generateZshCompletion, fish: generateFishCompletion } as const
type Shell = keyof typeof SCRIPTS

const HOW = `
Put it where your shell looks once, and again after an update:
  bash   memctl completion bash > ~/.local/share/bash-completion/completions/memctl
  zsh    memctl completion zsh > "\${fpath[1]}/_memctl"
  fish   memctl completion fish > ~/.config/fish/completions/memctl.fish`

export function registerCompletion(program: Command, io: CliContext): void {
  program
    .command('completion')
    .description('a script that completes memctl’s words in your shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', HOW)
    .action((shell: Shell) => {
      io.out.write(SCRIPTS[shell](listCommandNodes(program)))
    })
}
