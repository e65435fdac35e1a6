// What the generator makes: a hook's payload with a secret in it, and what must not and what must be stored of it.
import type { HookPayload } from '../../src/record/hookPayload.ts'
import type { Random } from '../fixture/seededRandom.ts'

/** A payload with secrets. */
export interface Sample {
  readonly payload: HookPayload
  /** No run of eight characters of these may be stored; of a shorter one, not all of it. */
  readonly secrets: readonly string[]
  /** Ordinary text beside the secret, which must be stored as it is. */
  readonly kept: readonly string[]
}

/** One form in which a secret occurs. */
export interface Format {
  readonly group: string
  readonly name: string
  readonly make: (random: Random) => Sample
}

/** A text with its secrets, before it is part of a payload. */
export interface Drawn {
  readonly text: string
  readonly secrets: readonly string[]
  readonly kept?: readonly string[]
}

type Channel = (text: string) => Readonly<Record<string, unknown>>

const payloadOf = (fields: Readonly<Record<string, unknown>>): HookPayload => ({
  session_id: '00000000-0000-4000-8000-000000000001',
  cwd: '/home/dev/shop',
  hook_event_name: 'PostToolUse',
  tool_use_id: 'toolu_1',
  ...fields,
})

/** A call of Bash. */
export const bashOf = (command: string, stdout: string): Readonly<Record<string, unknown>> => ({
  tool_name: 'Bash',
  tool_input: { command, description: 'Run it' },
  tool_response: { stdout, stderr: '', interrupted: false },
})

/** Where a text can be in a payload. */
export const CHANNELS = {
  output: (text) => bashOf('make show', text),
  command: (text) => bashOf(text, 'done'),
  failure: (text) => ({
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_input: { command: 'make show' },
    error: `Exit code 1\n${text}`,
  }),
  prompt: (text) => ({ hook_event_name: 'UserPromptSubmit', prompt: text }),
  answer: (text) => ({ hook_event_name: 'Stop', last_assistant_message: text }),
  read: (text) => ({
    tool_name: 'Read',
    tool_input: { file_path: '/home/dev/shop/config/settings.conf' },
    tool_response: { type: 'text', file: { filePath: '/home/dev/shop/config/settings.conf', content: text } },
  }),
  write: (text) => ({
    tool_name: 'Write',
    tool_input: { file_path: '/home/dev/shop/deploy/settings.conf', content: text },
    tool_response: { type: 'create' },
  }),
  edit: (text) => ({
    tool_name: 'Edit',
    tool_input: { file_path: '/home/dev/shop/deploy/settings.conf', old_string: 'x', new_string: text },
    tool_response: {},
  }),
} satisfies Readonly<Record<string, Channel>>

export type ChannelName = keyof typeof CHANNELS

/** Makes formats whose text is in one of these channels, chosen at random. */
export const formatsIn =
  (group: string, ...channels: readonly ChannelName[]) =>
  (name: string, draw: (random: Random) => Drawn): Format => ({
    group,
    name,
    make: (random) => {
      const { text, secrets, kept = [] } = draw(random)
      return { payload: payloadOf(CHANNELS[random.pick(channels)](text)), secrets, kept }
    },
  })

/** A format with a payload of its own. */
export const formatOf = (
  group: string,
  name: string,
  make: (random: Random) => {
    readonly fields: Readonly<Record<string, unknown>>
    readonly secrets: readonly string[]
    readonly kept?: readonly string[]
  },
): Format => ({
  group,
  name,
  make: (random) => {
    const { fields, secrets, kept = [] } = make(random)
    return { payload: payloadOf(fields), secrets, kept }
  },
})

/** A call of a tool with this input and response. */
export const callOf = (name: string, input: unknown, response: unknown = 'ok'): Readonly<Record<string, unknown>> => ({
  tool_name: name,
  tool_input: input,
  tool_response: response,
})
