// Policies as files: memctl policy validate, export, import.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { applyPolicyChoice } from '../context/applyConfig.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { ExitStatus } from '../context/exitStatus.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface Validated {
  readonly file: string
  readonly valid: boolean
  readonly issues: readonly {
    readonly line: number
    readonly path: string
    readonly what: string
    readonly hint: string
  }[]
}

export function registerPolicyFiles(policy: Command, io: CliContext): void {
  policy
    .command('validate')
    .description(
      'check policy files; without one, what is chosen in config.yaml. Exit status 2 when something is wrong',
    )
    .argument('[file...]')
    .option('--project <dir>', 'a folder of the project (default: where you are)')
    .option('--json', 'answer as one line of JSON')
    .action(async (files: readonly string[], options: StoreOptions) => {
      const results = files.length > 0 ? await validated(files, options, io) : [await choiceValidated(options, io)]
      const valid = results.every((one) => one.valid)
      printResult(io, options.json, { valid, files: results }, ({ files: all }) => all.flatMap(validatedLines))
      if (!valid) throw new ExitStatus(2)
    })
  policy
    .command('schema')
    .description('the JSON schema of a policy file, for editors')
    .action(async () => {
      const { buildPolicyJsonSchema } = await import('../../broker/policy/policyJsonSchema.ts')
      io.out.write(`${JSON.stringify(buildPolicyJsonSchema(), null, 2)}\n`)
    })
  withStoreOptions(policy.command('export').description('what was learned here, as a file another project can import'))
    .option('--out <file>', 'write it there (default: to the screen)')
    .option('--whole', 'the policy that serves, with every number and what it means')
    .action(async (words: StoreOptions & { readonly out?: string; readonly whole?: boolean }) => {
      const store = await openSelectedStore(words, io)
      const now = Date.now()
      await applyPolicyChoice(store, now)
      const { text, about } = words.whole ? await wholePolicy(store) : await learnedPolicy(store, now)
      if (words.out === undefined) {
        if (words.json) printResult(io, true, { text }, () => [])
        else io.out.write(text)
        return
      }
      const file = path.resolve(io.cwd, words.out)
      written(file, text)
      printResult(io, words.json, { file }, () => [`${about}: ${file}`])
    })
  withStoreOptions(
    policy.command('import').description('take what another project has learned; its own evidence then decides'),
  )
    .argument('<file>', 'what `memctl policy export` wrote there; - for stdin')
    .option('--dry-run', 'check it and say what it holds, and take nothing')
    .action(async (file: string, words: StoreOptions & { readonly dryRun?: boolean }) => {
      const { importPolicy } = await import('../../broker/commands/policyExchange.ts')
      const store = await openSelectedStore(words, io)
      const now = Date.now()
      await applyPolicyChoice(store, now)
      const text = file === '-' ? io.stdin() : textOf(path.resolve(io.cwd, file))
      const result = importPolicy(store, { text, file, now, dryRun: words.dryRun })
      printResult(io, words.json, result, ({ carried, version, changed }) => {
        const held = `${formatCount(Object.keys(carried.values).length, 'number')} learned in ${carried.from} (its version ${carried.version})`
        if (words.dryRun) return [`It holds ${held}; nothing was taken.`]
        return [changed ? `Took ${held}; this is version ${version} here.` : 'Those numbers serve already.']
      })
    })
}

type Store = Awaited<ReturnType<typeof openSelectedStore>>

async function learnedPolicy(store: Store, now: number): Promise<{ text: string; about: string }> {
  const { exportPolicy } = await import('../../broker/commands/policyExchange.ts')
  return { text: exportPolicy(store, now).text, about: 'What was learned' }
}

async function wholePolicy(store: Store): Promise<{ text: string; about: string }> {
  const [{ readActivePolicy }, { formatPolicyYaml }] = await Promise.all([
    import('../../broker/policy/activePolicy.ts'),
    import('../../broker/policy/policyYaml.ts'),
  ])
  const { policy } = readActivePolicy(store)
  return {
    text: formatPolicyYaml(policy, [`The policy that serves in ${store.project.name}.`]),
    about: 'The policy that serves',
  }
}

async function validated(files: readonly string[], options: StoreOptions, io: CliContext): Promise<Validated[]> {
  const { loadPolicyWithIssues } = await import('../../broker/policy/policyRegistry.ts')
  const { hintOf } = await import('../../broker/policy/parsePolicy.ts')
  const store = await openSelectedStore(options, io)
  return files.map((file) => {
    const { issues } = loadPolicyWithIssues(store.files, path.resolve(io.cwd, file))
    const listed = issues.map((issue) => ({
      line: issue.line,
      path: issue.path,
      what: issue.what,
      hint: hintOf(issue),
    }))
    return { file, valid: issues.length === 0, issues: listed }
  })
}

/** The choice is valid, or this throws what is wrong with it. */
async function choiceValidated(options: StoreOptions, io: CliContext): Promise<Validated> {
  const { resolveConfiguredPolicy } = await import('../../broker/commands/configuredPolicy.ts')
  const { policy, sourceFile } = resolveConfiguredPolicy(await openSelectedStore(options, io))
  return { file: sourceFile ?? `policy ${policy.name}, as shipped`, valid: true, issues: [] }
}

const validatedLines = ({ file, issues }: Validated): string[] =>
  issues.length === 0
    ? [`${file}: valid.`]
    : issues.map(({ line, what, hint }) => `${file}, line ${line}: ${what}. ${hint}`)

function textOf(file: string): string {
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8')
  throw new MemoryError('NOT_FOUND', `There is no file ${file}`, {
    hint: 'Give what `memctl policy export` has written.',
  })
}

function written(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text)
  } catch (cause) {
    throw new MemoryError('STORE_UNWRITABLE', `${file} cannot be written`, {
      hint: 'Give another file with --out.',
      cause,
    })
  }
}
