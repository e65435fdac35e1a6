// memctl search --hub: asks the hub for the team's memories of this project, also before this machine has synced.
import type { Store } from '../../broker/open/openStore.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import type { CliContext } from '../context/cliContext.ts'

/** The team's memories that match these words, the best first. Throws NOT_FOUND for a project that has not joined. */
export async function searchOnHub(
  store: Store,
  text: string,
  limit: number,
  io: CliContext,
): Promise<readonly { readonly memory: Memory; readonly score: number }[]> {
  const [{ readTeam }, { openHub }, { readHubConfig }] = await Promise.all([
    import('../../broker/team/teamStore.ts'),
    import('../../broker/team/openHub.ts'),
    import('../../broker/hub/hubConfig.ts'),
  ])
  const config = readHubConfig(store.home, io.env)
  const team = readTeam(store)
  if (config === undefined || team === undefined || team.hasLeft) {
    throw new MemoryError('NOT_FOUND', `${store.project.name} shares its memories with no hub`, {
      hint: 'Run `memctl hub join` in the project.',
    })
  }
  const { hub } = await openHub(config, io.env)
  try {
    return (await hub.search?.(team.project, { terms: extractTerms(text), limit })) ?? []
  } finally {
    await hub.close()
  }
}
