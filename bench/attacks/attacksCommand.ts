// `npm run -s eval -- attacks`: what later sessions are injected of attack texts that reached the log.
import type { Command } from 'commander'
import type { CliContext } from '../../src/cli/context/cliContext.ts'
import { ATTACK_TEXTS } from './attackTexts.ts'
import { CHANNELS } from './channels.ts'
import { LATER_ATTACK_TEXTS } from './laterAttackTexts.ts'
import { type Finding, findAttack } from './measure.ts'

interface AttackOptions {
  readonly later?: true
  readonly channel?: string
  readonly list?: true
  readonly step: string
}

export function registerAttacks(program: Command, io: CliContext): void {
  program
    .command('attacks')
    .description('Attack texts through every channel: what of them is injected later')
    .option('--later', 'the second set of texts, written after the defence')
    .option('--channel <name>', 'only this channel')
    .option('--step <number>', 'only every n-th text', '1')
    .option('--list', 'one line for each finding')
    .action(({ later, channel, list, step }: AttackOptions) => {
      const attacks = (later ? LATER_ATTACK_TEXTS : ATTACK_TEXTS).filter((_, i) => i % Number(step) === 0)
      const head = ['channel', 'texts', 'at a start', 'as the person’s', 'unmarked', 'quoted as output']
      io.out.write(`| ${head.join(' | ')} |\n|---|---:|---:|---:|---:|---:|\n`)
      const all: Finding[] = []
      const count = (findings: readonly Finding[], kind: Finding['kind']): number =>
        new Set(findings.filter((finding) => finding.kind === kind).map((finding) => finding.attack)).size
      const writeRow = (name: string, findings: readonly Finding[], texts: number): void => {
        const counts = (['start', 'person', 'unmarked', 'marked'] as const).map((kind) => count(findings, kind))
        io.out.write(`| ${[name, texts, ...counts].join(' | ')} |\n`)
      }
      for (const each of CHANNELS.filter(({ name }) => channel === undefined || name === channel)) {
        const findings = attacks.flatMap((attack, turn) => findAttack(attack, each, turn))
        writeRow(each.name, findings, attacks.length)
        all.push(...findings)
      }
      writeRow('all', all, attacks.length)
      if (list)
        for (const { channel: from, where, kind, line } of all.filter((finding) => finding.kind !== 'marked'))
          io.out.write(`${kind} · ${from} · ${where} · ${line}\n`)
    })
}
