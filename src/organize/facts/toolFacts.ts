// Skills, agents and tools that do not exist here, and what was used instead.
import { type CallResult, callCommand } from '../../model/event.ts'
import { errorClass } from '../../text/errorClass.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import { familyOf } from './commandForm.ts'
import type { FactDetector, FactSighting } from './factSighting.ts'
import { isRefusedCall, nextCalls } from './sessionCalls.ts'

const SEARCHED_CALLS = 12

export const detectToolFacts: FactDetector = ({ calls }) =>
  calls.flatMap((call, index) => {
    if (call.kind !== 'call.failed' || isRefusedCall(call)) return []
    const later = nextCalls(calls, index, SEARCHED_CALLS)
    const sighting =
      unknownSkill(call, later) ?? unknownAgent(call, later) ?? unknownTool(call) ?? refusedFields(call, later)
    return sighting ? [sighting] : []
  })

type FailedCall = Extract<CallResult, { readonly kind: 'call.failed' }>

const common = (call: CallResult) => ({ topic: 'tool' as const, failures: 1, at: call.at, events: [call.id] })

function unknownSkill(call: FailedCall, later: readonly CallResult[]): FactSighting | undefined {
  const skill = call.input['skill'] ?? call.input['command']
  if (!/^(?:Skill|SlashCommand)$/.test(call.tool) || typeof skill !== 'string') return undefined
  if (!/unknown (?:skill|slash command)|not a prompt-based|skill .*not found/i.test(call.error)) return undefined
  const name = skill.replace(/^\//, '')
  const done = later.flatMap(commandFamilies).find((family) => family.split(' ').includes(name.toLowerCase()))
  const remedy = done === undefined ? undefined : `use \`${done}\` instead of the skill`
  return {
    ...common(call),
    key: `skill ${name}`,
    claim: `there is no skill \`${name}\``,
    remedy,
    triggers: [{ tools: [call.tool], parts: [name] }],
  }
}

function unknownAgent(call: FailedCall, later: readonly CallResult[]): FactSighting | undefined {
  const name = /agent type ['"`]([^'"`]+)['"`] not found/i.exec(call.error)?.[1]
  if (name === undefined) return undefined
  const available = (/available agents?(?: types?)?: ([^\n]+)/i.exec(call.error)?.[1] ?? '').split(/,\s*/)
  const full = available.find((other) => other.endsWith(`:${name}`)) ?? usedAgent(later, call.tool)
  return {
    ...common(call),
    key: `agent ${name}`,
    claim: `there is no agent type \`${name}\``,
    remedy:
      full === undefined ? undefined : `use the agent \`${full}\`${full.endsWith(`:${name}`) ? ', its full name' : ''}`,
    triggers: [{ tools: [call.tool], parts: [`"${name}"`] }],
  }
}

const usedAgent = (later: readonly CallResult[], tool: string): string | undefined =>
  later.flatMap((call) => {
    const type = call.kind === 'call.succeeded' && call.tool === tool ? call.input['subagent_type'] : undefined
    return typeof type === 'string' ? [type] : []
  })[0]

function unknownTool(call: FailedCall): FactSighting | undefined {
  if (
    !/no such tool available|^(?:error: )?(?:unknown tool|tool .{1,60} (?:not found|does not exist))/i.test(call.error)
  )
    return undefined
  return {
    ...common(call),
    key: `tool ${call.tool}`,
    claim: `there is no tool \`${call.tool}\``,
    triggers: [{ tools: [call.tool] }],
  }
}

/** Longest value of a field that is shown. */
const VALUE_CHARS_MAX = 40

/** A tool of a server refused the input, and took it with other values in a few short fields. */
function refusedFields(call: FailedCall, later: readonly CallResult[]): FactSighting | undefined {
  if (!call.tool.startsWith('mcp__') || TRANSIENT.test(call.error)) return undefined
  const passed = later.slice(0, 6).find((other) => other.kind === 'call.succeeded' && other.tool === call.tool)
  const tool = call.tool.split('__').at(-1) ?? call.tool
  const line = (call.error.split('\n')[0] ?? '').slice(0, 60)
  if (passed === undefined) {
    const others = later.filter((other) => other.tool === call.tool)
    if (others.some((other) => other.kind === 'call.succeeded') || /not found|argument|invalid|valid/i.test(line))
      return undefined
    return {
      ...common(call),
      key: `broken ${call.tool}`,
      claim: `\`${tool}\` fails with ${errorClass(line)}`,
      triggers: [{ tools: [call.tool] }],
    }
  }
  const changed = Object.keys({ ...call.input, ...passed.input }).filter(
    (name) => JSON.stringify(call.input[name]) !== JSON.stringify(passed.input[name]),
  )
  const short = changed.filter((name) => isShort(call.input[name]) && isShort(passed.input[name]))
  const [first] = short
  if (first === undefined || short.length > 3 || changed.length > short.length + 1) return undefined
  const values = (input: FailedCall['input']) =>
    short
      .filter((name) => input[name] !== undefined)
      .map((name) => `${name} "${String(input[name])}"`)
      .join(', ')
  const wrong = values(call.input)
  if (wrong === '' || values(passed.input) === '') return undefined
  return {
    ...common(call),
    key: `fields ${call.tool} ${wrong}`,
    claim: `\`${tool}\` refuses ${wrong}`,
    remedy: `use ${values(passed.input)}`,
    triggers: [
      {
        tools: [call.tool],
        parts: short.flatMap((name) =>
          call.input[name] === undefined ? [] : [`"${name}":${JSON.stringify(call.input[name])}`],
        ),
      },
    ],
  }
}

const TRANSIENT = /timed? ?out|rate limit|unauthori[sz]ed|authenticat|connection|network|50[0-9]|try again/i
const isShort = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'string' && value.length > 0 && value.length <= VALUE_CHARS_MAX && !/\d/.test(value))

/** The families of the commands that a call ran with success. */
const commandFamilies = (call: CallResult): readonly string[] =>
  call.kind === 'call.failed' ? [] : splitSimpleCommands(callCommand(call)).map(({ words }) => familyOf(words))
