// memctl embed: shows the embedder and its vectors, switches to another one, or recomputes all vectors.
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { EmbedderConfig } from '../../broker/embedding/embedderConfig.ts'
import { EMBEDDER_KINDS, type EmbedderKind } from '../../broker/embedding/embedderKinds.ts'
import type { EmbedderStatus } from '../../broker/embedding/embedderStatus.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatDuration } from '../../report/formatTime.ts'
import { createPalette } from '../../report/palette.ts'
import { createProgressBar, type ProgressBar } from '../../report/progressBar.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { integerOption, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface SwitchOptions extends StoreOptions, Omit<EmbedderConfig, 'kind'> {}

export function registerEmbed(program: Command, io: CliContext): void {
  const embed = program.command('embed').description('manage the embedder that makes vectors for semantic search')
  withStoreOptions(embed.command('status'))
    .description('show the configured embedder, the stored vectors, and how many memories have no vector')
    .option('--probe', 'also request one vector from the embedder (a service may charge for it)')
    .action(async (options: StoreOptions & { readonly probe?: boolean }) => {
      const { readEmbedderStatus } = await import('../../broker/embedding/embedderStatus.ts')
      const status = await readEmbedderStatus(await openSelectedStore(options, io), io.env, options.probe === true)
      printResult(io, options.json, status, formatStatus)
    })
  withStoreOptions(embed.command('switch').description('set the embedder in config.yaml and compute all vectors'))
    .addArgument(new Argument('<embedder>', 'the embedder').choices(EMBEDDER_KINDS))
    .option('--model <name>', 'the name of a model of the service or the hub')
    .option('--folder <dir>', 'transformers: a folder with the model; nothing is downloaded')
    .option('--cache-folder <dir>', 'transformers: the folder for models from the hub')
    .addOption(
      new Option('--quantized <yes|no>', 'transformers: model_quantized.onnx or model.onnx').argParser(yesOrNo),
    )
    .option('--endpoint <url>', 'openai, azure: the address of the service')
    .option('--key-env <name>', 'openai, azure: the environment variable that holds the key')
    .option('--deployment <name>', 'azure: the name of the deployment')
    .option('--api-version <version>', 'azure: the API version')
    .option('--dimensions <n>', 'the number of dimensions of a vector', integerOption(1))
    .action(async (kind: EmbedderKind, options: SwitchOptions) => {
      const store = await openSelectedStore(options, io)
      const { writeEmbedderConfig, parseEmbedderConfig } = await import('../../broker/embedding/embedderConfig.ts')
      const optionName = (field: string | undefined): string => (field ? `--${field}` : 'the command')
      const config = parseEmbedderConfig({ kind, ...configFields(options) }, optionName)
      // The config changes only after its vectors exist: with a wrong address the old embedder stays.
      await embedAll(store, config, { options, io, onEmbedded: () => writeEmbedderConfig(store, config) })
    })
  withStoreOptions(embed.command('rebuild').description('recompute all vectors with the configured embedder')).action(
    async (options: StoreOptions) => {
      const store = await openSelectedStore(options, io)
      const { readEmbedderConfig } = await import('../../broker/embedding/embedderConfig.ts')
      await embedAll(store, readEmbedderConfig(store), { options, io })
    },
  )
}

const CONFIG_FIELDS = [
  'model',
  'folder',
  'cacheFolder',
  'quantized',
  'endpoint',
  'keyEnv',
  'deployment',
  'apiVersion',
  'dimensions',
] as const

const configFields = (options: SwitchOptions): Partial<EmbedderConfig> =>
  Object.fromEntries(CONFIG_FIELDS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))

async function embedAll(
  store: Store,
  config: EmbedderConfig,
  { options, io, onEmbedded }: { options: StoreOptions; io: CliContext; onEmbedded?: () => void },
): Promise<void> {
  const { embedWithConfig } = await import('../../broker/embedding/reembed.ts')
  const startMs = Date.now()
  let bar: ProgressBar | undefined
  const progress = (done: number, total: number): void => {
    bar ??= createProgressBar(io.err, createPalette(io.err, io.env), total, options.json)
    bar.setDone(done, config.kind)
  }
  try {
    const embedded = await embedWithConfig(store, config, io.env, { all: true, progress })
    const result = { embedder: config.kind, embedded, ms: Date.now() - startMs }
    onEmbedded?.()
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
      'The vectors belong to another embedder: run `memctl embed rebuild`, or wait until the next session ends.',
    )
  }
  if (probe) lines.push(`Probe       ${'fault' in probe ? `${probe.fault}. ${probe.hint}` : `${probe.id} answers`}`)
  return lines
}

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('Use yes or no.')
  return text === 'yes'
}
