// The files that the shop's sessions write, as they are first written: some with the mistake the session then meets.

export const FORMAT_CENTS = `function money(cents) {
  return \`€\${(cents / 100).toFixed(2)}\`
}

module.exports = { money }
`

export const RECEIPT = `const { priceOf } = require('./prices')
const { total, tax } = require('./cart')
const { money } = require('./format')

function receipt(cart) {
  const net = total(cart)
  const lines = cart.map(({ item, count }) => \`\${count} x \${item} \${money(priceOf(item) * count)}\`)
  return [...lines, \`VAT \${money(tax(net))}\`, \`Total \${money(net + tax(net))}\`].join('\\n')
}

module.exports = { receipt }
`

export const RECEIPT_TEST = `const test = require('node:test')
const assert = require('node:assert')
const { receipt } = require('../src/receipt')

test('a receipt ends with tax and total', () => {
  assert.strictEqual(receipt([{ item: 'coffee', count: 3 }]), '3 x coffee €25.35\\nVAT €2.54\\nTotal €27.89')
})
`

export const TAX = `function tax(cents) {
  return Math.round(cents * 0.1)
}

module.exports = { tax }
`

export const YEN = `function yen(amount) {
  return \`\${amount.toLocalString('ja-JP')}円\`
}

module.exports = { yen }
`

export const YEN_TEST = `const test = require('node:test')
const assert = require('node:assert')
const { yen } = require('../src/yen')

test('円は三桁ごとに区切る', () => {
  assert.strictEqual(yen(1234), '1,234円')
})
`

export const STOCK = `const fs = require('node:fs')

const rows = fs.readFileSync('../data/stock.csv', 'utf8').trim().split('\\n').slice(1)
const stock = Object.fromEntries(rows.map((row) => row.split(',')).map(([item, count]) => [item, Number(count)]))

function checkStock(cart) {
  for (const { item, count } of cart) {
    if (count > (stock[item] ?? 0)) throw new Error(\`Not enough \${item}: \${count} ordered, \${stock[item] ?? 0} there\`)
  }
}

module.exports = { checkStock }
`

export const STOCK_TEST = `const test = require('node:test')
const assert = require('node:assert')
const { checkStock } = require('../src/stock')

test('an order for more than there is is refused', () => {
  assert.throws(() => checkStock([{ item: 'kettle', count: 4 }]), /Not enough kettle/)
})

test('an order for all there is passes', () => {
  checkStock([{ item: 'kettle', count: 3 }])
})
`

export const TAX_TEST = `const test = require('node:test')
const assert = require('node:assert')
const { tax } = require('../src/tax')

test('tax is ten per cent in whole cents', () => {
  assert.strictEqual(tax(2535), 253)
})
`

export const PRICES_TEST = `const test = require('node:test')
const assert = require('node:assert')
const { priceOf } = require('../src/prices')

test('an unknown item has no price', () => {
  assert.throws(() => priceOf('sofa'), /Unknown item: sofa/)
})
`

export const CHANGELOG = `# Changelog

## 1.0.0

- Prices in integer cents
- Receipts with VAT, in yen as well
- A stock check
`

export const DISCOUNT = `const CODES = { SPRING: 0.1 }

function discounted(cents, code) {
  return cents * (1 - (CODES[code] ?? 0))
}

module.exports = { discounted }
`

export const DISCOUNT_TEST = `const test = require('node:test')
const assert = require('node:assert')
const { discounted } = require('../src/discount')

test('SPRING takes ten per cent off', () => {
  assert.strictEqual(discounted(2535, 'SPRING'), 2282)
})
`
