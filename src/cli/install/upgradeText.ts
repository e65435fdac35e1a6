// What memctl init --upgrade prints for a person.
import { formatCount } from '../../report/formatNumber.ts'
import type { UpgradeResult } from './upgradeInstallation.ts'

export function formatUpgrade(result: UpgradeResult): string[] {
  const { upgraded, runtime, removed, dryRun, version } = result
  const is = (done: string, planned: string): string => (dryRun ? planned : done)
  const files = upgraded.map(({ file, from, to, parts }) => {
    const versions = from === to ? to : `${from} → ${to}`
    return `  ${file}: ${versions} (${parts.join(', ')})`
  })
  return [
    ...upgraded.filter(() => dryRun).flatMap(({ diff }) => (diff === '' ? [] : [diff])),
    ...(files.length > 0 ? [is('Upgraded:', 'Would be upgraded:'), ...files] : []),
    ...(runtime.changed ? [`The scripts of memctl ${version} ${is('are', 'would be')} in ${runtime.folder}.`] : []),
    ...(removed.length > 0 ? [`Removed, because no settings name it: memctl ${removed.join(', ')}.`] : []),
    ...(files.length === 0 && !runtime.changed ? describeNothing(result) : []),
    ...describeLeft(result),
    ...(files.length > 0 && !dryRun
      ? ['Sessions that run keep the scripts they started with; new ones use these.']
      : []),
    ...describePlugin(result),
    ...(dryRun && (files.length > 0 || runtime.changed) ? ['Nothing was written. Leave out --dry-run to do it.'] : []),
  ]
}

function describeNothing({ current, version, home }: UpgradeResult): string[] {
  if (current.length > 0) {
    return [`Nothing to upgrade: ${formatCount(current.length, 'settings file')} with memctl ${version}.`]
  }
  return [`Nothing to upgrade: no known settings use the hooks in ${home}. \`memctl init\` installs them.`]
}

function describeLeft({ left }: UpgradeResult): string[] {
  const lines = left.map(({ file, why, hint }) => `  ${file}: ${why}. ${hint}`)
  return lines.length === 0 ? [] : ['Left as they are:', ...lines]
}

const describePlugin = ({ plugin }: UpgradeResult): string[] =>
  plugin === undefined ? [] : [`The plugin (${plugin}) is updated by the client: claude plugin update memctl@memctl`]
