// memctl completion: completion scripts for shells, generated from the commands.
import { Argument, type Command } from 'commander'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { firstLine } from '../../text/excerpt.ts'
import { generateBashCompletion } from '../completion/bash.ts'
import { listCommandNodes, OFFER_IDS } from '../completion/commandTree.ts'
import { generateFishCompletion } from '../completion/fish.ts'
import { generateZshCompletion } from '../completion/zsh.ts'
import { type CliContext, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'

const GENERATORS = { bash: generateBashCompletion, zsh: generateZshCompletion, fish: generateFishCompletion } as const

const INSTALLATION = `
Install the script once, and again after an update:
  bash   memctl completion bash > ~/.local/share/bash-completion/completions/memctl
  zsh    memctl completion zsh > "\${fpath[1]}/_memctl"
  fish   memctl completion fish > ~/.config/fish/completions/memctl.fish`

/** Ids that a shell offers, at most. */
const OFFERED_MAX = 50

export function registerCompletion(program: Command, io: CliContext): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(GENERATORS)))
    .addHelpText('after', INSTALLATION)
    .action((shell: keyof typeof GENERATORS) => {
      io.out.write(GENERATORS[shell](listCommandNodes(program)))
    })
  program
    .command(OFFER_IDS, { hidden: true })
    .description('for the completion scripts: the ids that begin with this, each with what it is')
    .argument('[beginning]', 'the beginning of an id')
    .action((beginning = '') => offerIds(beginning, io))
}

async function offerIds(beginning: string, io: CliContext): Promise<void> {
  const [{ listMemories }, { openSelectedStore }] = await Promise.all([
    import('../../broker/queries/browse.ts'),
    import('../context/storeOption.ts'),
  ])
  const all = listMemories(await openSelectedStore({}, io))
  const offered = all.filter(({ id }) => id.startsWith(beginning.toLowerCase())).slice(0, OFFERED_MAX)
  const format = (terminal: Terminal): string[] =>
    offered.map(({ id, kind, content }) => {
      const text = sanitizeForTerminal(firstLine(content, 80)).replaceAll('\t', ' ')
      return `${terminal.shortId(id)}\t${kind}: ${text}`
    })
  printResult(withKnownIds(io, all), false, all, (_, terminal) => format(terminal))
}
