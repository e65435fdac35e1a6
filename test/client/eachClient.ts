// Stories through every Claude Code client there is here. Where there is none they are skipped, visibly.
import path from 'node:path'
import { describe, test } from 'vitest'
import { INSTALL_COMMAND, listClients, REPOSITORY } from './binary.ts'

/** Registers the stories once a client; `stories` gets the path of its program. */
export function describeEachClient(stories: (claude: string) => void): void {
  const clients = listClients()
  if (clients.length === 0) {
    describe('story: skipped, there is no Claude Code client', () => {
      test.skip(`get it, then run this again: ${INSTALL_COMMAND}`, () => {})
    })
  }
  for (const claude of clients) describe(path.relative(REPOSITORY, claude), () => stories(claude))
}
