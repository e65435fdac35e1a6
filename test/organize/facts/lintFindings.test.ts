// The outputs of linters and compilers, as they print them, and texts that only look like findings.
import { expect, test } from 'vitest'
import { findLintFindings } from '../../../src/organize/facts/rules/lintFindings.ts'

test.each([
  ['gcc', 'src/a.c:12:5: warning: comparison of different signs [-Wsign-compare]', '-Wsign-compare'],
  ['clang-tidy', 'src/a.cpp:3:7: warning: use nullptr [modernize-use-nullptr]', 'modernize-use-nullptr'],
  ['mypy', 'app/x.py:10: error: Function is missing a return type annotation  [no-untyped-def]', 'no-untyped-def'],
  ['pylint', 'app/x.py:10:0: C0116: Missing docstring (missing-function-docstring)', 'missing-function-docstring'],
  ['flake8', 'app/x.py:10:80: E501 line too long (92 > 79 characters)', 'E501'],
  ['hadolint', 'Dockerfile:3 DL3008 warning: Pin versions in apt get install', 'DL3008'],
  ['ktlint', 'src/A.kt:3:1: Wildcard import (standard:no-wildcard-imports)', 'standard:no-wildcard-imports'],
  ['detekt', 'src/A.kt:12:9: The function foo is too long. [LongMethod]', 'LongMethod'],
  ['swiftlint', 'A.swift:3:1: warning: Line Length Violation: too long (line_length)', 'line_length'],
  ['yamllint', './ci.yml:1:1: [warning] missing document start (document-start)', 'document-start'],
  ['dotnet', 'src/Foo.cs(12,9): warning CA1822: Mark it static [/app/Foo.csproj]', 'CA1822'],
  ['markdownlint', 'docs/a.md:3:81 error MD013/line-length Line length [Expected: 80]', 'MD013/line-length'],
  ['shellcheck', 'bin/x.sh:3:6: note: Double quote to prevent globbing. [SC2086]', 'SC2086'],
  ['tsc', "src/a.ts:3:5 - error TS2532: Object is possibly 'undefined'.", 'TS2532'],
  ['stylelint', 'src/a.css\n  3:5  ✖  Unexpected empty block  block-no-empty', 'block-no-empty'],
  ['golangci-lint', 'a.go:3:2: ifElseChain: rewrite to switch (gocritic)', 'gocritic ifElseChain'],
  ['golangci-lint, a block', 'a.go:3: 3-9 lines are duplicate of `a.go:20-26` (dupl)\n1 issues:', 'dupl'],
  [
    'clippy',
    'warning: unneeded `return`\n --> src/lib.rs:3:5\n  = note: `#[warn(clippy::needless_return)]`',
    'clippy::needless_return',
  ],
  ['ruff', 'UP006 [*] Use `list` instead of `List`\n --> app/x.py:4:8\n4 | def f(x: List[int]):', 'UP006'],
])('facts: a finding of %s is read', (_tool, output, rule) => {
  expect(findLintFindings(output).map((finding) => finding.rule)).toEqual([rule])
})

test.each([
  ['prose with a place', 'main.go:12: this comes later (later)'],
  ['a failed assertion', 'src/x.test.ts:31:9 AssertionError: expected 3 to be 4 (deep)'],
  ['a test of Go', '    cart_test.go:31: total = 3, want 4 (with a discount)'],
  ['a stack trace', '    at total (src/a.ts:3:5)'],
  ['a log', '2026/01/13 12:37:04 INFO hook=stop (shadow)'],
  ['a search', 'src/a.ts:12:5: const x = f(y)'],
  ['a borrow error of Rust', 'error[E0382]: borrow of moved value: `v`\n --> src/main.rs:6:10'],
  ['a name that C# does not know', "src/Foo.cs(12,9): error CS0103: The name 'x' does not exist [/app/Foo.csproj]"],
])('facts: %s is no finding', (_what, output) => {
  expect(findLintFindings(output)).toEqual([])
})
