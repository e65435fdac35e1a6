// memctl impact: what a memory gave, said by a person.
import { type Command, InvalidArgumentError } from 'commander'
import type { ImpactResult } from '../../broker/commands/recordImpact.ts'
import { IMPACT_KINDS, type ImpactKind } from '../../model/strength.ts'
import { formatNumber } from '../../report/formatNumber.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { ID_CHARS_SHOWN } from '../format/memoryText.ts'

interface Words extends StoreOptions {
  readonly perspective?: string
}

export function registerImpact(program: Command, io: CliContext): void {
  withStoreOptions(
    program.command('impact').description('say what a memory gave; one from the archive comes back by it'),
  )
    .argument('<id>', 'its id, or how it begins')
    .argument('<kind>', IMPACT_KINDS.join(', '), impactKind)
    .option('--perspective <name>', 'what it was good for, such as cost: its strength under that name grows too')
    .action(async (id: string, kind: ImpactKind, options: Words) => {
      const { recordImpact } = await import('../../broker/commands/recordImpact.ts')
      const result = recordImpact(await openSelectedStore(options, io), {
        prefix: id,
        impact: kind,
        perspective: options.perspective,
        now: Date.now(),
      })
      printResult(io, options.json, result, impactLines)
    })
}

function impactKind(text: string): ImpactKind {
  const kind = IMPACT_KINDS.find((one) => one === text)
  if (kind === undefined) throw new InvalidArgumentError(`There is ${IMPACT_KINDS.join(', ')}.`)
  return kind
}

function impactLines({ before, after }: ImpactResult): string[] {
  const moved = (name: string, from: number, to: number): string =>
    `${name} ${formatNumber(from)} → ${formatNumber(to)}`
  const changes = [
    moved('strength', before.strength, after.strength),
    moved('impact', before.impactScore, after.impactScore),
    ...(before.status === after.status ? [] : ['back from the archive']),
  ]
  return [`${after.kind} ${after.id.slice(0, ID_CHARS_SHOWN)}: ${changes.join(', ')}.`]
}
