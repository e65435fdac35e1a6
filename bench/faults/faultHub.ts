// The hub of a run: a database in this process, through which two machines share one project. What must hold: both
// have what the hub has, and it has nothing that is private, secret or forgotten.
import { type Database, openDatabase } from '../../src/database/database.ts'
import { startTestDatabase, type TestDatabase } from '../../test/database/server.ts'
import { pause } from '../fixture/processes.ts'
import type { FaultModel } from './faultModel.ts'
import { type Act, SHARED } from './faultSteps.ts'

interface HubRow {
  readonly memory: string
  readonly state: string
  readonly content: string | null
}

export class FaultHub {
  readonly #server: TestDatabase

  private constructor(server: TestDatabase) {
    this.#server = server
  }

  static async start(folder: string): Promise<FaultHub> {
    return new FaultHub(await startTestDatabase(folder))
  }

  get url(): string {
    return this.#server.url
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  async harm({ way, forMs }: Act & { kind: 'hub' }): Promise<void> {
    if (way === 'lost') {
      await pause(forMs)
      return this.#server.killConnections()
    }
    if (way === 'down') await this.#server.downServer()
    else this.#server.pauseServer()
    await pause(forMs)
    this.#server.resumeServer()
  }

  /** After the exchanges at the end of a run. Returns how many memories the hub has. */
  async check(model: FaultModel): Promise<number> {
    await using database = await openDatabase({ url: this.url })
    const { rows } = await database.query<HubRow>(
      `select memory::text, state, fields ->> 'content' as content from hub_rows`,
    )
    for (const machine of SHARED) checkMachine(model, machine, rows)
    const bytes = await readTables(database)
    for (const secret of model.secrets) if (bytes.includes(secret)) model.report('secret', `${secret} is on the hub`)
    for (const [token, { isPrivate, place, forgotten }] of model.saved) {
      if (!bytes.includes(token)) continue
      if (isPrivate || place === 'entry') model.report('private', `${token}, of one machine, is on the hub`)
      if (forgotten !== undefined) model.report('forgotten', `${token} is on the hub`)
    }
    return rows.filter(({ state }) => state === 'active').length
  }
}

function checkMachine(model: FaultModel, machine: string, rows: readonly HubRow[]): void {
  const memories = model.readMemories(machine)
  for (const { memory, state, content } of rows) {
    const own = memories.get(memory)
    const isGone = state === 'deleted' || state === 'forgotten'
    const isSame = isGone ? own === undefined : own?.endsWith(`${JSON.stringify(content)}]`)
    if (!isSame) model.report('agree', `${memory} is ${state} on the hub: ${content}; in ${machine} it is ${own}`)
  }
}

/** Everything that the hub has, as one text. */
async function readTables(database: Database): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    'select quote_ident(table_name) as name from information_schema.tables where table_schema = current_schema()',
  )
  const texts: string[] = []
  for (const { name } of rows) {
    const { rows: lines } = await database.query<{ line: string }>(`select t::text as line from ${name} as t`)
    texts.push(...lines.map(({ line }) => line))
  }
  return texts.join('\n')
}
