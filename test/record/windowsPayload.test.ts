// Payloads of a session on Windows: the paths of a call change, and nothing else does.
import { expect, test } from 'vitest'
import type { HookPayload } from '../../src/record/hookPayload.ts'
import { slashPayload } from '../../src/record/recordPayload.ts'
import { recordedAs } from '../testData.ts'

const CWD = 'C:\\Users\\太郎\\my shop'
const call = (fields: Record<string, unknown>): HookPayload => ({
  session_id: 's',
  hook_event_name: 'PostToolUse',
  cwd: CWD,
  tool_use_id: 'c',
  ...fields,
})

test('record: the payload of another system is not touched', () => {
  const payload = { ...call({ tool_name: 'Bash', tool_input: { command: 'type a\\b.ts' } }), cwd: '/home/me/shop' }
  expect(slashPayload(payload, '/home/me/shop')).toBe(payload)
})

test('record: paths of a call and of its output have forward slashes', () => {
  const bash = call({
    tool_name: 'Bash',
    tool_input: { command: 'npx vitest "/c/Users/太郎/my shop/test/a.test.ts"', description: 'a\\b.ts' },
    tool_response: { stdout: `✓ ${CWD}\\test\\a.test.ts`, stderr: '', interrupted: false },
  })
  expect(slashPayload(bash, CWD)).toMatchObject({
    cwd: 'C:/Users/太郎/my shop',
    tool_input: { command: 'npx vitest "C:/Users/太郎/my shop/test/a.test.ts"', description: 'a\\b.ts' },
    tool_response: { stdout: '✓ C:/Users/太郎/my shop/test/a.test.ts', interrupted: false },
  })
  expect(recordedAs(bash)).toMatchObject({ files: ['test/a.test.ts'], commandShape: 'npx vitest' })
})

test('record: what an edit writes, what a file contains and what people say stays as it is', () => {
  const text = 'const path = "C:\\\\temp\\\\a.txt" // src\\a.js'
  const input = { file_path: `${CWD}\\src\\a.js`, old_string: text, new_string: text }
  expect(slashPayload(call({ tool_name: 'Edit', tool_input: input }), CWD)['tool_input']).toEqual({
    ...input,
    file_path: 'C:/Users/太郎/my shop/src/a.js',
  })
  const read = call({ tool_name: 'Read', tool_input: {}, tool_response: { file: { content: text } } })
  expect(slashPayload(read, CWD)['tool_response']).toEqual({ file: { content: text } })
  const prompt = { ...call({ prompt: text }), hook_event_name: 'UserPromptSubmit' }
  expect(slashPayload(prompt, CWD)['prompt']).toBe(text)
})

test('record: an answer that is a list, a text or nothing keeps its form', () => {
  const answers = [[{ type: 'text', text: 'a\\b.ts' }], 'see src\\a.js', ['src\\a.js', 7], null, undefined, 7]
  const kept = answers.map((answer) => slashPayload(call({ tool_name: 'mcp__x', tool_response: answer }), CWD))
  expect(kept.map((payload) => payload['tool_response'])).toEqual([
    [{ type: 'text', text: 'a\\b.ts' }],
    'see src/a.js',
    ['src/a.js', 7],
    null,
    undefined,
    7,
  ])
})

test('record: a failure of PowerShell has the signature of the same failure of Bash', () => {
  const failed = (tool: string): unknown =>
    recordedAs(
      call({
        hook_event_name: 'PostToolUseFailure',
        tool_name: tool,
        tool_input: { command: 'npm test' },
        error: `Exit code 1\r\nError: Cannot find module '${CWD}\\dist\\prices.json'`,
      }),
    )
  const bash = failed('Bash') as { readonly errorSignature: string }
  expect(failed('PowerShell')).toMatchObject({ tool: 'PowerShell', errorSignature: bash.errorSignature })
  expect(bash.errorSignature).toBe("bash|error: cannot find module '<p> <p>'")
})

test('record: on every system the files of a command are found in a folder with a space in its name', () => {
  const payload = (cwd: string, command: string): HookPayload => ({
    ...call({ tool_name: 'Bash', tool_input: { command } }),
    cwd,
  })
  for (const cwd of ['/home/太郎/my shop', CWD, '/Users/太郎/my shop'])
    expect(recordedAs(payload(cwd, `npx vitest "${cwd}/test/a.test.ts" src/b.ts`))).toMatchObject({
      files: ['test/a.test.ts', 'src/b.ts'],
    })
})
