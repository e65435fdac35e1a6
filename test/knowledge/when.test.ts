import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  callOccasion,
  contains,
  failureOccasion,
  fires,
  matchTrigger,
  promptOccasion,
} from '../../src/knowledge/when.ts'
import type { Trigger } from '../../src/model/knowledge.ts'

const bash = (command: string) => callOccasion({ tool: 'Bash', input: { command } })

describe('when', () => {
  test.each([
    ['npm', 'pnpm install', false],
    ['npm', 'cd web && npm install', true],
    ['--stat', 'git diff --status', false],
    ['--stat', 'git diff --stat HEAD', true],
    ['go test', 'go  test ./...', true],
    ['_test.go', 'src/cart_test.go', true],
    ['Test*', 'func TestCart(t *testing.T)', true],
    ['Test', 'func TestCart(t *testing.T)', false],
    ['src/db/', 'ls src/db', true],
    ['src/db/', 'src/db.ts', false],
    ['日本語', 'コミットは日本語で', true],
    ['', 'anything', false],
    ['*', 'anything', false],
  ])('when: a fragment is found as whole words: %j in %j', (fragment, text, expected) => {
    expect(contains(text.toLowerCase().replace(/\s+/g, ' '), fragment)).toBe(expected)
  })

  test('when: a call that has a fragment of `unless` keeps the rule', () => {
    const pnpm: Trigger = { at: 'call', tool: 'Bash', has: ['npm install'], unless: ['pnpm'] }
    expect(matchTrigger(pnpm, bash('npm install left-pad'))).toBe('fires')
    expect(matchTrigger(pnpm, bash('pnpm add left-pad'))).toBe('keeps')
    // To look for it is not to do it.
    expect(matchTrigger(pnpm, bash('grep pnpm README.md'))).toBeUndefined()
    expect(matchTrigger(pnpm, bash('grep "npm\\|pnpm" README.md'))).toBeUndefined()
    expect(matchTrigger(pnpm, bash('grep -q pnpm README.md && pnpm add left-pad'))).toBe('keeps')
    expect(matchTrigger(pnpm, bash('ls'))).toBeUndefined()
  })

  test.each([
    ['git commit -m "test: run yarn e2e in CI"', ['yarn e2e'], false],
    ["git commit -m 'run yarn e2e'", ['yarn e2e'], false],
    ['git commit -m "$(cat <<\'EOF\'\nrun yarn e2e\nEOF\n)"', ['yarn e2e'], false],
    ["cat > plan.md <<'EOF'\nThen yarn e2e\nEOF", ['yarn e2e'], false],
    ['gh pr create --title "Faster yarn e2e"', ['yarn e2e'], false],
    ['git add -A && git commit -m "fix: tests" && yarn e2e', ['yarn e2e'], true],
    // What is said of a message names the command, too.
    ['git commit -m "Co-Authored-By: me"', ['git commit', 'Co-Authored-By'], true],
    ["python3 - <<'EOF'\nimport yaml\nEOF", ['python3', 'import yaml'], true],
    ['bash -c "yarn e2e"', ['yarn e2e'], true],
  ])('when: words that a command only writes into a text are no call: %j', (command, has, expected) => {
    expect(fires([{ at: 'call', tool: 'Bash', has }], bash(command))).toBe(expected)
  })

  test('when: an edit is known by its path and its new text, not by what it replaces', () => {
    const edit = callOccasion({ tool: 'Edit', input: { file_path: 'src/a.ts', old_string: 'as any', new_string: 'x' } })
    expect(fires([{ at: 'call', has: ['src/a.ts'] }], edit)).toBe(true)
    expect(fires([{ at: 'call', has: ['any'] }], edit)).toBe(false)
    const multi = { file_path: 'a.ts', edits: [{ old_string: 'b', new_string: 'const c: any' }] }
    expect(fires([{ at: 'call', has: ['any'] }], callOccasion({ tool: 'MultiEdit', input: multi }))).toBe(true)
  })

  test('when: a failure fires by its signature, or by fragments of which one is in the error', () => {
    const call = { tool: 'Bash', input: { command: 'npm test' } }
    const failed = failureOccasion(call, 'Error: Cannot find module ./prices', 'bash|cannot find module <p>')
    expect(fires([{ at: 'failure', signature: 'bash|cannot find module <p>' }], failed)).toBe(true)
    expect(fires([{ at: 'failure', has: ['npm test', 'Cannot find module'] }], failed)).toBe(true)
    expect(fires([{ at: 'failure', has: ['npm test'] }], failed)).toBe(false)
    expect(fires([{ at: 'call', has: ['npm test'] }], failed)).toBe(false)
  })

  test('when: a trigger without fragments never fires at a call or a prompt', () => {
    expect(fires([{ at: 'call', tool: 'Bash' }], bash('ls'))).toBe(false)
    expect(fires([{ at: 'prompt' }], promptOccasion('deploy'))).toBe(false)
    expect(fires([{ at: 'prompt', has: ['deploy'] }], promptOccasion('Deploy it'))).toBe(true)
  })

  test('when: a fragment that was cut out of a text at spaces is found there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[\w./:-]{1,12}$/), { minLength: 1, maxLength: 8 }),
        fc.nat(7),
        (words, at) => {
          const word = words[at % words.length] ?? ''
          return contains(words.join(' ').toLowerCase(), word)
        },
      ),
    )
  })
})
