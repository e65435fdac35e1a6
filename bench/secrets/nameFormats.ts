// Secrets that are known by the name before them, in every syntax of settings and code.
import type { Random } from '../fixture/seededRandom.ts'
import { drawChars, drawKey, drawPassword } from './random.ts'
import { type Drawn, type Format, formatsIn } from './sample.ts'

type Value = (random: Random) => string

const key: Value = drawKey
const digits =
  (length: number): Value =>
  (random) =>
    String(1 + random.below(9)) + drawChars(random, 'digit', length - 1)
const base64 =
  (length: number): Value =>
  (random) =>
    drawChars(random, 'base64', length)

/** Names as constants, with a value that fits. The service before a name is invented. */
const CONSTANTS: readonly (readonly [name: string, value: Value])[] = [
  ['SMTP_PASS', drawPassword],
  ['PASS', drawPassword],
  ['DB_PW', drawPassword],
  ['ADMIN_PWD', drawPassword],
  ['PGPASSWORD', drawPassword],
  ['APP_SALT', key],
  ['WALLET_SEED', key],
  ['LOGIN_OTP', digits(6)],
  ['CARD_PIN', digits(4)],
  ['MAPS_KEY', key],
  ['WEBHOOK_SECRET', key],
  ['SESSION_COOKIE', key],
  ['API_TOKEN', key],
  ['RECOVERY_CODE', (random) => `${drawChars(random, 'alnum', 5)}-${drawChars(random, 'alnum', 5)}7`],
  ['BASIC_AUTH', (random) => `deploy:${drawPassword(random)}`],
  ['DEPLOY_CREDENTIALS', key],
  ['KEYSTORE_PASSPHRASE', drawPassword],
  ['ACCESS_KEY', key],
]

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A place for a name and its value. `kept` is ordinary text beside them. */
type Syntax = (name: string, value: string) => { readonly text: string; readonly kept: readonly string[] }

const SYNTAXES: Readonly<Record<string, Syntax>> = {
  'env line': (name, value) => ({ text: `HOST=db.example.com\n${name}=${value}\nPORT=5432\n`, kept: ['PORT=5432'] }),
  'quoted env line': (name, value) => ({ text: `export ${name}="${value}"\necho ready\n`, kept: ['echo ready'] }),
  'yaml field': (name, value) => ({
    text: `service:\n  region: east\n  ${name.toLowerCase()}: ${value}\n  port: 5432\n`,
    kept: ['region: east', 'port: 5432'],
  }),
  'json field': (name, value) => ({
    text: JSON.stringify({ region: 'east', [camelCase(name)]: value, port: 5432 }),
    kept: ['"region":"east"', '"port":5432'],
  }),
  'pretty json': (name, value) => ({
    text: JSON.stringify({ region: 'east', [name]: value, port: 5432 }, null, 2),
    kept: ['"port": 5432'],
  }),
  'assignment in code': (name, value) => ({
    text: `const ${camelCase(name)} = '${value}'\nconnect(region)\n`,
    kept: ['connect(region)'],
  }),
  'ini with spaces': (name, value) => ({
    text: `[mail]\nhost = mail.example.com\n${name.toLowerCase()} = ${value}\n`,
    kept: ['host = mail.example.com'],
  }),
  'properties file': (name, value) => ({
    text: `mail.host=smtp.example.com\nmail.${name.toLowerCase().replaceAll('_', '.')}=${value}\n`,
    kept: ['mail.host=smtp.example.com'],
  }),
  'xml element': (name, value) => ({
    text: `<server><id>east</id><${camelCase(name)}>${value}</${camelCase(name)}></server>`,
    kept: ['<id>east</id>'],
  }),
}

const values = formatsIn('names', 'output', 'read', 'write', 'edit', 'failure')
const configs = formatsIn('names', 'output', 'read', 'write')

/** One format for each pair of a syntax and a name would be too many: a name is chosen at random for each sample. */
const bySyntax = Object.entries(SYNTAXES).map(([syntax, write]) =>
  values(syntax, (random) => {
    const [name, draw] = random.pick(CONSTANTS)
    const value = draw(random)
    return { ...write(name, value), secrets: [value] }
  }),
)

/** Each name in syntaxes chosen at random. */
const byName = CONSTANTS.map(([name, draw]) =>
  values(`name ${name}`, (random) => {
    const value = draw(random)
    const prefix = random.pick(['', 'STAGING_', 'APP_'])
    return { ...random.pick(Object.values(SYNTAXES))(prefix + name, value), secrets: [value] }
  }),
)

const kubeconfig = (random: Random): Drawn => {
  const certificate = base64(400)(random)
  const clientKey = base64(400)(random)
  const fields = [`client-certificate-data: ${certificate.slice(0, 40)}`, `client-key-data: ${clientKey}=`]
  const text = `users:\n- name: admin\n  user:\n    ${fields.join('\n    ')}\n`
  return { text, secrets: [clientKey], kept: ['name: admin'] }
}

export const NAME_FORMATS: readonly Format[] = [
  ...bySyntax,
  ...byName,
  configs('client-key-data of kubectl', kubeconfig),
  configs('recovery phrase', (random) => {
    const words = 'ripple cactus oxygen lunar tunnel velvet harvest mimic quantum pistol glance erode'.split(' ')
    const phrase = Array.from({ length: 12 }, () => random.pick(words)).join(' ')
    const name = random.pick(['MNEMONIC', 'SEED_PHRASE', 'WALLET_MNEMONIC'])
    return { text: `CHAIN=main\n${name}="${phrase}"\n`, secrets: [phrase], kept: ['CHAIN=main'] }
  }),
  configs('npmrc', (random) => {
    const token = drawKey(random)
    const text = `registry=https://npm.example.com/\n//npm.example.com/:_authToken=${token}\n`
    return { text, secrets: [token], kept: ['registry=https://npm.example.com/'] }
  }),
  configs('netrc', (random) => {
    const password = drawPassword(random)
    const text = `machine api.example.com\n  login bob\n  password ${password}\n`
    return { text, secrets: [password], kept: ['machine api.example.com', 'login bob'] }
  }),
  configs('pgpass', (random) => {
    const password = drawPassword(random)
    return { text: `db.example.com:5432:shop:bob:${password}\n`, secrets: [password], kept: ['db.example.com:5432'] }
  }),
  configs('htpasswd', (random) => {
    const hash = `${drawChars(random, 'alnum', 22)}${drawChars(random, 'alnum', 31)}`
    return { text: `bob:$2y$10$${hash}\n`, secrets: [hash], kept: ['bob:'] }
  }),
  configs('wireguard', (random) => {
    const secret = `${base64(42)(random)}A`
    return { text: `[Interface]\nPrivateKey = ${secret}=\nListenPort = 51820\n`, secrets: [secret], kept: ['51820'] }
  }),
  configs('key of a web token', (random) => {
    const d = drawChars(random, 'url64', 43)
    const text = JSON.stringify({ kty: 'EC', crv: 'P-256', d, kid: 'first' })
    return { text, secrets: [d], kept: ['"crv":"P-256"'] }
  }),
  configs('azure connection string', (random) => {
    const secret = base64(86)(random)
    const text = `Protocol=https;AccountName=shop;AccountKey=${secret}==;EndpointSuffix=core.windows.net`
    return { text, secrets: [secret], kept: ['AccountName=shop'] }
  }),
  configs('sql connection string', (random) => {
    const password = drawPassword(random)
    const name = random.pick(['Password', 'Pwd', 'PWD'])
    const text = `Server=db;Database=shop;User Id=sa;${name}=${password};Encrypt=true`
    return { text, secrets: [password], kept: ['User Id=sa', 'Encrypt=true'] }
  }),
  configs('aws credentials file', (random) => {
    const secret = base64(40)(random)
    const text = `[default]\nregion = eu-west-1\naws_secret_access_key = ${secret}\n`
    return { text, secrets: [secret], kept: ['region = eu-west-1'] }
  }),
  configs('python keyword argument', (random) => {
    const password = drawPassword(random)
    const name = random.pick(['password', 'passwd', 'pass_', 'secret_key'])
    return { text: `connect(host="db", ${name}="${password}", port=5432)\n`, secrets: [password], kept: ['port=5432'] }
  }),
  configs('default of a variable', (random) => {
    const password = drawPassword(random)
    const text = `const password = process.env.DB_PASSWORD || '${password}'\nconst port = 5432\n`
    return { text, secrets: [password], kept: ['const port = 5432'] }
  }),
]
