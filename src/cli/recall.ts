// memctl recall: what would be injected for a cue, and why. Looking changes nothing.
import { type Command, Option } from 'commander'
import { MOMENTS, type Moment, type Recall } from '../model/cue.ts'
import { type Weighing, weighing } from '../model/policy.ts'
import { countText, numberText } from '../report/amount.ts'
import { breakdownTable } from '../report/breakdown.ts'
import { plain, wrapped } from '../report/width.ts'
import { exclusionLines } from './exclusionLines.ts'
import { aboutStore, type StoreOptions, several, storeRead, wholeNumber } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { ID_SHOWN } from './memoryLines.ts'

interface Words extends StoreOptions {
  readonly file?: readonly string[]
  readonly command?: string
  readonly error?: string
  readonly branch?: string
  readonly role?: string
  readonly moment: Moment
  readonly limit?: number
  readonly explain?: boolean
}

export function registerRecall(program: Command, io: Io): void {
  aboutStore(
    program.command('recall').description('what would be injected for a cue, within thresholds and budget, and why'),
  )
    .argument('[cue...]', 'words, as a prompt would have them')
    .option('--file <path>', 'a file at hand; may be given again', several)
    .option('--command <command>', 'a command about to be run')
    .option('--error <text>', 'an error met')
    .option('--branch <name>', 'the branch worked on')
    .option('--role <role>', 'for an agent of this role (default: the main conversation)')
    .addOption(new Option('--moment <moment>', 'whose limits hold').choices(MOMENTS).default('ask'))
    .option('--limit <n>', 'memories at most', wholeNumber(1))
    .option('--explain', 'how each score comes about: feature × weight')
    .action(async (cue: readonly string[], words: Words) => {
      const [{ ask }, { servingPolicy }] = await Promise.all([
        import('../broker/search/ask.ts'),
        import('../broker/policy/served.ts'),
      ])
      const store = await storeRead(words, io)
      const { file, command, error, branch, role, moment, limit } = words
      const question = {
        ...{ text: cue.join(' '), moment, now: Date.now() },
        ...(file && { files: file }),
        ...(command && { command }),
        ...(error && { error }),
        ...(branch && { branch }),
        ...(role && { role }),
        ...(limit && { topK: limit }),
      }
      const { policy } = servingPolicy(store)
      tell(io, words.json, ask(store, question), (recall, page) =>
        rendered(recall, page, words.explain ? weighing(policy.recall, moment) : undefined),
      )
    })
}

function rendered(recall: Recall, page: Page, explained: Weighing | undefined): string[] {
  const { palette, columns } = page
  const rules = recall.rules?.flatMap((rule) => exclusionLines(rule, Date.now())) ?? []
  const ruled = rules.length === 0 ? [] : ['Left out, because it never helped:', ...rules.map((line) => `  ${line}`)]
  if (recall.shown.length === 0) {
    const others = recall.others.length
    const near =
      others === 0 ? '' : ` ${countText(others, 'memory', 'memories')} came near and stayed under the limits.`
    return [`Nothing would be told.${near}`, ...ruled]
  }
  if (!explained) return [...wrapped(plain(recall.text), columns), ...ruled]
  const shown = recall.shown.flatMap(({ memory, score, features }) => [
    `${palette.bold(numberText(score))} ${memory.kind} ${palette.dim(memory.id.slice(0, ID_SHOWN))}`,
    ...wrapped(plain(memory.content), columns - 2).map((line) => `  ${line}`),
    ...breakdownTable(features, explained, columns - 4, { head: palette.dim }).map((line) => `    ${line}`),
    '',
  ])
  return [...shown, ...ruled]
}
