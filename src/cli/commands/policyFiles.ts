// Policies as files: memctl policy validate, schema, export and import.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { applyPolicyChoice } from '../context/applyConfig.ts'
import { type CliContext, ExitStatus, printResult } from '../context/cliContext.ts'
import { readInputFile } from '../context/readInputFile.ts'
import {
  openSelectedStore,
  type StoreOptions,
  withJsonOption,
  withProjectOption,
  withStoreOptions,
} from '../context/storeOption.ts'

interface ValidatedFile {
  readonly file: string
  readonly valid: boolean
  readonly issues: readonly {
    readonly line: number
    readonly path: string
    readonly what: string
    readonly hint: string
  }[]
}

interface ExportOptions extends StoreOptions {
  readonly out?: string
  readonly full?: boolean
}

export function registerPolicyFiles(policy: Command, io: CliContext): void {
  const validateAbout = 'check policy files, or the configured policy; the exit status is 2 if a policy is invalid'
  withJsonOption(withProjectOption(policy.command('validate').description(validateAbout).argument('[file...]'))).action(
    async (names: readonly string[], options: StoreOptions) => {
      const store = await openSelectedStore(options, io)
      const files = names.length > 0 ? await validateFiles(store, names, io) : [await validateConfigured(store)]
      const valid = files.every((file) => file.valid)
      printResult(io, options.json, { valid, files }, () => files.flatMap(formatValidated))
      if (!valid) throw new ExitStatus(2)
    },
  )
  policy
    .command('schema')
    .description('print the JSON schema of a policy file, for editors')
    .action(async () => {
      const { buildPolicyJsonSchema } = await import('../../broker/policy/policyJsonSchema.ts')
      io.out.write(`${JSON.stringify(buildPolicyJsonSchema(), null, 2)}\n`)
    })
  withStoreOptions(policy.command('export').description('write what was learned to a file that a project can import'))
    .option('--out <file>', 'write to this file (default: stdout)')
    .option('--full', 'write the complete active policy with the meaning of each number')
    .action((options: ExportOptions) => exportToFile(options, io))
  withStoreOptions(
    policy.command('import').description('import what another project learned; evidence from here then decides'),
  )
    .argument('<file>', 'a file that `memctl policy export` wrote; - reads stdin')
    .option('--dry-run', 'check and describe it, import nothing')
    .action(async (file: string, options: StoreOptions & { readonly dryRun?: boolean }) => {
      const { importPolicy } = await import('../../broker/commands/policyExchange.ts')
      const store = await openSelectedStore(options, io)
      const now = Date.now()
      await applyPolicyChoice(store, now)
      const text = file === '-' ? io.stdin() : readPolicyFile(path.resolve(io.cwd, file))
      const result = importPolicy(store, { text, file, now, dryRun: options.dryRun })
      printResult(io, options.json, result, ({ imported, version, changed }) => {
        const count = formatCount(Object.keys(imported.values).length, 'number')
        const content = `${count} learned in ${imported.from} (version ${imported.version} there)`
        if (options.dryRun) return [`It contains ${content}; nothing was imported.`]
        return [
          changed ? `Imported ${content}; this is version ${version} here.` : 'These numbers are already in effect.',
        ]
      })
    })
}

async function exportToFile(options: ExportOptions, io: CliContext): Promise<void> {
  const store = await openSelectedStore(options, io)
  const now = Date.now()
  await applyPolicyChoice(store, now)
  const text = options.full ? await formatActivePolicy(store) : await exportLearned(store, now)
  if (options.out === undefined) {
    if (options.json) printResult(io, true, { text }, () => [])
    else io.out.write(text)
    return
  }
  const file = path.resolve(io.cwd, options.out)
  try {
    fs.writeFileSync(file, text)
  } catch (cause) {
    throw new MemoryError('STORE_UNWRITABLE', `${file} cannot be written`, {
      hint: 'Name another file with --out.',
      cause,
    })
  }
  const content = options.full ? 'The active policy' : 'What was learned'
  printResult(io, options.json, { file }, () => [`${content}: ${file}`])
}

async function exportLearned(store: Store, now: number): Promise<string> {
  const { exportPolicy } = await import('../../broker/commands/policyExchange.ts')
  return exportPolicy(store, now).text
}

async function formatActivePolicy(store: Store): Promise<string> {
  const [{ readActivePolicy }, { formatPolicyYaml }] = await Promise.all([
    import('../../broker/policy/activePolicy.ts'),
    import('../../broker/policy/policyYaml.ts'),
  ])
  return formatPolicyYaml(readActivePolicy(store).policy, [`The active policy of ${store.project.name}.`])
}

async function validateFiles(store: Store, names: readonly string[], io: CliContext): Promise<ValidatedFile[]> {
  const [{ loadPolicyWithIssues }, { hintOf }] = await Promise.all([
    import('../../broker/policy/policyRegistry.ts'),
    import('../../broker/policy/parsePolicy.ts'),
  ])
  return names.map((file) => {
    const found = loadPolicyWithIssues(store.files, path.resolve(io.cwd, file)).issues
    const issues = found.map((issue) => ({
      line: issue.line,
      path: issue.path,
      what: issue.what,
      hint: hintOf(issue),
    }))
    return { file, valid: issues.length === 0, issues }
  })
}

/** Throws CONFIG_INVALID or POLICY_INVALID if the configured policy is invalid. */
async function validateConfigured(store: Store): Promise<ValidatedFile> {
  const { resolveConfiguredPolicy } = await import('../../broker/commands/configuredPolicy.ts')
  const { policy, sourceFile } = resolveConfiguredPolicy(store)
  return { file: sourceFile ?? `built-in policy ${policy.name}`, valid: true, issues: [] }
}

const formatValidated = ({ file, issues }: ValidatedFile): string[] =>
  issues.length === 0
    ? [`${file}: valid.`]
    : issues.map(({ line, what, hint }) => `${file}, line ${line}: ${what}. ${hint}`)

function readPolicyFile(file: string): string {
  if (fs.existsSync(file)) return readInputFile(file)
  throw new MemoryError('NOT_FOUND', `File ${file} does not exist`, {
    hint: 'Name a file that `memctl policy export` has written.',
  })
}
