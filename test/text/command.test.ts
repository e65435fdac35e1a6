import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandFamily, commandShape, isCheckCommand } from '../../src/text/command.ts'

const shapes = (table: string): readonly (readonly string[])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('→').map((part) => part.trim()))

const anyCommand = fc
  .array(
    fc.constantFrom(
      ...[
        'npm',
        'test',
        'run',
        'git',
        'commit',
        '-m',
        '"x && y"',
        "'a b'",
        '&&',
        '||',
        '|',
        ';',
        '(',
        ')',
        '$(',
        '\n',
        '<<EOF',
        'EOF',
      ],
      ...[
        '2>&1',
        '>',
        '--',
        '--flag=1',
        'A=1',
        'cd',
        'sudo',
        'timeout',
        '60',
        'bash',
        '-c',
        '"',
        "'",
        '\\',
        '#',
        'for',
        'do',
        'done',
        '日本',
      ],
    ),
    { maxLength: 14 },
  )
  .map((words) => words.join(' '))

describe('command', () => {
  test('text: the shape of a command is its main part and the names of its flags', () => {
    const table = shapes(`
      cd x && FOO=1 npm test -- foo 2>&1 | tail -5 → npm test
      git commit -m "x" → git commit -m
      go test ./... -run TestX → go test -run
      go test -run=TestX -v -count=1 ./a → go test -count -run -v
      git -C /a/b commit -am "x && npm test" → git commit -C -am
      npm --prefix web run build → npm run build --prefix
      make -j4 check → make check -j
      git commit -m"x y" → git commit -m
      ls -la && cat a → ls -la
      docker compose -f a.yml up -d → docker compose up -d -f
      gh pr create --title x --body "y" → gh pr create --body --title
      cargo +nightly clippy -- -D warnings → cargo clippy
      python3 -m pytest -q tests → python -m pytest -q
    `)
    expect(table.map(([command]) => [command, commandShape(command!)])).toEqual(table)
  })

  test('text: what two runs have in common is one family', () => {
    const table = shapes(`
      npm test -- foo → npm test
      npm test → npm test
      npm run build --workspace=a → npm run build
      git commit --amend --no-edit → git commit
      python -m pytest tests/a.py → python -m pytest
      .venv/bin/python3.12 -m pytest → python -m pytest
      npx -y vitest@latest run → npx vitest
      ./node_modules/.bin/vitest run src → vitest
      mise run test:ci 2>&1 | tail -50 → mise run test:ci
      gh api repos/a/b/pulls/117/comments --paginate → gh api
      gh run view 21692651903 --log-failed → gh run view
      git stash pop stash@{0} → git stash pop
      go run ./cmd/entire list → go run ./cmd/entire
      go mod tidy → go mod tidy
      node scripts/build.mjs --watch → node scripts/build.mjs
      node -e "console.log(1)" → node -e
      uv run pytest -x → uv run pytest
      pnpm --filter web test → pnpm test
      ./gradlew clean :app:test → gradlew :app:test
    `)
    expect(table.map(([command]) => [command, commandFamily(command!)])).toEqual(table)
  })

  test('text: of several commands the main one is a check, else one that changes something, the later of two', () => {
    const table = shapes(`
      git add -A && git commit -m x && git log -1 → git commit
      npm run build && npm test → npm test
      npm test && git push → npm test
      git fetch; git status → git fetch
      cat a.txt | head → cat
      echo '{}' | node handler.js → node handler.js
      git diff main || git diff origin/main → git diff
      mkdir -p a && cd a && touch b → mkdir
      export A=1; echo $A → export
    `)
    expect(table.map(([command]) => [command, commandFamily(command!)])).toEqual(table)
  })

  test('text: wrappers, keywords, substitutions and shells are unwrapped', () => {
    for (const command of [
      'sudo -u bob timeout -k 5 60 npm test',
      'time env -u A B=1 npm test',
      'if [ -f x ]; then npm test; fi',
      'for i in 1 2 3; do npm test; done',
      'bash -lc "cd a && npm test"',
      'OUT=$(npm test 2>&1); echo "$OUT"',
      '(cd web && npm test)',
      'mise exec -- npm test',
      'npm test > out.log 2>&1; tail out.log',
      '# run them\n\nnpm test # all',
      'cd a && \\\n  npm test',
      'nohup npm test &',
    ])
      expect([command, commandFamily(command)]).toEqual([command, 'npm test'])
  })

  test('text: quotes and heredocs hold data, not commands', () => {
    expect(commandFamily('echo "a && npm test"')).toBe('echo')
    expect(commandFamily("git commit -m 'npm test; rm -rf x'")).toBe('git commit')
    expect(
      commandFamily('git commit -m "$(cat <<\'EOF\'\nfix: it\'s "npm test" (all)\n\nrm -rf x\nEOF\n)" && git push'),
    ).toBe('git push')
    expect(commandFamily('cat > a.sh <<EOF && npm test\nrm -rf x\nEOF')).toBe('npm test')
    expect(commandFamily('cat <<-END\n  git push\n  END\nls')).toBe('cat')
  })

  test('text: a shape never contains values', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{8,20}$/), (secret) => {
        for (const command of [
          `TOKEN=${secret} npm publish --otp=${secret}`,
          `git commit -m "${secret} x"`,
          `curl -H "Authorization: ${secret} y" -u a:${secret} https://x/${secret}`,
          `export KEY=${secret}`,
          `gh api /repos/${secret} -f body="${secret}"`,
        ])
          expect(commandShape(command)).not.toContain(secret)
      }),
    )
  })

  test('text: a test, a build, a lint, a type check and a format check are checks', () => {
    for (const command of [
      ...[
        'npm test',
        'npm t',
        'pnpm -r test',
        'yarn build',
        'bun test',
        'npm run test:unit -- a',
        'npm run typecheck',
        'npm run format:check',
      ],
      ...[
        'npx tsc --noEmit',
        'vitest run',
        'npx jest a',
        'eslint . --fix',
        'npx biome check --write .',
        'npx prettier --check .',
        'node --test',
      ],
      ...[
        'go test ./...',
        'go vet ./...',
        'go build',
        'golangci-lint run',
        'gofmt -l .',
        'cargo test',
        'cargo clippy',
        'cargo fmt --check',
      ],
      ...[
        'pytest -q',
        'python3 -m unittest',
        'ruff check .',
        'mypy src',
        'uv run pytest',
        'poetry run ruff check',
        'tox',
        'black --check .',
      ],
      ...[
        'make',
        'make lint',
        'mise run test:ci',
        'mise run lint',
        'just check',
        './gradlew clean test',
        'mvn -q verify',
        'mvn install',
      ],
      ...[
        'dotnet build',
        'dotnet format --verify-no-changes',
        'bundle exec rspec',
        'rails test',
        'vendor/bin/phpunit',
        'composer test',
      ],
      ...[
        'swift build',
        'mix test',
        'deno lint',
        'terraform validate',
        'turbo run build',
        'cd a && npm test | tail -3',
        'cross-env CI=1 npm test',
      ],
    ])
      expect([command, isCheckCommand(command)]).toEqual([command, true])
  })

  test('text: installing, formatting in place, serving, reading and mentioning checks are no checks', () => {
    for (const command of [
      ...[
        'npm ci',
        'npm install',
        'npm install jest',
        'npm run dev',
        'npm run deploy',
        'npm run format',
        'yarn add vitest',
        'npx playwright install',
      ],
      ...[
        'prettier --write .',
        'gofmt -w .',
        'cargo fmt',
        'ruff format .',
        'black .',
        'mise run fmt',
        'go run ./cmd/test',
        'go mod tidy',
      ],
      ...[
        'git commit -m "run npm test"',
        'echo npm test',
        'cat test/a.test.ts',
        'grep -r vitest .',
        'ls test',
        'make install',
        'cargo run',
      ],
      ...[
        'docker run --rm x npm test',
        'mkdir test',
        '[ -f test ]',
        'test -d build',
        'rm -rf build',
        'git checkout build',
        '',
        '# npm test',
      ],
    ])
      expect([command, isCheckCommand(command)]).toEqual([command, false])
  })

  test('text: any line of words has a shape that begins with its family, without values or breaks', () => {
    fc.assert(
      fc.property(anyCommand, (command) => {
        expect(commandShape(command).startsWith(commandFamily(command))).toBe(true)
        expect(commandShape(command)).not.toMatch(/\n|^\s|=/)
      }),
      { numRuns: 500 },
    )
  })

  test('text: a filter behind a pipe, a redirection and another folder do not change the shape', () => {
    const simple = fc.constantFrom(
      'npm test',
      'git push -u origin a',
      'go build ./...',
      'python a.py --fast',
      'cargo test -p x',
    )
    const before = fc.constantFrom('', 'cd a && ', 'A=1 ', 'sudo ', 'echo hi; ', 'time ', 'cd "a b"; export X=1; ')
    const after = fc.constantFrom(
      '',
      ' 2>&1 | tail -5',
      ' > out.txt',
      ' && echo ok',
      ' || true',
      '; ls',
      ' 2>/dev/null; cat a',
    )
    fc.assert(
      fc.property(simple, before, after, (command, head, tail) => {
        expect(commandShape(head + command + tail)).toBe(commandShape(command))
      }),
    )
  })
})
