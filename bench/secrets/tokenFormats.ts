// Tokens and keys that are known by their own form, also without a name.
//
// A prefix has a vertical bar in it, which is removed, so that no line of this repository looks like a secret.
import type { Random } from '../fixture/seededRandom.ts'
import { drawChars, drawKey, drawPaymentNumber } from './random.ts'
import { type Format, formatsIn } from './sample.ts'

/** A prefix, or an alphabet with a length: `hex*32`. */
type Part = string

const SPECIFICATIONS: Readonly<Record<string, string>> = {
  airtable: 'pa|t alnum*14 . hex*64',
  'artifactory key': 'AK|Cp alnum*69',
  'artifactory reference': 'cmV|md alnum*59',
  'azure devops': 'alnum*52 JQQJ99 alnum*18 AZ|DO alnum*4',
  'azure client': 'alnum*3 8Q|~ alnum*34',
  'azure storage signature': '?sv=2024-01-01&sp=r&s|ig= alnum*43 %3D',
  'aws access key': 'AK|IA base32*16',
  'aws bedrock': 'AB|SK base64*110',
  adobe: 'p8|e- lowerAlnum*32',
  alibaba: 'LT|AI alnum*20',
  anthropic: 'sk-|ant-api03- url64*93 AA',
  atlassian: 'ATA|TT3 url64*186',
  'cloudflare user': 'cf|ut_ alnum*40',
  clickhouse: '4b|1d alnum*38',
  contentful: 'CF|PAT- url64*43',
  databricks: 'da|pi hex*32',
  digitalocean: 'do|p_v1_ hex*64',
  discord: 'MTA alnum*21 . alnum*6 . url64*38',
  'docker hub': 'dck|r_pat_ alnum*27',
  doppler: 'dp|.pt. alnum*43',
  dropbox: 's|l.u. url64*140',
  duffel: 'duffel_|live_ url64*43',
  dynatrace: 'dt0|c01. upperAlnum*24 . upperAlnum*64',
  easypost: 'EZ|AK alnum*54',
  facebook: 'EA|AG alnum*120',
  'facebook page': 'EAA|C alnum*100 ZDZD',
  figma: 'fig|d_ alnum*40',
  flutterwave: 'FLW|SECK_TEST- hex*32 -X',
  'frame.io': 'fi|o-u- alnum*64',
  github: 'gh|p_ alnum*36',
  'github fine-grained': 'github|_pat_ alnum*22 _ alnum*59',
  gitlab: 'gl|pat- alnum*20',
  'google api': 'AI|za alnum*35',
  'google oauth': 'ya|29. alnum*120',
  grafana: 'gl|sa_ alnum*32 _ hex*8',
  groq: 'gs|k_ alnum*52',
  heroku: 'HRKU|-AA alnum*58',
  'hugging face': 'h|f_ alnum*34',
  infracost: 'ic|o- alnum*32',
  langsmith: 'lsv2|_pt_ hex*32 _ hex*10',
  linear: 'lin|_api_ alnum*40',
  mailchimp: 'hex*32 -us1|9',
  mailgun: 'ke|y- hex*32',
  mapbox: 's|k.eyJ1 alnum*60 . alnum*22',
  netlify: 'nf|p_ alnum*36',
  'new relic': 'NR|AK- upperAlnum*27',
  notion: 'nt|n_ digit*11 alnum*35',
  npm: 'np|m_ alnum*36',
  nuget: 'oy|2 lowerAlnum*43',
  openai: 'sk-|proj- alnum*74 T3Blbk|FJ alnum*74',
  openrouter: 'sk-|or-v1- hex*64',
  openshift: 'sha|256~ alnum*43',
  perplexity: 'pp|lx- alnum*48',
  pinecone: 'pc|sk_ alnum*6 _ alnum*62',
  planetscale: 'pscale|_pw_ alnum*43',
  postman: 'PM|AK- hex*24 - hex*34',
  prefect: 'pn|u_ lowerAlnum*36',
  pulumi: 'pu|l- hex*40',
  pypi: 'py|pi-AgEIcHlwaS5vcmc alnum*120',
  readme: 'rd|me_ lowerAlnum*70',
  render: 'rn|d_ alnum*32',
  replicate: 'r8|_ alnum*37',
  resend: 're|_ alnum*8 _ alnum*24',
  rubygems: 'ruby|gems_ hex*48',
  sendgrid: 'S|G. alnum*22 . alnum*43',
  sentry: 'sntr|yu_ hex*64',
  shippo: 'shippo|_live_ hex*40',
  shopify: 'shp|at_ hex*32',
  slack: 'xo|xb- digit*12 - digit*12 - alnum*24',
  'slack webhook': 'https://hooks.sla|ck.com/services/T upperAlnum*9 /B upperAlnum*9 / alnum*24',
  'sonar user': 'sq|u_ hex*40',
  'sonar project': 'sq|p_ hex*40',
  'square access': 'EA|AAl alnum*59',
  'square application': 'sq0|atp- alnum*22',
  stripe: 'sk_|live_ alnum*24',
  supabase: 'sb|p_ hex*40',
  'teams webhook':
    'https://shop.webhook.off|ice.com/webhookb2/ hex*8 -1234-4321-abcd- hex*12 @ hex*8 -1234-4321-abcd- hex*12 ' +
    '/IncomingWebhook/ hex*32 / hex*8 -1234-4321-abcd- hex*12',
  'teams workflow':
    'https://prod-01.westeurope.logic.azu|re.com:443/workflows/0123abcd/triggers/manual/run?sp=%2Ftriggers&s|ig= url64*43',
  telegram: 'digit*10 :A|A url64*33',
  tailscale: 'tskey|-auth- alnum*17 CNTRL- alnum*32',
  terraform: 'alnum*14 .atlas|v1. alnum*67',
  twilio: 'S|K hex*32',
  typeform: 'tf|p_ alnum*40 _ alnum*18',
  vault: 'hv|s. alnum*95',
  vercel: 'vc|p_ alnum*56',
  xai: 'xa|i- alnum*80',
  yandex: 'AQ|VN alnum*38',
}

/** The text of a specification, and of it what may not be stored: its random parts of 14 and more characters. */
function drawToken(random: Random, specification: string): { token: string; secrets: string[] } {
  const secrets: string[] = []
  const token = specification
    .split(' ')
    .map((part: Part) => {
      const [, alphabet, length] = /^(\w+)\*(\d+)$/.exec(part) ?? []
      if (alphabet === undefined) return part.replaceAll('|', '')
      const drawn = drawChars(random, alphabet, Number(length))
      if (drawn.length >= 14) secrets.push(drawn)
      return drawn
    })
    .join('')
  return { token, secrets: secrets.length > 0 ? secrets : [token] }
}

const SURROUNDINGS: readonly ((token: string) => { text: string; kept: string[] })[] = [
  (token) => ({ text: `GET /v1/items 200 with ${token} in 12 ms\n`, kept: ['GET /v1/items 200', 'in 12 ms'] }),
  (token) => ({ text: JSON.stringify({ level: 'info', value: token, attempt: 1 }), kept: ['"attempt":1'] }),
  (token) => ({ text: `const client = new Client('${token}', { retries: 3 })\n`, kept: ['{ retries: 3 }'] }),
  (token) => ({ text: `| service | \`${token}\` | active |\n`, kept: ['| active |'] }),
  (token) => ({ text: `設定の値は「${token}」です。確認してください。\n`, kept: ['確認してください'] }),
]

const anywhere = formatsIn('tokens', 'output', 'prompt', 'write', 'answer', 'failure')
const cards = formatsIn('card numbers', 'output', 'prompt', 'write')

const BRANDS: readonly (readonly [prefix: string, length: number])[] = [
  ['4', 16],
  ['51', 16],
  ['2221', 16],
  ['37', 15],
  ['6011', 16],
  ['3530', 16],
]

const card =
  (write: (number: string) => string) =>
  (random: Random): { text: string; secrets: string[]; kept: string[] } => {
    const [prefix, length] = random.pick(BRANDS)
    const number = write(drawPaymentNumber(random, prefix, length))
    return {
      text: `Order 4711 was paid with ${number} on Monday.\n`,
      secrets: [number],
      kept: ['Order 4711', 'Monday'],
    }
  }

const group = (number: string, sign: string): string =>
  (number.length === 15 ? /(.{4})(.{6})(.{5})/ : /(.{4})(.{4})(.{4})(.{4})/).exec(number)?.slice(1).join(sign) ?? number

const pem = (random: Random, title: string): { text: string; secrets: string[]; kept: string[] } => {
  const lines = Array.from({ length: 6 }, () => drawChars(random, 'base64', 64))
  const dashes = '-----'
  const text = `first\n${dashes}BEGIN ${title}${dashes}\n${lines.join('\n')}\n${dashes}END ${title}${dashes}\nlast\n`
  return { text, secrets: lines, kept: ['first', 'last'] }
}

export const TOKEN_FORMATS: readonly Format[] = [
  ...Object.entries(SPECIFICATIONS).map(([name, specification]) =>
    anywhere(name, (random) => {
      const { token, secrets } = drawToken(random, specification)
      return { ...random.pick(SURROUNDINGS)(token), secrets }
    }),
  ),
  anywhere('json web token', (random) => {
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const body = encode({ sub: drawKey(random) })
    const signature = drawChars(random, 'url64', 43)
    const token = `${encode({ alg: 'HS256' })}.${body}.${signature}`
    return { ...random.pick(SURROUNDINGS)(token), secrets: [body, signature] }
  }),
  ...['RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'].map((title) =>
    anywhere(title.toLowerCase(), (random) => pem(random, title)),
  ),
  cards(
    'card without spaces',
    card((number) => number),
  ),
  cards(
    'card with spaces',
    card((number) => group(number, ' ')),
  ),
  cards(
    'card with hyphens',
    card((number) => group(number, '-')),
  ),
]
