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
    await ask('hub revoke', 'postgres', ...url, '--project', 'shop')
  } finally {
    await server.stop()
  }
}
