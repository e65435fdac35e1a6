// Invented secrets for tests, by shape, with the providers' alphabets and lengths.
//
// Every prefix is in pieces, so that no line of this repository looks like a secret to a scanner.
import fc from 'fast-check'

export interface Shape {
  readonly kind: string
  /** A fresh secret of this shape. */
  readonly secret: fc.Arbitrary<string>
  /** Whether the scanner that serves as oracle has a rule for it. */
  readonly known?: boolean
}

const DIGITS = '0123456789'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const HEX = `${DIGITS}abcdef`
const ALNUM = DIGITS + LOWER + UPPER
const URL64 = `${ALNUM}_-`
const BASE64 = `${ALNUM}+/`

/** Drawn uniformly: a string of one repeated letter is a placeholder, which is correctly left unchanged. */
export const drawn = (alphabet: string, least: number, most = least): fc.Arbitrary<string> =>
  fc.noBias(fc.string({ unit: fc.constantFrom(...alphabet), minLength: least, maxLength: most }))

const joined = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''))

const shape = (kind: string, known: boolean, ...parts: readonly (string | fc.Arbitrary<string>)[]): Shape => ({
  kind,
  known,
  secret: joined(...parts),
})

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

export const SHAPES: readonly Shape[] = [
  shape('aws-access-key', false, 'AK', 'IA', drawn(`${UPPER}234567`, 16)),
  shape('aws-access-key', false, 'AS', 'IA', drawn(`${UPPER}234567`, 16)),
  shape('google-api-key', false, 'AI', 'za', drawn(URL64, 35)),
  shape('google-oauth', false, 'ya', '29.', drawn(URL64, 60, 140)),
  shape('google-oauth', false, 'GOC', 'SPX-', drawn(URL64, 28)),
  shape('google-oauth', false, '1/', '/0', drawn(URL64, 60, 100)),
  ...['p', 'o', 'u', 's', 'r'].map((one) => shape('github-token', true, `gh${one}`, '_', drawn(ALNUM, 36))),
  shape('github-token', true, 'github', '_pat_', drawn(ALNUM, 22), '_', drawn(ALNUM, 59)),
  shape('gitlab-token', true, 'gl', 'pat-', drawn(ALNUM, 20)),
  ...['dt', 'rt', 'ptt', 'soat', 'ft', 'cbt'].map((one) =>
    shape('gitlab-token', false, 'gl', `${one}-`, drawn(URL64, 20)),
  ),
  shape('slack-token', true, 'xo', 'xb-', drawn(DIGITS, 12), '-', drawn(DIGITS, 12), '-', drawn(ALNUM, 24)),
  shape('slack-token', true, 'xo', 'xp-', drawn(DIGITS, 12), '-', drawn(DIGITS, 12), '-', drawn(HEX, 32)),
  shape('slack-token', true, 'xa', 'pp-', '1-A', drawn(DIGITS, 10), '-', drawn(DIGITS, 13), '-', drawn(HEX, 64)),
  shape('stripe-key', false, 'sk', '_live_', drawn(ALNUM, 24, 99)),
  shape('stripe-key', false, 'rk', '_test_', drawn(ALNUM, 24, 99)),
  shape('stripe-key', false, 'wh', 'sec_', drawn(ALNUM, 32)),
  shape('twilio-key', false, 'S', 'K', drawn(HEX, 32)),
  shape('sendgrid-key', true, 'S', 'G.', drawn(ALNUM, 22), '.', drawn(ALNUM, 43)),
  shape('mailgun-key', false, 'ke', 'y-', drawn(HEX, 32)),
  shape('npm-token', true, 'np', 'm_', drawn(ALNUM, 36)),
  shape('pypi-token', false, 'py', 'pi-', 'AgEIcHlwaS5vcmc', drawn(URL64, 150)),
  shape('anthropic-key', true, 'sk-', 'ant-', 'api03-', drawn(URL64, 93), 'AA'),
  shape('api-key', true, 'sk', '-', drawn(ALNUM, 20), 'T3Blbk', 'FJ', drawn(ALNUM, 20)),
  shape('openai-key', true, 'sk-', 'proj-', drawn(ALNUM, 74), 'T3Blbk', 'FJ', drawn(ALNUM, 74)),
  shape('hugging-face-token', true, 'h', 'f_', drawn(LOWER + UPPER, 34)),
  shape('digitalocean-token', false, 'do', 'p_v1_', drawn(HEX, 64)),
  shape('heroku-key', false, 'HR', 'KU-', drawn(URL64, 60)),
  ...['at', 'ca', 'pa', 'ss'].map((one) => shape('shopify-token', true, `shp${one}`, '_', drawn(HEX, 32))),
  shape('discord-token', false, 'M', drawn(ALNUM, 23), '.', drawn(URL64, 6), '.', drawn(URL64, 38)),
  shape('telegram-token', false, drawn('123456789', 10), ':A', 'A', drawn(URL64, 33)),
  shape('new-relic-key', false, 'NR', 'AK-', drawn(UPPER + DIGITS, 27)),
  shape('doppler-token', false, 'dp.', 'pt.', drawn(ALNUM, 43)),
  shape('vault-token', true, 'hv', 's.', drawn(ALNUM, 95)),
  shape('databricks-token', true, 'da', 'pi', drawn(HEX, 32)),
  shape('supabase-key', false, 'sb', 'p_', drawn(HEX, 40)),
  shape('linear-key', true, 'lin', '_api_', drawn(ALNUM, 40)),
  shape('notion-token', true, 'nt', 'n_', drawn(DIGITS, 11), drawn(ALNUM, 35)),
  shape('notion-token', false, 'sec', 'ret_', drawn(ALNUM, 43)),
  shape('atlassian-token', false, 'ATA', 'TT3', drawn(URL64, 180), '=', drawn(HEX, 8)),
  shape('vercel-token', true, 'vc', 'p_', drawn(ALNUM, 56)),
  shape('netlify-token', false, 'nf', 'p_', drawn(ALNUM, 36)),
  shape('grafana-token', true, 'gl', 'sa_', drawn(ALNUM, 32), '_', drawn(HEX, 8)),
  shape('docker-token', true, 'dckr', '_pat_', drawn(URL64, 27)),
  shape('figma-token', true, 'fi', 'gd_', drawn(URL64, 40)),
  shape('azure-client-secret', false, drawn(ALNUM, 3), '8', 'Q~', drawn(ALNUM, 34)),
  shape('age-key', false, 'AGE-SECRET', '-KEY-1', drawn('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)),
  shape(
    'jwt',
    false,
    base64url('{"alg":"HS256"}'),
    '.',
    fc.uuid().map((id) => base64url(`{"sub":"${id}"}`)),
    '.',
    drawn(URL64, 43),
  ),
]

/** A private key's block with the given breaks between its lines, and its lines alone. */
export const keyBlock = (
  words: string,
  lineBreak: string,
): fc.Arbitrary<{ readonly whole: string; readonly body: string }> =>
  fc.tuple(fc.array(drawn(BASE64, 64), { minLength: 2, maxLength: 8 }), drawn(BASE64, 4, 40)).map(([lines, last]) => {
    const magic = `MII${lines[0]!.slice(3)}`
    const cut = [magic, ...lines.slice(1), last]
    const dashes = '-----'
    return {
      whole: [`${dashes}BEGIN ${words}${dashes}`, ...cut, `${dashes}END ${words}${dashes}`, ''].join(lineBreak),
      body: cut.join(lineBreak),
    }
  })

/** A password as a generator makes it: letters, digits, a sign, none of which ends a value in any format. */
export const password: fc.Arbitrary<string> = joined(
  drawn(LOWER + UPPER, 3, 8),
  drawn(DIGITS, 3),
  drawn(UPPER, 2),
  drawn(DIGITS, 3),
  drawn('!.*+-_~', 1),
  drawn(ALNUM, 3, 8),
)
