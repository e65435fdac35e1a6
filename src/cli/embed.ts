// memctl embed: who makes vectors of memories. status looks, switch chooses another and embeds anew, rebuild embeds anew.
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { EmbedderChoice } from '../broker/embed/choice.ts'
import { EMBEDDERS, type EmbedderKind } from '../broker/embed/kinds.ts'
import type { EmbedStatus } from '../broker/embed/status.ts'
import type { Store } from '../broker/store.ts'
import { countText } from '../report/amount.ts'
import { paletteFor } from '../report/colour.ts'
import { progressOn } from '../report/progress.ts'
import { spanText } from '../report/time.ts'
import { aboutStore, type StoreOptions, storeGiven, wholeNumber } from './given.ts'
import { type Io, tell } from './io.ts'

interface SwitchWords extends StoreOptions, Omit<EmbedderChoice, 'kind'> {}

export function registerEmbed(program: Command, io: Io): void {
  const embed = program.command('embed').description('who makes vectors of memories, for search by meaning')
  aboutStore(embed.command('status').description('which embedder is chosen, whose vectors there are, what has none'))
    .option('--try', 'ask the embedder for one vector too (a service may charge for it)')
    .action(async (words: StoreOptions & { try?: boolean }) => {
      const { embedStatus } = await import('../broker/embed/status.ts')
      tell(io, words.json, await embedStatus(await storeGiven(words, io), io.env, words.try === true), statusLines)
    })
  aboutStore(embed.command('switch').description('choose an embedder in config.yaml, and make its vectors'))
    .argument('<embedder>', EMBEDDERS.join(', '), embedderNamed)
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
    .option('--dimensions <n>', 'how long the vectors are to be', wholeNumber(1))
    .action(async (kind: EmbedderKind, words: SwitchWords) => {
      const store = await storeGiven(words, io)
      const { chooseEmbedder, choiceIn } = await import('../broker/embed/choice.ts')
      const choice = choiceIn({ kind, ...chosenFields(words) }, (field) => (field ? `--${field}` : 'the command'))
      // Chosen only once its vectors are there: whoever mistypes an address keeps the embedder that works.
      const done = await embedded(store, choice, io, words)
      chooseEmbedder(store, choice)
      told(io, words, choice, done)
    })
  aboutStore(embed.command('rebuild').description('make all vectors anew with the chosen embedder')).action(
    async (words: StoreOptions) => {
      const store = await storeGiven(words, io)
      const { embedderChosen } = await import('../broker/embed/choice.ts')
      const choice = embedderChosen(store)
      told(io, words, choice, await embedded(store, choice, io, words))
    },
  )
}

const FIELDS = [
  ...(['model', 'folder', 'cacheFolder', 'quantized', 'endpoint'] as const),
  ...(['keyEnv', 'deployment', 'apiVersion', 'dimensions'] as const),
]

const chosenFields = (words: SwitchWords): Partial<EmbedderChoice> =>
  Object.fromEntries(FIELDS.flatMap((name) => (words[name] === undefined ? [] : [[name, words[name]]])))

interface Done {
  readonly embedded: number
  readonly ms: number
}

async function embedded(store: Store, choice: EmbedderChoice, io: Io, words: StoreOptions): Promise<Done> {
  const { embedAs } = await import('../broker/embed/chosen.ts')
  const began = Date.now()
  let bar: ReturnType<typeof progressOn> | undefined
  const progress = (done: number, total: number): void => {
    bar ??= progressOn(io.err, paletteFor(io.err, io.env), total, words.json)
    bar.reach(done, choice.kind)
  }
  try {
    const embedded = await embedAs(store, choice, io.env, { fresh: true, progress })
    return { embedded, ms: Date.now() - began }
  } finally {
    bar?.end()
  }
}

const told = (io: Io, words: StoreOptions, { kind }: EmbedderChoice, done: Done): void =>
  tell(io, words.json, { embedder: kind, ...done }, () => [
    `Embedded ${countText(done.embedded, 'text')} with ${kind} in ${spanText(done.ms)}.`,
  ])

function statusLines({ chosen, model, dimensions, memories, embedded, fits, tried }: EmbedStatus): string[] {
  const { kind, ...fields } = chosen
  const told = Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`)
  return [
    `Chosen    ${[kind, ...told].join(', ')}`,
    `Vectors   ${model === '' ? 'none yet' : `${model}, ${dimensions} numbers each`}`,
    `Memories  ${embedded} of ${countText(memories, 'active memory', 'active memories')} embedded`,
    ...(fits
      ? []
      : ['The vectors are of another embedder: `memctl embed rebuild`, or wait for the next session to end.']),
    ...(tried === undefined
      ? []
      : 'fault' in tried
        ? [`Tried     ${tried.fault}. ${tried.mend}`]
        : [`Tried     ${tried.id} answers`]),
  ]
}

function embedderNamed(text: string): EmbedderKind {
  const name = EMBEDDERS.find((one) => one === text)
  if (name === undefined) throw new InvalidArgumentError(`There is ${EMBEDDERS.join(', ')}.`)
  return name
}

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('It is yes or no.')
  return text === 'yes'
}
