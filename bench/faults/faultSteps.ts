// The steps of a run: plain data, all drawn from one seed, so that a run can be repeated, and steps can be left out.
import { HOOK_REGISTRATIONS, type HookEvent } from '../../src/model/hookEvents.ts'
import { HOSTILE_PARTS, repeatPart } from '../bounds/hostileTexts.ts'
import { type Random, seededRandom } from '../fixture/seededRandom.ts'
import { FORMATS } from '../secrets/measure.ts'
import { drawChars } from '../secrets/random.ts'

/** What happens to the process of a step, and to the worker that it starts. */
export type Fault =
  | { readonly kind: 'kill'; readonly afterMs: number }
  /** The disk refuses every write from this one on (KILL: the process dies there). */
  | { readonly kind: 'disk'; readonly code: 'ENOSPC' | 'EIO' | 'SHORT' | 'KILL'; readonly after: number }
  /** No file can grow beyond this. */
  | { readonly kind: 'limit'; readonly kilobytes: number }

export interface ToolCall {
  readonly tool: 'memory_store' | 'save_to_memory' | 'memory_search' | 'retrieve_from_memory'
  readonly input: Readonly<Record<string, unknown>>
  readonly token?: string
}

export type Damage = 'cut' | 'doubled' | 'shuffled' | 'log tail'

export type Act =
  | {
      readonly kind: 'hook'
      readonly event: HookEvent
      readonly fields: object
      readonly token?: string
      readonly times: number
    }
  /** A text that is no payload; with a field, a payload in which this field has it. */
  | {
      readonly kind: 'hostile'
      readonly event: HookEvent
      readonly part: string
      readonly chars: number
      readonly field: string
    }
  | { readonly kind: 'tools'; readonly by: 'command' | 'server' | 'library'; readonly calls: readonly ToolCall[] }
  | { readonly kind: 'command'; readonly words: string }
  | { readonly kind: 'forget'; readonly token: string }
  | { readonly kind: 'clock'; readonly hours: number }
  | { readonly kind: 'killWorkers'; readonly afterMs: number }
  /** Processes that do nothing but use the processor, for this long. */
  | { readonly kind: 'load'; readonly loops: number; readonly forMs: number }
  /** The hub's connections are lost, it refuses new ones for a while, or it answers nothing for a while. */
  | { readonly kind: 'hub'; readonly way: 'lost' | 'down' | 'paused'; readonly forMs: number }
  | { readonly kind: 'damage'; readonly way: Damage; readonly file: number; readonly at: number }

/** Steps of one round run at once. */
export interface Step {
  readonly round: number
  readonly project: string
  readonly session: string
  readonly act: Act
  readonly fault?: Fault | undefined
  /** Texts that may be nowhere. */
  readonly secrets?: readonly string[]
}

/** The last one is the first one on another machine: both share their memories through a hub. */
export const PROJECTS = ['shop', 'blog', 'wiki', 'mirror'] as const
export const SHARED: readonly string[] = ['shop', 'mirror']

/** Whether what one project has stored may be shown in the other. */
export const shareMemories = (one: string, other: string): boolean =>
  one === other || (SHARED.includes(one) && SHARED.includes(other))

const SESSIONS_PER_PROJECT = 3
const STEPS_PER_ROUND = 5
/** Of so many steps in a shared project one is about the hub. */
const HUB_SHARE = 7

/** The shortest secret that cannot occur by chance. */
const SECRET_CHARS_MIN = 10

/** Draws `count` steps. */
export function drawSteps(seed: number, count: number): Step[] {
  const random = seededRandom(seed)
  const typed: { readonly token: string; readonly project: string; readonly round: number; isShared: boolean }[] = []
  let round = 0
  return Array.from({ length: count }, (_, number) => {
    if (random.below(STEPS_PER_ROUND) === 0) round++
    const project = random.pick(PROJECTS)
    const session = `${project}-${random.below(SESSIONS_PER_PROJECT)}`
    const isEarlier = (item: (typeof typed)[number]): boolean =>
      item.round < round && (item.project === project || (item.isShared && shareMemories(item.project, project)))
    const earlier = typed.filter(isEarlier).map((item) => item.token)
    const syllable = (): string => drawChars(random, 'bdfgklmnprstvz', 1) + drawChars(random, 'aeiou', 1)
    const token = Array.from({ length: 9 }, syllable).join('')
    const drawn = drawAct(random, { token, earlier, number, isShared: SHARED.includes(project) })
    const text = JSON.stringify(drawn.act)
    // Only what a tool has stored for everybody is at the other machine under the same words.
    const isShared = text.includes('memory_store') && !text.includes('private')
    if (text.includes(token)) typed.push({ token, project, round, isShared })
    return { round, project, session, ...drawn, fault: random.below(3) === 0 ? drawFault(random) : undefined }
  })
}

function drawFault(random: Random): Fault {
  const kind = random.below(6)
  if (kind < 3) return { kind: 'kill', afterMs: random.below(700) }
  if (kind < 5) return { kind: 'disk', code: random.pick(['ENOSPC', 'EIO', 'SHORT', 'KILL']), after: random.below(60) }
  return { kind: 'limit', kilobytes: 1 + random.below(100) }
}

interface Drawing {
  /** A word that occurs nowhere else. */
  readonly token: string
  /** Words of earlier rounds. */
  readonly earlier: readonly string[]
  readonly number: number
  /** The project is shared through a hub. */
  readonly isShared: boolean
}

const COMMANDS = [
  ...[
    'organize',
    'organize --all',
    'rebuild',
    'organize --sleep main',
    'doctor --log --fix',
    'doctor',
    'doctor --fix',
    'status',
    'list',
  ],
  ...['search cart rounding', 'recall cart rounding', 'list --events', 'report', 'policy show', 'why src/cart.ts'],
]

function drawAct(random: Random, drawing: Drawing): Pick<Step, 'act' | 'secrets'> {
  if (drawing.isShared && random.below(HUB_SHARE) === 0) return { act: drawHub(random) }
  const kind = random.below(100)
  if (kind < 40) return { act: drawHook(random, drawing) }
  if (kind < 46) return drawSecret(random, drawing.number)
  if (kind < 53) return { act: drawHostile(random) }
  if (kind < 75) return { act: drawTools(random, drawing.token) }
  if (kind < 82) return { act: { kind: 'command', words: random.pick(COMMANDS) } }
  if (kind < 88 && drawing.earlier.length > 0) return { act: { kind: 'forget', token: random.pick(drawing.earlier) } }
  if (kind < 90) return { act: { kind: 'load', loops: 1 + random.below(6), forMs: 500 + random.below(4_000) } }
  if (kind < 92) return { act: { kind: 'clock', hours: random.pick([-30, -1, 1, 30, 200, 900]) } }
  if (kind < 95) return { act: { kind: 'killWorkers', afterMs: random.below(1_500) } }
  const way = random.pick(['cut', 'doubled', 'shuffled', 'log tail'] as const)
  return { act: { kind: 'damage', way, file: random.below(1_000), at: random.below(1_000) } }
}

/** Most are exchanges, which a fault may end at any time. */
function drawHub(random: Random): Act {
  if (random.below(3) > 0) return { kind: 'command', words: 'hub sync' }
  return { kind: 'hub', way: random.pick(['lost', 'down', 'paused'] as const), forMs: random.below(3_000) }
}

/** A payload with the token in its event, at a moment at which other memories about the same may be shown. */
function drawHook(random: Random, { token, number }: Drawing): Act {
  const prompt = (text: string): object => ({ prompt: text, prompt_id: `prompt-${number}` })
  const agent = { agent_id: `agent-${random.below(3)}`, agent_type: 'reviewer' }
  const by = random.below(4) === 0 ? agent : {}
  const call = { ...by, tool_use_id: `call-${number}`, tool_name: 'Bash', tool_input: { command: 'npm test' } }
  const edit = { ...call, tool_name: 'Edit', tool_input: { file_path: '@PROJECT@/src/cart.ts', new_string: token } }
  const report = `Done.\n\nLessons:\n- Round the cart with ${token} only.`
  const [event, fields] = random.pick<readonly [HookEvent, object]>([
    ['SessionStart', { source: random.pick(['startup', 'resume', 'compact']), git_branch: 'main' }],
    ['UserPromptSubmit', prompt(`Fix the rounding of the cart total, and call it ${token}.`)],
    ['UserPromptSubmit', prompt(`Always use ${token} for the cart total in this project.`)],
    ['UserPromptSubmit', prompt(`Remember: ${token} rounds the cart half up.`)],
    ['PreToolUse', edit],
    ['PostToolUse', { ...edit, tool_response: {} }],
    ['PostToolUse', { ...call, tool_response: { stdout: `12 passing, ${token}`, stderr: '' } }],
    ['PostToolUseFailure', { ...call, error: `Exit code 1\nError: ${token} is not rounded at src/cart.ts:3:9` }],
    ['SubagentStart', agent],
    ['SubagentStop', { ...agent, agent_id: `agent-${number}`, last_assistant_message: report }],
    ['Stop', { last_assistant_message: `Fixed the rounding in src/cart.ts: ${token} rounds half up.` }],
    ['PreCompact', { trigger: 'auto' }],
    ['SessionEnd', { reason: 'other' }],
    ['SessionEnd', { reason: 'other' }],
  ])
  // The client starts a hook twice if it is registered twice; calls have an id by which that is known.
  const times = event === 'PostToolUse' && random.below(4) === 0 ? 2 : 1
  return { kind: 'hook', event, fields, times, ...(JSON.stringify(fields).includes(token) && { token }) }
}

function drawSecret(random: Random, number: number): Pick<Step, 'act' | 'secrets'> {
  const { payload, secrets } = random.pick(FORMATS).make(random)
  const event = payload.hook_event_name as HookEvent
  const act: Act = { kind: 'hook', event, fields: { ...payload, tool_use_id: `call-${number}` }, times: 1 }
  return { act, secrets: secrets.filter((secret) => secret.length >= SECRET_CHARS_MIN) }
}

function drawHostile(random: Random): Act {
  const { event } = random.pick(HOOK_REGISTRATIONS)
  const part = random.pick([
    ...HOSTILE_PARTS,
    '[',
    '{"a":',
    '{"session_id":1}',
    'null',
    '{"session_id":"../x","cwd":7}',
  ])
  const fields = ['', 'prompt', 'session_id', 'tool_response', 'last_assistant_message', 'cwd', 'agent_id']
  return { kind: 'hostile', event, part, chars: random.pick([0, 10, 70_000, 3_000_000]), field: random.pick(fields) }
}

/** The payload of a step. `@PROJECT@` in it is the folder of the project. */
export function payloadText({ act, session }: Step): string {
  const common = { session_id: session, cwd: '@PROJECT@' }
  if (act.kind === 'hook') return `${JSON.stringify({ ...act.fields, hook_event_name: act.event, ...common })}\n`
  if (act.kind !== 'hostile') return ''
  const text = repeatPart(act.part, act.chars)
  const payload = { ...common, hook_event_name: act.event, [act.field]: text }
  return `${act.field === '' ? text : JSON.stringify(payload)}\n`
}

function drawTools(random: Random, token: string): Act {
  const by = random.pick(['command', 'server', 'library'] as const)
  const content = `The cart total is rounded by ${token} in src/cart.ts`
  const privacy = by === 'server' && random.below(3) === 0 ? { privacy: 'private' } : {}
  const save: ToolCall =
    random.below(3) > 0
      ? { tool: 'memory_store', input: { content, ...privacy }, token }
      : { tool: 'save_to_memory', input: { key: `cart-${token}`, content }, token }
  const query: ToolCall = { tool: 'memory_search', input: { query: 'who rounds the cart total', top_k: 50 } }
  const find: ToolCall = { tool: 'retrieve_from_memory', input: { query: 'cart total' } }
  return { kind: 'tools', by, calls: random.pick([[save], [save, query], [query, save], [find, save]]) }
}
