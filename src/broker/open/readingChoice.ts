// What the person has answered on whether Claude may read finished sessions, without a YAML parser: for hooks and the
// worker.
//
//   config.yaml  distill: …   by `memctl init`, `/memctl:read-sessions` or by hand
//   reading.plugin  yes, no   in the plugin's settings; config.yaml counts more
//
// Only hooks of the plugin get its settings from the client. The worker that they start keeps the answer for commands.
import type { Files } from '../../store/disk/files.ts'
import { configFile, hasUserConfig } from './hookConfig.ts'
import type { Store } from './openStore.ts'

interface Place {
  readonly files: Files
  readonly home: string
}

/** Whether there is an answer. */
export const hasReadingChoice = (place: Place): boolean =>
  isReadingConfigured(place) || readPluginAnswer(place) !== undefined

/** Whether config.yaml has one. */
export const isReadingConfigured = ({ files, home }: Place): boolean =>
  /^distill\s*:/m.test(files.read(configFile(home))?.toString('utf8') ?? '')

/** Whether a model may be configured. Check this first: loading a YAML parser is slow for a worker. */
export const mayHaveReader = (store: Store): boolean =>
  hasUserConfig(store) ||
  (store.home !== undefined && readPluginAnswer({ files: store.files, home: store.home }) === true)

/** The answer in the plugin's settings, as its hooks get it; undefined where there is none. */
export function pluginAnswerFrom(env: Readonly<Record<string, string | undefined>>): boolean | undefined {
  const value = env['CLAUDE_PLUGIN_OPTION_READ_SESSIONS']
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** The answer that was kept; undefined if there is none. */
export function readPluginAnswer({ files, home }: Place): boolean | undefined {
  const text = files.read(pluginAnswerFile(home))?.toString('utf8')
  return text === undefined ? undefined : text.trim() === 'yes'
}

/** Keeps the answer. Without one the kept answer goes: the plugin was removed, or its setting. */
export function keepPluginAnswer({ files, home }: Place, answer: boolean | undefined): void {
  if (readPluginAnswer({ files, home }) === answer) return
  if (answer === undefined) files.remove(pluginAnswerFile(home))
  else files.replace(pluginAnswerFile(home), Buffer.from(answer ? 'yes\n' : 'no\n'))
}

const pluginAnswerFile = (home: string): string => `${home}/reading.plugin`
