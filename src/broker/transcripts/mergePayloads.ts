// The payloads of a session in the order of time, from its own transcript and those of its subagents. Only one line of
// each file is in memory.
import type { Files } from '../../store/disk/files.ts'
import { convertTranscript, type TimedPayload } from './convertTranscript.ts'
import { readTranscript, type TranscriptSession } from './scanTranscripts.ts'

/** The payloads; no time is before that of the one before. `isCopy` says whether a line is another session's. */
export function* mergePayloads(
  files: Files,
  session: TranscriptSession,
  isCopy: (uuid: string) => boolean,
): Generator<TimedPayload> {
  const { id, agentTypes } = session
  const sources = session.files.map((file) => {
    const context = { session: id, agentId: file.agentId, agentTypes, isCopy }
    const payloads = convertTranscript(readTranscript(files, file), context)
    return { payloads, head: payloads.next() }
  })
  let now = 0
  for (;;) {
    let next: (typeof sources)[number] | undefined
    for (const source of sources) {
      if (source.head.done) continue
      if (!next || next.head.done || source.head.value.at < next.head.value.at) next = source
    }
    if (!next || next.head.done) return
    const { at, payload } = next.head.value
    now = Math.max(now, at)
    yield { at: now, payload }
    next.head = next.payloads.next()
  }
}
