// The first week of the shop: a fresh clone that will not test, integer cents, receipts, and the first error again.

import { FORMAT_CENTS, RECEIPT, RECEIPT_TEST, TAX, YEN, YEN_TEST } from './code.ts'
import { type Session, step, toolsOf } from './session.ts'

export function weekOne(project: string): readonly Session[] {
  const { bash, read, write, edit, grep, explore } = toolsOf(project)
  const npmTest = bash('npm test', 'Run the tests')
  const buildPrices = bash('npm run build:prices', 'Build dist/prices.json')

  return [
    {
      name: 'fresh-clone',
      at: '2026-03-02T10:12:00.000Z',
      prompt: [
        'I just cloned the shop onto my new laptop and npm test fails right away. Can you get the tests to run? And from now on, please: keep your answers short, and never add comments to tests.',
      ],
      turns: [
        step('I will run them first.', npmTest),
        step('A module is missing. Perhaps nothing is installed yet.', bash('npm install', 'Install the packages')),
        step('', npmTest),
        step(
          'It is not a package: dist/prices.json is built. I look for what builds it.',
          read('package.json'),
          bash('ls dist scripts', 'What is built, and by what'),
        ),
        step('There is a script for it.', buildPrices),
        step('', npmTest),
        'The tests pass. A fresh clone has no dist/prices.json; `npm run build:prices` makes it.',
      ],
    },
    {
      name: 'integer-cents',
      at: '2026-03-03T09:41:00.000Z',
      prompt: [
        'A customer was charged 25.349999999999998 for three coffees. Please write a test that shows it.',
        'We decided to keep prices in integer cents everywhere; only src/format.js turns cents into text. Please change it so.',
      ],
      turns: [
        step('', read('test/cart.test.js'), read('src/cart.js')),
        step(
          '',
          edit(
            'test/cart.test.js',
            "{ item: 'tea', count: 2 }]), 6.2)\n})\n",
            "{ item: 'tea', count: 2 }]), 6.2)\n})\n\ntest('three coffees cost what the label says', () => {\n  assert.strictEqual(total([{ item: 'coffee', count: 3 }]), 25.35)\n})\n",
          ),
        ),
        step('', npmTest),
        'The new test fails: 25.349999999999998 instead of 25.35. Floats cannot hold 8.45. Either integer cents or a decimal library.',
        step(
          'Then the build writes cents.',
          read('scripts/build-prices.js'),
          read('src/format.js'),
          read('test/format.test.js'),
        ),
        step(
          '',
          edit('scripts/build-prices.js', 'Number(price)]', 'Math.round(Number(price) * 100)]'),
          write('src/format.js', FORMAT_CENTS),
        ),
        step('', bash('npm run build:prices && npm test', 'Build the prices and run the tests')),
        step(
          'The old expectations are still in euros.',
          edit('test/cart.test.js', '6.2)', '620)'),
          edit('test/cart.test.js', '25.35)', '2535)'),
          edit('test/format.test.js', 'money(6.2)', 'money(620)'),
        ),
        step('', npmTest),
        step('', bash('git add -A && git commit -m "Keep prices in integer cents"', 'Commit')),
        'Decided and done: prices are integer cents everywhere, and only src/format.js makes text of them. The tests pass.',
      ],
    },
    {
      name: 'where-prices-are-read',
      at: '2026-03-04T09:05:00.000Z',
      before: 'git switch -q -c feature/receipt',
      prompt: ['Before I add receipts: who reads prices, and who formats them? Let an explorer look; change nothing.'],
      turns: [
        step(
          'I let an explorer look.',
          explore(
            'Find the readers of prices',
            'EXPLORE: who calls priceOf and money in the shop? Report files and functions.',
          ),
        ),
        'src/cart.js alone reads prices, through priceOf. Nobody calls money() yet: the receipt would be the first.',
      ],
      routes: [
        {
          name: 'explorer',
          firstSays: 'EXPLORE: who calls priceOf',
          turns: [
            step('', grep('priceOf|money', 'src'), bash('git grep -n "require(" -- src', 'Who requires what')),
            step('', read('src/cart.js')),
            'priceOf is defined in src/prices.js and called once, by total in src/cart.js. money is defined in src/format.js and called only by its test. A receipt should call total for the sum and money for each line.',
          ],
        },
      ],
    },
    {
      name: 'receipt-and-tax',
      at: '2026-03-04T15:48:00.000Z',
      prompt: [
        'Write src/receipt.js: one line for each item, then 10 % VAT, then the total. With a test.',
        'No, not there: the tax goes into src/tax.js. cart.js only adds up.',
        'Thanks, that is exactly what I wanted. Commit it.',
      ],
      turns: [
        step('', read('src/cart.js'), read('src/format.js')),
        step(
          '',
          edit(
            'src/cart.js',
            'module.exports = { total }',
            'function tax(cents) {\n  return Math.round(cents * 0.1)\n}\n\nmodule.exports = { total, tax }',
          ),
          write('src/receipt.js', RECEIPT),
          write('test/receipt.test.js', RECEIPT_TEST),
        ),
        step('', npmTest),
        'Receipts work. tax() stands in src/cart.js beside total().',
        step(
          'Moving it.',
          edit(
            'src/cart.js',
            'function tax(cents) {\n  return Math.round(cents * 0.1)\n}\n\nmodule.exports = { total, tax }',
            'module.exports = { total }',
          ),
          write('src/tax.js', TAX),
        ),
        step('', npmTest),
        step(
          'The receipt still takes tax from the cart.',
          edit(
            'src/receipt.js',
            "const { total, tax } = require('./cart')",
            "const { total } = require('./cart')\nconst { tax } = require('./tax')",
          ),
        ),
        step('', npmTest),
        'tax() is in src/tax.js now; src/cart.js only adds up. The tests pass.',
        step('', bash('git add -A && git commit -m "Receipts with VAT"', 'Commit')),
        'Committed.',
      ],
    },
    {
      name: 'red-again',
      at: '2026-03-05T11:20:00.000Z',
      before: 'git clean -fdxq',
      prompt: ['npm test is red again, and all I did was clean the folder. What is it this time?'],
      turns: [
        step('', npmTest),
        step('dist/prices.json is gone with the cleaning. It is built, not committed.', buildPrices),
        step('', npmTest),
        'The same as on the first day: no dist/prices.json. `npm run build:prices` brought it back, the tests pass.',
      ],
    },
    {
      name: 'receipt-ja',
      at: '2026-03-06T13:30:00.000Z',
      before: 'git switch -q main && git merge -q feature/receipt && git switch -q -c feature/receipt-ja',
      prompt: [
        '領収書を日本語でも出せるようにします。まず金額を「1,234円」の形にする関数を src/yen.js に作ってください。テストもお願いします。',
        'ありがとう。今後はコミットメッセージを日本語で書いてください。では、コミットしてください。',
      ],
      turns: [
        step('既存の表示方法を確認します。', read('src/format.js')),
        step('', write('src/yen.js', YEN), write('test/yen.test.js', YEN_TEST)),
        step('', bash('npm test', 'テストを実行する')),
        step(
          'メソッド名の綴りが違っていました。正しくは toLocaleString です。',
          edit('src/yen.js', 'toLocalString', 'toLocaleString'),
        ),
        step('', bash('npm test', 'テストを実行する')),
        'src/yen.js を作りました。最初は toLocalString という綴りの誤りで失敗しましたが、toLocaleString に直してテストは全部通りました。',
        step('', bash('git add -A && git commit -m "領収書: 金額を円で表示する"', 'コミットする')),
        '日本語のメッセージでコミットしました。今後もコミットメッセージは日本語で書きます。',
      ],
    },
  ]
}
