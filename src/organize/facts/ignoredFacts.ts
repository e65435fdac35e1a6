// Paths that git refuses to add because it ignores them.
import { callCommand } from '../../model/event.ts'
import type { FactDetector } from './factSighting.ts'
import { isRefusedCall } from './sessionCalls.ts'

const IGNORED = /paths are ignored by one of your \.gitignore files:\n((?:(?!hint:)\S[^\n]*\n?)+)/

export const detectIgnoredFacts: FactDetector = ({ calls }) =>
  calls.flatMap((call) => {
    if (call.kind !== 'call.failed' || isRefusedCall(call)) return []
    const paths = IGNORED.exec(call.error)?.[1]?.trim().split('\n') ?? []
    // A script that adds files knows best; only paths that the command itself names are its mistake.
    return paths
      .filter((path) => /\bgit (?:\S+ )*add\b/.test(callCommand(call)) && callCommand(call).includes(path))
      .map((path) => ({
        topic: 'command' as const,
        key: `ignored ${path}`,
        claim: 'git ignores it',
        remedy: `leave \`${path}\` out of \`git add\``,
        triggers: [{ command: 'git add', parts: [path] }],
        files: [path],
        failures: 1,
        at: call.at,
        events: [call.id],
      }))
  })
