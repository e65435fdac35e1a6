// Commands of PowerShell and cmd, and the errors that they print, in English and Japanese.
import { expect, test } from 'vitest'
import { commandShape, coreCommand, isCheckCommand } from '../../src/text/command.ts'
import { errorSignature, salientLine } from '../../src/text/errorSignature.ts'

test('text: a command of PowerShell is its program, without variables, folders and filters', () => {
  const table = [
    ['cd C:/Users/me; npm test 2>&1 | Select-Object -Last 20', 'npm test'],
    ["$env:CI = '1'; npm test", 'npm test'],
    ['$env:CI="1"; npx vitest run src/a.test.ts', 'npx vitest'],
    ['& "C:/Program Files/nodejs/npm.cmd" run build', 'npm run build'],
    ['npm.CMD test', 'npm test'],
    ['./gradlew.bat test', 'gradlew test'],
    ['Set-Location C:/x; dotnet test --filter Cart', 'dotnet test --filter'],
    ['npm test; if ($LASTEXITCODE -ne 0) { exit 1 }', 'npm test'],
    ["Get-Content src/a.js | Select-String 'x'", 'Get-Content'],
  ]
  expect(table.map(([command = '']) => [command, commandShape(command)])).toEqual(table)
  expect(isCheckCommand('Set-Location x; npm test | Out-String')).toBe(true)
  expect(coreCommand('Get-ChildItem src; npx eslint src | Select-Object -First 5')).toBe('npx eslint src')
})

const AT = 'At line:1 char:1\r\n+ npm test\r\n+ ~~~\r\n    + CategoryInfo : ObjectNotFound: (npm:String) []\r\n'

test.each([
  [
    `npm : The term 'npm' is not recognized as the name of a cmdlet, function, or program.\r\n${AT}`,
    "npm : The term 'npm' is not recognized as the name of a cmdlet, function, or program.",
  ],
  [
    "'pnpm' is not recognized as an internal or external command,\r\noperable program or batch file.",
    "'pnpm' is not recognized as an internal or external command,",
  ],
  [
    "'pnpm' は、内部コマンドまたは外部コマンド、\r\n操作可能なプログラムまたはバッチ ファイルとして認識されていません。",
    "'pnpm' は、内部コマンドまたは外部コマンド、",
  ],
  [
    "pnpm : 用語 'pnpm' は、コマンドレットの名前として認識されません。\r\n発生場所 行:1 文字:1\r\n+ pnpm test",
    "pnpm : 用語 'pnpm' は、コマンドレットの名前として認識されません。",
  ],
  ['The system cannot find the path specified.\r\n', 'The system cannot find the path specified.'],
  ['指定されたパスが見つかりません。\r\n', '指定されたパスが見つかりません。'],
])('text: the line of an error that names it: %s', (error, line) => {
  expect(salientLine(error)).toBe(line)
})

test('text: an error has one signature wherever its file is', () => {
  const signatures = ['C:\\Users\\太郎\\shop\\a.js', 'C:/Users/太郎/shop/a.js', '/home/me/shop/a.js'].map((file) =>
    errorSignature('Bash', `Error: ENOENT: no such file, open '${file}'`),
  )
  expect(new Set(signatures).size).toBe(1)
})
