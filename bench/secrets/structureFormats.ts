// Secrets in structures: lists, pairs, tables and form fields.
import type { Random } from '../fixture/seededRandom.ts'
import { drawChars, drawKey, drawPassword } from './random.ts'
import { callOf, type Drawn, type Format, formatOf, formatsIn } from './sample.ts'

const structures = formatsIn('structures', 'output', 'read', 'write')

const SECRET_NAMES = ['DB_PASSWORD', 'API_TOKEN', 'CLIENT_SECRET', 'SMTP_PASS']

/** A name of a secret and a value, between two ordinary ones. */
export const drawPair = (random: Random): { name: string; value: string } => ({
  name: random.pick(SECRET_NAMES),
  value: drawKey(random),
})

export const drawn = (text: string, secret: string, ...kept: readonly string[]): Drawn => ({
  text,
  secrets: [secret],
  kept,
})

const LIST_FORMATS: readonly Format[] = [
  structures('list of lines', (random) => {
    const { name, value } = drawPair(random)
    const text = JSON.stringify({ env: ['REGION=east', `${name}=${value}`, 'PORT=5432'] })
    return drawn(text, value, 'REGION=east', 'PORT=5432')
  }),
  structures('list of lines of a key', (random) => {
    const lines = Array.from({ length: 5 }, () => drawChars(random, 'base64', 64))
    const dashes = '-----'
    const title = 'RSA PRIVATE KEY'
    const text = JSON.stringify(
      [`${dashes}BEGIN ${title}${dashes}`, ...lines, `${dashes}END ${title}${dashes}`],
      null,
      1,
    )
    return { text, secrets: lines }
  }),
  structures('name and value on one line', (random) => {
    const { name, value } = drawPair(random)
    const [first, second] = random.pick([
      ['name', 'value'],
      ['key', 'value'],
      ['Key', 'Value'],
      ['ParameterKey', 'ParameterValue'],
      ['id', 'content'],
    ])
    const list = [
      { [first ?? '']: 'REGION', [second ?? '']: 'east' },
      { [first ?? '']: name, [second ?? '']: value },
    ]
    return drawn(JSON.stringify(list), value, 'REGION', 'east')
  }),
  structures('name and value on two lines', (random) => {
    const { name, value } = drawPair(random)
    return drawn(JSON.stringify([{ name, value, type: 'text' }], null, 2), value, name, '"type": "text"')
  }),
  structures('name, type and value', (random) => {
    const { name, value } = drawPair(random)
    const text = JSON.stringify([{ name, type: 'SecureString', value, version: 3 }])
    return drawn(text, value, 'SecureString', '"version":3')
  }),
  structures('value before name', (random) => {
    const { name, value } = drawPair(random)
    return drawn(JSON.stringify([{ value, name, version: 3 }]), value, '"version":3')
  }),
  structures('list of arguments', (random) => {
    const password = drawPassword(random)
    const option = random.pick(['--password', '--token', '--client-secret', '--api-key', '-p'])
    const text = JSON.stringify({ command: 'mysql', args: ['--user', 'bob', option, password, '--verbose'] })
    return option === '-p' ? drawn(text.replace('"-p","', '"-p'), password, '--verbose') : drawn(text, password, 'bob')
  }),
  structures('list of arguments with =', (random) => {
    const password = drawPassword(random)
    const text = `spawn('tool', ['login', '--user=bob', '--password=${password}', '--verbose'])`
    return drawn(text, password, '--user=bob', '--verbose')
  }),
  structures('number as password', (random) => {
    const pin = String(10_000_000 + random.below(89_999_999))
    const name = random.pick(['password', 'passcode', 'otp', 'pin'])
    return drawn(`{"user": "bob", "${name}": ${pin}, "port": 5432}`, pin, '"user": "bob"', '"port": 5432')
  }),
  structures('nested secret', (random) => {
    const value = drawKey(random)
    const text = JSON.stringify({ secrets: { staging: value, region: 'east' }, port: 5432 })
    return drawn(text, value, '"port":5432')
  }),
  structures('list of tokens', (random) => {
    const values = [drawKey(random), drawKey(random)]
    return { text: JSON.stringify({ api_keys: values, port: 5432 }), secrets: values, kept: ['"port":5432'] }
  }),
]

const TABLE_FORMATS: readonly Format[] = [
  structures('markdown table of names', (random) => {
    const { name, value } = drawPair(random)
    return drawn(`| name | value |\n|---|---|\n| REGION | east |\n| ${name} | ${value} |\n`, value, 'REGION', 'east')
  }),
  structures('markdown table with code', (random) => {
    const { name, value } = drawPair(random)
    const text = `| name | value |\n|---|---|\n| REGION | east |\n| \`${name}\` | \`${value}\` |\n`
    return drawn(text, value, 'REGION', 'east')
  }),
  structures('column of a query', (random) => {
    const password = drawPassword(random)
    const head = ' id | name |   password   | city\n----+------+--------------+------'
    const text = `${head}\n  1 | bob  | ${password} | Rome\n(1 row)\n`
    return drawn(text, password, 'bob', 'Rome')
  }),
  structures('column between lines', (random) => {
    const key = drawKey(random)
    const line = '+----+---------+------+'
    const text = `${line}\n| id | api_key | city |\n${line}\n|  1 | ${key} | Rome |\n${line}\n`
    return drawn(text, key, 'Rome')
  }),
  structures('markdown column', (random) => {
    const password = drawPassword(random)
    const rows = [`| bob | ${password} | admin |`, `| eve | ${password}x | guest |`]
    const text = `| user | password | role |\n|---|---|---|\n${rows.join('\n')}\n`
    return drawn(text, password, 'bob', 'admin', 'guest')
  }),
  structures('comma-separated columns', (random) => {
    const password = drawPassword(random)
    return drawn(`user,password,city\nbob,${password},Rome\n`, password, 'bob', 'Rome')
  }),
  structures('tab-separated columns', (random) => {
    const key = drawKey(random)
    return drawn(`user\tsecret\tcity\nbob\t${key}\tRome\n`, key, 'bob', 'Rome')
  }),
  structures('aligned columns of names', (random) => {
    const { name, value } = drawPair(random)
    return drawn(`NAME            VALUE\nREGION          east\n${name.padEnd(16)}${value}\n`, value, 'REGION', 'east')
  }),
  structures('vertical record', (random) => {
    const password = drawPassword(random)
    return drawn(`-[ RECORD 1 ]-\nname     | bob\npassword | ${password}\ncity     | Rome\n`, password, 'bob', 'Rome')
  }),
]

const FORM_FORMATS: readonly Format[] = [
  formatOf('form fields', 'fields of a browser form', (random) => {
    const password = drawPassword(random)
    const name = random.pick(['Password', 'New password', 'パスワード', 'Passphrase'])
    const fields = [
      { name: 'Email', type: 'textbox', ref: 'e12', value: 'bob@example.com' },
      { name, type: 'textbox', ref: 'e15', value: password },
    ]
    return { fields: callOf('mcp__browser__fill_form', { fields }), secrets: [password], kept: ['bob@example.com'] }
  }),
  formatOf('form fields', 'text typed into a field', (random) => {
    const password = drawPassword(random)
    const element = random.pick(['Password field', 'the password input', 'パスワード'])
    const input = { element, ref: 'e15', text: password, submit: true }
    return { fields: callOf('mcp__browser__type', input), secrets: [password], kept: ['e15'] }
  }),
  formatOf('form fields', 'value for a selector', (random) => {
    const password = drawPassword(random)
    const selector = random.pick(['#password', 'input[name="password"]', 'input[type=password]'])
    return { fields: callOf('mcp__puppeteer__fill', { selector, value: password }), secrets: [password] }
  }),
  formatOf('form fields', 'script that fills a page', (random) => {
    const password = drawPassword(random)
    const script = random.pick([
      `await page.fill('#password', '${password}')\nawait page.click('#go')`,
      `await page.getByLabel('Password').fill('${password}')\nawait page.click('#go')`,
      `cy.get('input[name=password]').type('${password}')\nawait page.click('#go')`,
    ])
    return { fields: callOf('mcp__browser__evaluate', { script }), secrets: [password], kept: ["page.click('#go')"] }
  }),
  structures('input element', (random) => {
    const password = drawPassword(random)
    const text = random.pick([
      `<form><input type="password" name="password" value="${password}"><button>Go</button></form>`,
      `<form><input name="user_pass" type="text" value="${password}"/><button>Go</button></form>`,
    ])
    return drawn(text, password, '<button>Go</button>')
  }),
  structures('multipart form', (random) => {
    const password = drawPassword(random)
    const text = `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${password}\r\n--x--\r\n`
    return drawn(text, password, 'form-data')
  }),
]

export const STRUCTURE_FORMATS: readonly Format[] = [...LIST_FORMATS, ...TABLE_FORMATS, ...FORM_FORMATS]
