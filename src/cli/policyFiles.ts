// Policies as files: memctl policy validate, export, import.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { MemoryError } from '../model/errors.ts'
import { countText } from '../report/amount.ts'
import { takeChoice } from './config.ts'
import { BadNews } from './exit.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, tell } from './io.ts'

interface Validated {
  readonly file: string
  readonly valid: boolean
  readonly faults: readonly {
    readonly line: number
    readonly path: string
    readonly what: string
    readonly mend: string
  }[]
}

export function registerPolicyFiles(policy: Command, io: Io): void {
  policy
    .command('validate')
    .description(
      'check policy files; without one, what is chosen in config.yaml. Exit status 2 when something is wrong',
    )
    .argument('[file...]')
    .option('--project <dir>', 'a folder of the project (default: where you are)')
    .option('--json', 'answer as one line of JSON')
    .action(async (files: readonly string[], words: StoreOptions) => {
      const results = files.length > 0 ? await validated(files, words, io) : [await choiceValidated(words, io)]
      const valid = results.every((one) => one.valid)
      tell(io, words.json, { valid, files: results }, ({ files: all }) => all.flatMap(validatedLines))
      if (!valid) throw new BadNews(2)
    })
  policy
    .command('schema')
    .description('the JSON schema of a policy file, for editors')
    .action(async () => {
      const { policySchema } = await import('../broker/policy/schema.ts')
      io.out.write(`${JSON.stringify(policySchema(), null, 2)}\n`)
    })
  aboutStore(policy.command('export').description('what was learned here, as a file another project can import'))
    .option('--out <file>', 'write it there (default: to the screen)')
    .option('--whole', 'the policy that serves, with every number and what it means')
    .action(async (words: StoreOptions & { readonly out?: string; readonly whole?: boolean }) => {
      const store = await storeGiven(words, io)
      const now = Date.now()
      await takeChoice(store, now)
      const { text, about } = words.whole ? await wholePolicy(store) : await learnedPolicy(store, now)
      if (words.out === undefined) {
        if (words.json) tell(io, true, { text }, () => [])
        else io.out.write(text)
        return
      }
      const file = path.resolve(io.cwd, words.out)
      written(file, text)
      tell(io, words.json, { file }, () => [`${about}: ${file}`])
    })
  aboutStore(
    policy.command('import').description('take what another project has learned; its own evidence then decides'),
  )
    .argument('<file>', 'what `memctl policy export` wrote there; - for stdin')
    .option('--dry-run', 'check it and say what it holds, and take nothing')
    .action(async (file: string, words: StoreOptions & { readonly dryRun?: boolean }) => {
      const { imported } = await import('../broker/policy/carry.ts')
      const store = await storeGiven(words, io)
      const now = Date.now()
      await takeChoice(store, now)
      const text = file === '-' ? io.stdin() : textOf(path.resolve(io.cwd, file))
      const result = imported(store, { text, file, now, dryRun: words.dryRun })
      tell(io, words.json, result, ({ carried, version, changed }) => {
        const held = `${countText(Object.keys(carried.values).length, 'number')} learned in ${carried.from} (its version ${carried.version})`
        if (words.dryRun) return [`It holds ${held}; nothing was taken.`]
        return [changed ? `Took ${held}; this is version ${version} here.` : 'Those numbers serve already.']
      })
    })
}

type Store = Awaited<ReturnType<typeof storeGiven>>

async function learnedPolicy(store: Store, now: number): Promise<{ text: string; about: string }> {
  const { exported } = await import('../broker/policy/carry.ts')
  return { text: exported(store, now).text, about: 'What was learned' }
}

async function wholePolicy(store: Store): Promise<{ text: string; about: string }> {
  const [{ servingPolicy }, { policyYaml }] = await Promise.all([
    import('../broker/policy/served.ts'),
    import('../broker/policy/yaml.ts'),
  ])
  const { policy } = servingPolicy(store)
  return {
    text: policyYaml(policy, [`The policy that serves in ${store.project.name}.`]),
    about: 'The policy that serves',
  }
}

async function validated(files: readonly string[], words: StoreOptions, io: Io): Promise<Validated[]> {
  const { policyWithFaults } = await import('../broker/policy/shelf.ts')
  const { hintOf } = await import('../broker/policy/text.ts')
  const store = await storeGiven(words, io)
  return files.map((file) => {
    const { faults } = policyWithFaults(store.files, path.resolve(io.cwd, file))
    const listed = faults.map((fault) => ({
      line: fault.line,
      path: fault.path,
      what: fault.what,
      mend: hintOf(fault),
    }))
    return { file, valid: faults.length === 0, faults: listed }
  })
}

/** The choice is valid, or this throws what is wrong with it. */
async function choiceValidated(words: StoreOptions, io: Io): Promise<Validated> {
  const { policyChosen } = await import('../broker/policy/choice.ts')
  const { policy, from } = policyChosen(await storeGiven(words, io))
  return { file: from ?? `policy ${policy.name}, as shipped`, valid: true, faults: [] }
}

const validatedLines = ({ file, faults }: Validated): string[] =>
  faults.length === 0
    ? [`${file}: valid.`]
    : faults.map(({ line, what, mend }) => `${file}, line ${line}: ${what}. ${mend}`)

function textOf(file: string): string {
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8')
  throw new MemoryError('NOT_FOUND', `There is no file ${file}`, {
    mend: 'Give what `memctl policy export` has written.',
  })
}

function written(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text)
  } catch (cause) {
    throw new MemoryError('STORE_UNWRITABLE', `${file} cannot be written`, {
      mend: 'Give another file with --out.',
      cause,
    })
  }
}
