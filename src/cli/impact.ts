// memctl impact: what a memory gave, said by a person.
import { type Command, InvalidArgumentError } from 'commander'
import type { Impacted } from '../broker/impact.ts'
import { IMPACTS, type ImpactKind } from '../model/strength.ts'
import { numberText } from '../report/amount.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, tell } from './io.ts'
import { ID_SHOWN } from './memoryLines.ts'

interface Words extends StoreOptions {
  readonly perspective?: string
}

export function registerImpact(program: Command, io: Io): void {
  aboutStore(program.command('impact').description('say what a memory gave; one from the archive comes back by it'))
    .argument('<id>', 'its id, or how it begins')
    .argument('<kind>', IMPACTS.join(', '), impactKind)
    .option('--perspective <name>', 'what it was good for, such as cost: its strength under that name grows too')
    .action(async (id: string, kind: ImpactKind, words: Words) => {
      const { noteImpact } = await import('../broker/impact.ts')
      const result = noteImpact(await storeGiven(words, io), {
        prefix: id,
        impact: kind,
        perspective: words.perspective,
        now: Date.now(),
      })
      tell(io, words.json, result, impactLines)
    })
}

function impactKind(text: string): ImpactKind {
  const kind = IMPACTS.find((one) => one === text)
  if (kind === undefined) throw new InvalidArgumentError(`There is ${IMPACTS.join(', ')}.`)
  return kind
}

function impactLines({ before, after }: Impacted): string[] {
  const moved = (name: string, from: number, to: number): string => `${name} ${numberText(from)} → ${numberText(to)}`
  const changes = [
    moved('strength', before.strength, after.strength),
    moved('impact', before.impactScore, after.impactScore),
    ...(before.status === after.status ? [] : ['back from the archive']),
  ]
  return [`${after.kind} ${after.id.slice(0, ID_SHOWN)}: ${changes.join(', ')}.`]
}
