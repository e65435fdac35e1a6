// memctl embed: who makes vectors of memories. status looks, switch chooses another and embeds anew, rebuild embeds anew.
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { EmbedderConfig } from '../../broker/embedding/embedderConfig.ts'
import { EMBEDDER_KINDS, type EmbedderKind } from '../../broker/embedding/embedderKinds.ts'
import type { EmbedderStatus } from '../../broker/embedding/embedderStatus.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatDuration } from '../../report/formatTime.ts'
import { createPalette } from '../../report/palette.ts'
import { createProgressBar } from '../../report/progressBar.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { integerOption, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface SwitchWords extends StoreOptions, Omit<EmbedderConfig, 'kind'> {}

export function registerEmbed(program: Command, io: CliContext): void {
  const embed = program.command('embed').description('who makes vectors of memories, for search by meaning')
  withStoreOptions(
    embed.command('status').description('which embedder is chosen, whose vectors there are, what has none'),
  )
    .option('--try', 'ask the embedder for one vector too (a service may charge for it)')
    .action(async (words: StoreOptions & { try?: boolean }) => {
      const { readEmbedderStatus } = await import('../../broker/embedding/embedderStatus.ts')
      printResult(
        io,
        words.json,
        await readEmbedderStatus(await openSelectedStore(words, io), io.env, words.try === true),
        statusLines,
      )
    })
  withStoreOptions(embed.command('switch').description('choose an embedder in config.yaml, and make its vectors'))
    .argument('<embedder>', EMBEDDER_KINDS.join(', '), embedderNamed)
    .option('--model <name>', "a model's name at the service or the hub")
    .option('--folder <dir>', 'transformers: a folder with the model; nothing is fetched')
    .option('--cache-folder <dir>', 'transformers: where a model from the hub is kept')
    .addOption(
      new Option('--quantized <yes|no>', 'transformers: model_quantized.onnx or model.onnx').argParser(yesOrNo),
    )
    .option('--endpoint <url>', 'openai, azure: the address')
    .option('--key-env <name>', 'openai, azure: the environment variable that holds the key')
    .option('--deployment <name>', "azure: the deployment's name")
    .option('--api-version <version>', 'azure: the API version')
    .option('--dimensions <n>', 'how long the vectors are to be', integerOption(1))
    .action(async (kind: EmbedderKind, options: SwitchWords) => {
      const store = await openSelectedStore(options, io)
      const { writeEmbedderConfig, parseEmbedderConfig } = await import('../../broker/embedding/embedderConfig.ts')
      const choice = parseEmbedderConfig({ kind, ...chosenFields(options) }, (field) =>
        field ? `--${field}` : 'the command',
      )
      // Chosen only once its vectors are there: whoever mistypes an address keeps the embedder that works.
      const done = await embedded(store, choice, io, options)
      writeEmbedderConfig(store, choice)
      told(io, options, choice, done)
    })
  withStoreOptions(embed.command('rebuild').description('make all vectors anew with the chosen embedder')).action(
    async (options: StoreOptions) => {
      const store = await openSelectedStore(options, io)
      const { readEmbedderConfig } = await import('../../broker/embedding/embedderConfig.ts')
      const choice = readEmbedderConfig(store)
      told(io, options, choice, await embedded(store, choice, io, options))
    },
  )
}

const FIELDS = [
  ...(['model', 'folder', 'cacheFolder', 'quantized', 'endpoint'] as const),
  ...(['keyEnv', 'deployment', 'apiVersion', 'dimensions'] as const),
]

const chosenFields = (options: SwitchWords): Partial<EmbedderConfig> =>
  Object.fromEntries(FIELDS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))

interface Done {
  readonly embedded: number
  readonly ms: number
}

async function embedded(store: Store, choice: EmbedderConfig, io: CliContext, options: StoreOptions): Promise<Done> {
  const { embedWithConfig } = await import('../../broker/embedding/reembed.ts')
  const began = Date.now()
  let bar: ReturnType<typeof createProgressBar> | undefined
  const progress = (done: number, total: number): void => {
    bar ??= createProgressBar(io.err, createPalette(io.err, io.env), total, options.json)
    bar.setDone(done, choice.kind)
  }
  try {
    const embedded = await embedWithConfig(store, choice, io.env, { all: true, progress })
    return { embedded, ms: Date.now() - began }
  } finally {
    bar?.clear()
  }
}

const told = (io: CliContext, options: StoreOptions, { kind }: EmbedderConfig, done: Done): void =>
  printResult(io, options.json, { embedder: kind, ...done }, () => [
    `Embedded ${formatCount(done.embedded, 'text')} with ${kind} in ${formatDuration(done.ms)}.`,
  ])

function statusLines({
  configured,
  model,
  dimensions,
  memories,
  embedded,
  matchesConfig,
  probe,
}: EmbedderStatus): string[] {
  const { kind, ...fields } = configured
  const told = Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`)
  return [
    `Chosen    ${[kind, ...told].join(', ')}`,
    `Vectors   ${model === '' ? 'none yet' : `${model}, ${dimensions} numbers each`}`,
    `Memories  ${embedded} of ${formatCount(memories, 'active memory', 'active memories')} embedded`,
    ...(matchesConfig
      ? []
      : ['The vectors are of another embedder: `memctl embed rebuild`, or wait for the next session to end.']),
    ...(probe === undefined
      ? []
      : 'fault' in probe
        ? [`Tried     ${probe.fault}. ${probe.hint}`]
        : [`Tried     ${probe.id} answers`]),
  ]
}

function embedderNamed(text: string): EmbedderKind {
  const name = EMBEDDER_KINDS.find((one) => one === text)
  if (name === undefined) throw new InvalidArgumentError(`There is ${EMBEDDER_KINDS.join(', ')}.`)
  return name
}

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('It is yes or no.')
  return text === 'yes'
}
