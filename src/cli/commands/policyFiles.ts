// Policies as files: memctl policy validate and schema.
import path from 'node:path'
import type { Command } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import { type CliContext, ExitStatus, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withJsonOption, withProjectOption } from '../context/storeOption.ts'

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
      const { buildPolicyJsonSchema } = await import('../../broker/policy/policyFiles.ts')
      io.out.write(`${JSON.stringify(buildPolicyJsonSchema(), null, 2)}\n`)
    })
}

async function validateFiles(store: Store, names: readonly string[], io: CliContext): Promise<ValidatedFile[]> {
  const [{ loadPolicyWithIssues }, { hintOf }] = await Promise.all([
    import('../../broker/policy/policyFiles.ts'),
    import('../../broker/policy/policyFiles.ts'),
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
  const { resolveConfiguredPolicy } = await import('../../broker/commands/policyCommands.ts')
  const { policy, sourceFile } = resolveConfiguredPolicy(store)
  return { file: sourceFile ?? `built-in policy ${policy.name}`, valid: true, issues: [] }
}

const formatValidated = ({ file, issues }: ValidatedFile): string[] =>
  issues.length === 0
    ? [`${file}: valid.`]
    : issues.map(({ line, what, hint }) => `${file}, line ${line}: ${what}. ${hint}`)
