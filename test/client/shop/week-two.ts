// The second week of the shop: a session that dies, one that is compacted, one that goes on, and an open error.

import { CHANGELOG, DISCOUNT, DISCOUNT_TEST, PRICES_TEST, STOCK, STOCK_TEST, TAX_TEST } from './code.ts'
import { type Session, step, toolsOf } from './session.ts'

export function weekTwo(project: string): readonly Session[] {
  const { bash, read, write, edit } = toolsOf(project)
  const npmTest = bash('npm test', 'Run the tests')

  return [
    {
      name: 'stock-cut-short',
      at: '2026-03-09T10:02:00.000Z',
      before:
        "git switch -q main && git merge -q feature/receipt-ja && git switch -q -c feature/stock && printf 'item,count\\ntea,40\\ncoffee,25\\nmug,9\\nkettle,3\\n' > data/stock.csv && git add -A && git commit -q -m '在庫: 棚卸しの数'",
      prompt: ['Add a stock check: an order for more than we have must be refused. The numbers are in data/stock.csv.'],
      turns: [
        step(
          'Three looks at once.',
          read('data/stock.csv'),
          read('src/cart.js'),
          bash('git log --oneline -4', 'The last commits'),
        ),
        step('', write('src/stock.js', STOCK), write('test/stock.test.js', STOCK_TEST)),
        step('', npmTest),
        { hangs: true },
      ],
      dies: true,
    },
    {
      name: 'stock-finished',
      at: '2026-03-09T14:15:00.000Z',
      prompt: ['My laptop died in the middle of the stock check. Where were we? Please finish it.'],
      turns: [
        step('', bash('git status --short', 'What is not committed'), read('src/stock.js'), read('test/stock.test.js')),
        step('Code and test are written, nothing is committed. How do they do?', npmTest),
        step(
          'The path is relative to where npm runs, not to the file.',
          edit(
            'src/stock.js',
            "const fs = require('node:fs')\n\nconst rows = fs.readFileSync('../data/stock.csv', 'utf8')",
            "const fs = require('node:fs')\nconst path = require('node:path')\n\nconst rows = fs.readFileSync(path.join(__dirname, '../data/stock.csv'), 'utf8')",
          ),
        ),
        step('', npmTest),
        step('', bash('git add -A && git commit -m "在庫: 足りない注文を断る"', 'Commit')),
        'The stock check is done and committed. It failed with ENOENT because src/stock.js read ../data/stock.csv from the working folder; it now goes by __dirname.',
      ],
    },
    {
      name: 'untested-functions',
      at: '2026-03-10T10:30:00.000Z',
      env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' },
      prompt: [
        'Go through everything under src and tell me which functions have no test of their own. Then add what is missing.',
      ],
      turns: [
        step('', read('src/cart.js'), read('src/format.js'), read('src/prices.js'), read('src/tax.js')),
        step(
          '',
          read('src/receipt.js'),
          read('src/stock.js'),
          read('src/yen.js'),
          bash('ls test', 'The tests there are'),
        ),
        {
          text: 'priceOf and tax have no test of their own. I check that no other test calls them.',
          tools: [bash('git grep -nE "priceOf|tax\\(" -- test', 'Do tests name them')],
          usage: { input_tokens: 199_000 },
        },
        step('', write('test/tax.test.js', TAX_TEST), write('test/prices.test.js', PRICES_TEST)),
        step('', npmTest),
        step('253.5 is rounded up: the test was wrong, not the code.', edit('test/tax.test.js', '253)', '254)')),
        step('', npmTest),
        step('', bash('git add -A && git commit -m "テスト: 税と価格"', 'Commit')),
        'priceOf and tax had no test; both have one now. Half a cent of tax is rounded up.',
      ],
      summary:
        'The user asked which functions under src have no test of their own, and to add the missing ones. All of src was read: cart.js (total), format.js (money), prices.js (priceOf), tax.js (tax), receipt.js (receipt), stock.js (checkStock), yen.js (yen). Without a test of their own: priceOf and tax. Next: write test/tax.test.js and test/prices.test.js, without comments, run npm test, commit with a Japanese message.',
    },
    {
      name: 'release-check',
      at: '2026-03-11T16:40:00.000Z',
      before: 'git switch -q main && git merge -q feature/stock',
      prompt: ['Is 1.0.0 ready to go out? npm run release:check knows.'],
      turns: [
        step('', read('docs/release.md'), bash('npm run release:check', 'Ask the release check')),
        step(
          'The changelog has no entry. I look whether there is one.',
          bash('ls CHANGELOG.md docs', 'Is there a changelog'),
        ),
        step('', edit('package.json', '"version": "0.9.0"', '"version": "1.0.0"')),
        step('The version is right already; only the changelog is missing.', write('CHANGELOG.md', CHANGELOG)),
        step('', bash('npm run release:check', 'Ask the release check')),
        step('', bash('git add -A && git commit -m "リリース: 1.0.0 の変更履歴"', 'Commit')),
        'Ready: CHANGELOG.md had no entry for 1.0.0, now it has. The check prints its token in full; that should go.',
      ],
    },
    {
      name: 'discount',
      at: '2026-03-12T09:30:00.000Z',
      before: 'git switch -q -c feature/discount',
      prompt: [
        'Add discount codes: SPRING takes 10 % off a total. Put it into src/discount.js, with a test on three coffees.',
      ],
      turns: [
        step('', write('src/discount.js', DISCOUNT), write('test/discount.test.js', DISCOUNT_TEST)),
        step('', npmTest),
        step(
          'Prices are integer cents, so the result has to be rounded.',
          edit(
            'src/discount.js',
            'return cents * (1 - (CODES[code] ?? 0))',
            'return Math.round(cents * (1 - (CODES[code] ?? 0)))',
          ),
        ),
        step('', npmTest),
        'SPRING works, rounded to whole cents. Not committed yet.',
      ],
    },
    {
      name: 'discount-continued',
      at: '2026-03-12T15:10:00.000Z',
      args: ['--continue'],
      prompt: ['Codes must work in lower case too. Then commit.'],
      turns: [
        step('', edit('src/discount.js', 'CODES[code] ?? 0', 'CODES[code.toUpperCase()] ?? 0')),
        step(
          '',
          edit(
            'test/discount.test.js',
            "discounted(2535, 'SPRING'), 2282)\n",
            "discounted(2535, 'SPRING'), 2282)\n  assert.strictEqual(discounted(2535, 'spring'), 2282)\n",
          ),
        ),
        step('', npmTest),
        step('', bash('git add -A && git commit -m "割引: クーポンコード"', 'Commit')),
        'Lower case works, committed.',
      ],
    },
    {
      name: 'before-the-weekend',
      at: '2026-03-13T17:25:00.000Z',
      before: 'git switch -q main && git merge -q feature/discount && git clean -fdxq',
      prompt: ['Last look before the weekend: run npm test on main and tell me what you see. Change nothing.'],
      turns: [step('', npmTest), 'It fails: Cannot find module ../dist/prices.json. I have changed nothing.'],
    },
  ]
}
