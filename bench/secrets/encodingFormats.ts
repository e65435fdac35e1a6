// Secrets in texts that are encoded, coloured, split over lines or glued to a word.
import type { Random } from '../fixture/seededRandom.ts'
import { drawChars, drawKey, drawPassword } from './random.ts'
import { type Format, formatsIn } from './sample.ts'
import { drawn, drawPair } from './structureFormats.ts'

const encodings = formatsIn('encodings', 'output', 'read', 'failure')

const github = (random: Random): string => `gh${'p_'}${drawChars(random, 'alnum', 36)}`

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const percent = (text: string): string =>
  [...text].map((char) => (/[A-Za-z0-9]/.test(char) ? char : `%${Buffer.from(char).toString('hex')}`)).join('')

export const ENCODING_FORMATS: readonly Format[] = [
  encodings('behind colours', (random) => {
    const { name, value } = drawPair(random)
    const esc = '\u001b'
    return drawn(`${esc}[1m${name}${esc}[0m=${esc}[32m${value}${esc}[0m\nready\n`, value, 'ready')
  }),
  encodings('colours inside', (random) => {
    const { name, value } = drawPair(random)
    const esc = '\u001b'
    const text = `${name}=${value.slice(0, 9)}${esc}[0m${esc}[36m${value.slice(9)}${esc}[0m\nready\n`
    return { text, secrets: [value.slice(0, 9), value.slice(9)], kept: ['ready'] }
  }),
  encodings('zero-width characters', (random) => {
    const token = github(random)
    const sign = random.pick(['\u200b', '\u200d', '\ufeff', '\u00ad', '\u2060'])
    const text = `using ${token.slice(0, 3)}${sign}${token.slice(3, 12)}${sign}${token.slice(12)} now\n`
    return { text, secrets: [token.slice(4, 12), token.slice(12)], kept: ['using', 'now'] }
  }),
  encodings('glued to a word', (random) => {
    const token = github(random)
    return drawn(`${random.pick(['token', 'Bearer', 'x', 'value'])}${token} was used\n`, token.slice(4), 'was used')
  }),
  encodings('base64 of an assignment', (random) => {
    const { name, value } = drawPair(random)
    const encoded = base64(`REGION=east\n${name}=${value}\n`)
    return drawn(`data: ${encoded}\nready\n`, encoded.slice(20, -8), 'ready')
  }),
  encodings('base64 of a token', (random) => {
    const encoded = base64(github(random))
    return drawn(`data: ${encoded}\nready\n`, encoded.slice(4), 'ready')
  }),
  encodings('base64 of a password', (random) => {
    const password = drawPassword(random)
    const encoded = base64(password)
    const text = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: ${encoded}\n`
    return drawn(text, encoded.replace(/=+$/, ''), 'kind: Secret', 'name: db')
  }),
  encodings('data of a kubernetes secret', (random) => {
    const encoded = base64(drawKey(random))
    const text = `apiVersion: v1\ndata:\n  tls.conf: ${encoded}\nkind: Secret\nmetadata:\n  name: db\n`
    return drawn(text, encoded.replace(/=+$/, ''), 'kind: Secret', 'name: db')
  }),
  encodings('percent-encoded address', (random) => {
    const password = drawPassword(random)
    const address = percent(`postgres://bob:${password}@db.example.com/shop`)
    return drawn(`open?url=${address}&x=1\n`, percent(password), '&x=1')
  }),
  encodings('percent-encoded assignment', (random) => {
    const value = drawKey(random).replace(/[_-]/g, 'a')
    return drawn(`body=user%3Dbob%26password%3D${value}%26city%3DRome\n`, value, 'city%3DRome')
  }),
  encodings('escaped three times', (random) => {
    const { name, value } = drawPair(random)
    const text = JSON.stringify(JSON.stringify(JSON.stringify({ region: 'east', [name]: value })))
    return drawn(text, value, 'region', 'east')
  }),
  encodings('escaped three times, one character each', (random) => {
    const value = drawPassword(random)
    const text = JSON.stringify(JSON.stringify(JSON.stringify({ cmd: `export DB_PASSWORD="${value}"\nrun` })))
    return drawn(text, value, 'run')
  }),
  encodings('split by a backslash', (random) => {
    const token = github(random)
    const text = `curl -H "X-Service: ${token.slice(0, 14)}\\\n${token.slice(14)}" https://api.example.com\n`
    return { text, secrets: [token.slice(4, 14), token.slice(14)], kept: ['https://api.example.com'] }
  }),
  encodings('split over lines', (random) => {
    const { name } = drawPair(random)
    const value = drawChars(random, 'alnum', 90)
    const text = `${name}=${value.slice(0, 64)}\n${value.slice(64)}\n\nready\n`
    return { text, secrets: [value.slice(0, 64), value.slice(64)], kept: ['ready'] }
  }),
  encodings('joined strings', (random) => {
    const token = github(random)
    const text = `const parts = '${token.slice(0, 14)}' +\n  '${token.slice(14)}'\nrun()\n`
    return { text, secrets: [token.slice(4, 14), token.slice(14)], kept: ['run()'] }
  }),
  encodings('unicode escapes', (random) => {
    const password = drawPassword(random)
    const escaped = [...password].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    return drawn(`{"password":"${escaped}","city":"Rome"}`, escaped, '"city":"Rome"')
  }),
]
