// A payload for one run of an event's hook, in the middle of a made-up session.
import type { HookEvent } from '../../model/hookEvents.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import type { Random } from './seededRandom.ts'
import {
  buildPayload,
  generateCallId,
  generateEditCall,
  generateFailingCall,
  generatePassingCall,
  generatePrompt,
  type SessionSetting,
} from './syntheticSession.ts'
import { randomCommand, randomError, randomFilePath, randomParagraph, randomSentence } from './syntheticText.ts'

/** As the line that the client writes to the hook's stdin. */
export const buildHookInput = (event: HookEvent, setting: SessionSetting, chance: Random): string =>
  `${JSON.stringify(payloadFor(event, setting, chance))}\n`

function payloadFor(event: HookEvent, setting: SessionSetting, chance: Random): HookPayload {
  const file = randomFilePath(chance)
  const command = randomCommand(chance, file)
  const ids = { prompt_id: chance.hex(8), effort: { level: 'high' } }
  const told = (fields: Readonly<Record<string, unknown>>): HookPayload =>
    buildPayload(setting, event, { ...ids, ...fields })
  const agent = { agent_id: chance.hex(17), agent_type: 'Explore' }
  switch (event) {
    case 'SessionStart':
      return told({ source: 'startup' })
    case 'UserPromptSubmit':
      return told({ prompt: generatePrompt(chance) })
    case 'PreToolUse':
      return told(
        (chance.isOneIn(2)
          ? generatePassingCall(chance, command)
          : generateEditCall(chance, `${setting.root}/${file}`))[0]![1],
      )
    case 'PostToolUse':
      return told(
        (chance.isOneIn(2)
          ? generatePassingCall(chance, command)
          : generateEditCall(chance, `${setting.root}/${file}`))[1]![1],
      )
    case 'PostToolUseFailure':
      return told(generateFailingCall(chance, command, randomError(chance, file))[1]![1])
    case 'SubagentStart':
      return told({ ...agent, tool_use_id: generateCallId(chance) })
    case 'SubagentStop':
      return told({ ...agent, stop_hook_active: false, last_assistant_message: randomParagraph(chance, 4) })
    case 'Stop':
      return told({ stop_hook_active: false, last_assistant_message: randomParagraph(chance, 4) })
    case 'PreCompact':
      return told({ trigger: 'auto', custom_instructions: null })
    case 'PostCompact':
      return told({
        trigger: 'auto',
        compact_summary: [randomSentence(chance, 9), randomParagraph(chance, 12)].join('\n'),
      })
    case 'SessionEnd':
      return told({ reason: 'other' })
  }
}
