// memctl doctor --embedder and rebuild --vectors: the configured embedder, and its vectors.
import type { EmbedderStatus } from '../../broker/embedding/embedderStatus.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatDuration } from '../../report/formatTime.ts'
import { createPalette } from '../../report/palette.ts'
import { createProgressBar, type ProgressBar } from '../../report/progressBar.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'

/** Prints the configured embedder and its vectors. With `probe` it also asks the embedder for one. */
export async function printEmbedder(
  options: StoreOptions & { readonly probe?: boolean },
  io: CliContext,
): Promise<void> {
  const { readEmbedderStatus } = await import('../../broker/embedding/embedderStatus.ts')
  const status = await readEmbedderStatus(await openSelectedStore(options, io), io.env, options.probe === true)
  printResult(io, options.json, status, formatStatus)
}

/** Computes all vectors again, with the configured embedder. */
export async function rebuildVectors(options: StoreOptions, io: CliContext): Promise<void> {
  const [{ readEmbedderConfig }, { embedWithConfig }] = await Promise.all([
    import('../../broker/embedding/embedderConfig.ts'),
    import('../../broker/embedding/reembed.ts'),
  ])
  const store = await openSelectedStore(options, io)
  const config = readEmbedderConfig(store)
  const startMs = Date.now()
  let bar: ProgressBar | undefined
  const progress = (done: number, total: number): void => {
    bar ??= createProgressBar(io.err, createPalette(io.err, io.env), total, options.json)
    bar.setDone(done, config.kind)
  }
  try {
    const embedded = await embedWithConfig(store, config, io.env, { all: true, progress })
    const result = { embedder: config.kind, embedded, ms: Date.now() - startMs }
    bar?.clear()
    printResult(io, options.json, result, ({ embedder, ms }) => [
      `Embedded ${formatCount(embedded, 'text')} with ${embedder} in ${formatDuration(ms)}.`,
    ])
  } finally {
    bar?.clear()
  }
}

function formatStatus(status: EmbedderStatus): string[] {
  const { configured, model, dimensions, memories, embedded, matchesConfig, probe } = status
  const { kind, ...rest } = configured
  const fields = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`)
  const lines = [
    `Configured  ${[kind, ...fields].join(', ')}`,
    `Vectors     ${model === '' ? 'none yet' : `${model}, ${dimensions} numbers each`}`,
    `Memories    ${embedded} of ${formatCount(memories, 'active memory', 'active memories')} embedded`,
  ]
  if (!matchesConfig) {
    lines.push(
      'The vectors belong to another embedder: run `memctl rebuild --vectors`, or wait until the next session ends.',
    )
  }
  if (probe) lines.push(`Probe       ${'fault' in probe ? `${probe.fault}. ${probe.hint}` : `${probe.id} answers`}`)
  return lines
}
