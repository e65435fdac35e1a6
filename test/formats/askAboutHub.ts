// The answers of `memctl hub`, from a PostgreSQL that lives as long as they take.
import { startTestDatabase } from '../database/server.ts'

type Ask = <T>(command: string, ...words: readonly string[]) => Promise<T>

export async function askAboutHub(ask: Ask): Promise<void> {
  const server = await startTestDatabase()
  const url = ['--url', server.url]
  try {
    await ask('hub status', ...url)
    await ask('hub migrate', ...url, '--dimension', '8')
    await ask('hub status', ...url)
    await ask('hub grant', 'postgres', ...url, '--project', 'shop', '--write')
    await ask('hub access', ...url)
    await ask(
      'hub policy',
      ...url,
      '--project',
      'shop',
      '--kinds',
      'entry,decision,lesson,fact,preference',
      '--review',
      'on',
    )
    await ask('hub revoke', 'postgres', ...url, '--project', 'shop')
    await askAboutSharing(ask, server.url)
  } finally {
    await server.stop()
  }
}

async function askAboutSharing(ask: Ask, url: string): Promise<void> {
  await ask('hub connect', url, '--name', 'Aki')
  await ask('hub join', '--project-key', 'shop', '--dry-run')
  await ask('hub join', '--project-key', 'shop', '--yes')
  await ask('hub sync', '--dry-run')
  await ask('hub sync')
  await ask('hub review')
  const { changes } = await ask<{ changes: { id: string }[] }>('hub log')
  await ask('hub pin', changes[0]?.id ?? '')
  await ask('hub remove', 'Ben', '--yes')
  await ask('status')
  await forgetShared(ask)
  await ask('hub leave')
  await ask('hub sync')
  await ask('hub disconnect')
}

/** What the team has and a person forgets: the log says so until the hub knows. */
async function forgetShared(ask: Ask): Promise<void> {
  const { memory } = await ask<{ memory: { id: string } }>('remember', 'The quay of the shop is painted grey')
  await ask('hub sync')
  await ask('forget', memory.id, '--yes')
}
