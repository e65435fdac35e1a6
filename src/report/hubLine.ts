// The state of the hub in one line, and its last error in another one.
import type { HubStatus } from '../broker/team/hubStatus.ts'
import { formatCount, formatTimeAgo } from './formatNumber.ts'

/** `github.com/me/shop as Aki, synced 5 min ago, nothing waits`. `now` in milliseconds since 1970. */
export function formatHubLine(status: HubStatus, now: number): string {
  const { url, name, project, waiting, lastSync, fault, lost } = status
  const waits =
    waiting === 0 ? 'nothing waits' : `${formatCount(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'}`
  if (project === null) {
    if (url === null) return 'not used, because its configuration is wrong'
    if (waiting > 0) return `left, ${waits} to be taken back: \`memctl hub sync\``
    return `connected as ${name}; this project shares nothing: \`memctl hub join\``
  }
  const who = `${project} as ${name}`
  if (url === null && fault === null) return `${who}, but no hub is configured: \`memctl hub connect URL\``
  return lastSync === null
    ? `${who}, not synced yet${fault ? '' : ': `memctl hub sync`'}`
    : `${who}, synced ${formatTimeAgo(lastSync, now)}, ${waits}${lost.length === 0 ? '' : `, ${describeLost(lost.length)}`}`
}

const describeLost = (count: number): string => `${formatCount(count, 'text')} of yours replaced: \`memctl hub sync\``

/** What is wrong and what to do: `DATABASE_UNREACHABLE: nothing listens on db:5432. Check …`; empty if nothing is. */
export const formatHubFault = ({ fault }: HubStatus): string =>
  fault === null ? '' : `${fault.code}: ${fault.message}. ${fault.hint}`

/** Both in one line; undefined without a hub. */
export function describeHub(status: HubStatus | undefined, now: number): string | undefined {
  return status && [formatHubLine(status, now), formatHubFault(status)].filter(Boolean).join('. ')
}
