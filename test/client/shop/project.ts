// The sample project of the recordings: a shop of a few files whose commands really run, in a git repository.
// Its tests need dist/prices.json, which a fresh clone does not have: that is the error which comes back.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const FILES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "shop",
  "version": "1.0.0",
  "private": true,
  "scripts": {
    "test": "node --test",
    "build:prices": "node scripts/build-prices.js",
    "release:check": "node scripts/release-check.js"
  }
}
`,
  '.gitignore': 'node_modules/\ndist/\n',
  'data/prices.csv': 'item,price\ntea,3.10\ncoffee,8.45\nmug,12.90\nkettle,39.00\n',
  'scripts/build-prices.js': `const fs = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..')
const rows = fs.readFileSync(path.join(root, 'data/prices.csv'), 'utf8').trim().split('\\n').slice(1)
const prices = Object.fromEntries(rows.map((row) => row.split(',')).map(([item, price]) => [item, Number(price)]))
fs.mkdirSync(path.join(root, 'dist'), { recursive: true })
fs.writeFileSync(path.join(root, 'dist/prices.json'), JSON.stringify(prices, null, 2))
console.log(\`wrote dist/prices.json (\${rows.length} items)\`)
`,
  // The token is put together as it is printed, so that no file of the shop looks like one with a secret in it.
  'scripts/release-check.js': `const fs = require('node:fs')
const { version } = require('../package.json')

const token = ['ghp', 'FAKE'.repeat(9)].join('_')
console.log('registry https://registry.example.com')
console.log('token    ' + token)
const changelog = fs.existsSync('CHANGELOG.md') ? fs.readFileSync('CHANGELOG.md', 'utf8') : ''
if (!changelog.includes(version)) {
  console.error('Error: CHANGELOG.md has no entry for ' + version)
  process.exit(1)
}
console.log('ready    ' + version)
`,
  'src/prices.js': `const prices = require('../dist/prices.json')

function priceOf(item) {
  if (!(item in prices)) throw new Error(\`Unknown item: \${item}\`)
  return prices[item]
}

module.exports = { priceOf }
`,
  'src/cart.js': `const { priceOf } = require('./prices')

function total(cart) {
  return cart.reduce((sum, { item, count }) => sum + priceOf(item) * count, 0)
}

module.exports = { total }
`,
  'src/format.js': `function money(amount) {
  return \`€\${amount.toFixed(2)}\`
}

module.exports = { money }
`,
  'test/cart.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { total } = require('../src/cart')

test('a cart adds up', () => {
  assert.strictEqual(total([{ item: 'tea', count: 2 }]), 6.2)
})
`,
  'test/format.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { money } = require('../src/format')

test('money has two places', () => {
  assert.strictEqual(money(6.2), '€6.20')
})
`,
}

/** Writes the shop into `folder` (made if missing) and commits it on branch main, dated `at`. */
export function makeShop(folder: string, at: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  runInShop(folder, 'git init -q -b main && git config user.name dev && git config user.email dev@example.com', at)
  runInShop(folder, 'git add -A && git commit -q -m "A shop"', at)
}

/** Runs a shell line as the person at the keyboard would, outside of any session. Throws if it fails. */
export function runInShop(folder: string, line: string, at: string): void {
  const env = { PATH: process.env['PATH'], HOME: path.dirname(folder), ...gitDates(at) }
  execFileSync('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Variables under which git commits at `at` (ISO), so that history and recording agree. */
export function gitDates(at: string): Record<string, string> {
  return { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }
}
