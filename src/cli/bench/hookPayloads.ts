// A payload for one run of an event's hook, in the middle of a made-up session.
import type { HookEvent } from '../../hook/events.ts'
import type { Payload } from '../../record/payload.ts'
import type { Chance } from './seededRandom.ts'
import { callId, editCall, failingCall, passingCall, payloadOf, promptOf, type Setting } from './syntheticSession.ts'
import { commandOf, errorOf, fileOf, paragraph, sentence } from './syntheticText.ts'

/** As the line that the client writes to the hook's stdin. */
export const inputFor = (event: HookEvent, setting: Setting, chance: Chance): string =>
  `${JSON.stringify(payloadFor(event, setting, chance))}\n`

function payloadFor(event: HookEvent, setting: Setting, chance: Chance): Payload {
  const file = fileOf(chance)
  const command = commandOf(chance, file)
  const ids = { prompt_id: chance.hex(8), effort: { level: 'high' } }
  const told = (fields: Readonly<Record<string, unknown>>): Payload => payloadOf(setting, event, { ...ids, ...fields })
  const agent = { agent_id: chance.hex(17), agent_type: 'Explore' }
  switch (event) {
    case 'SessionStart':
      return told({ source: 'startup' })
    case 'UserPromptSubmit':
      return told({ prompt: promptOf(chance) })
    case 'PreToolUse':
      return told(
        (chance.isOnce(2) ? passingCall(chance, command) : editCall(chance, `${setting.root}/${file}`))[0]![1],
      )
    case 'PostToolUse':
      return told(
        (chance.isOnce(2) ? passingCall(chance, command) : editCall(chance, `${setting.root}/${file}`))[1]![1],
      )
    case 'PostToolUseFailure':
      return told(failingCall(chance, command, errorOf(chance, file))[1]![1])
    case 'SubagentStart':
      return told({ ...agent, tool_use_id: callId(chance) })
    case 'SubagentStop':
      return told({ ...agent, stop_hook_active: false, last_assistant_message: paragraph(chance, 4) })
    case 'Stop':
      return told({ stop_hook_active: false, last_assistant_message: paragraph(chance, 4) })
    case 'PreCompact':
      return told({ trigger: 'auto', custom_instructions: null })
    case 'PostCompact':
      return told({ trigger: 'auto', compact_summary: [sentence(chance, 9), paragraph(chance, 12)].join('\n') })
    case 'SessionEnd':
      return told({ reason: 'other' })
  }
}
