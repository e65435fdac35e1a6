// Secrets that people write down in sentences, and text that they mark as private.
import { drawKey, drawPassword } from './random.ts'
import { type Format, formatsIn } from './sample.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  'my password for': 'My password for staging is %, please use it for the login test.',
  'password to': 'The password to the admin panel is %.',
  'password is': 'The database password is %',
  'password of user': "bob's password is now %. Update the fixture.",
  'use as password': 'Use % as the password for the demo user.',
  'set the password to': 'Set the password to % and restart the service.',
  'changed the password to': 'I changed the password to % yesterday.',
  'change from to': 'Please change the root password from hunter-oldie7 to %.',
  'reset to': 'The password has been reset to % for bob.',
  'colon and backticks': 'Password for the VPN: `%`',
  'quoted password': 'The password is "%", without the quotes.',
  'credentials with slash': 'Log in with bob / % on the staging server.',
  'credentials with colon': 'creds: bob:% for the staging server',
  'username and password': 'username bob password %',
  'user and pass list': 'user: bob\npass: %\n',
  passphrase: 'The passphrase of the key is %.',
  'pwd short': 'pwd = %',
  'pw short': 'pw: %',
  wifi: 'The wifi password here is %',
  hyphen: 'staging password - %',
  'sign in as': 'sign in as bob with password %',
  passcode: 'my passcode is %',
  'next line': 'The password for staging:\n%\n',
  'credentials are': 'The credentials are bob and %.',
}

const KEY_SENTENCES: Readonly<Record<string, string>> = {
  'api key is': 'My API key is %, do not commit it.',
  'api key for': 'the api key for maps: %',
  'token is': 'The access token is %',
  'token for': 'Here is the token for the staging API: %',
  'use this token': 'Use this token: %',
  'use this key next line': 'Use this API key:\n\n%\n',
  'secret is': 'the client secret is %',
  'key value': 'secret key = %',
  bearer: 'Send it as bearer %',
  'license key': 'Our license key is %.',
}

const JAPANESE: Readonly<Record<string, string>> = {
  を変更: 'パスワードを%に変更してください。',
  を変更しました: 'ステージングのパスワードを % に変更しました。',
  'は です': 'データベースのパスワードは%です。',
  は括弧: '管理画面のパスワードは「%」です。',
  コロン: 'パスワード：%',
  'で ログイン': 'パスワード % でログインしてください。',
  という: '% というパスワードを使ってください。',
  トークンは: 'トークンは % です。',
  APIキーは: 'APIキーは%を使ってください。',
  ユーザー名と: 'ユーザー名 bob、パスワード % です。',
  を設定: 'パスワードに % を設定してください。',
  矢印: 'パスワード → %',
  パスフレーズ: '鍵のパスフレーズは % だ。',
  シークレット: 'クライアントシークレット: %',
  'から へ': 'パスワードを hunter-oldie7 から % へ変更しました。',
}

const sentences = formatsIn('prose', 'prompt', 'answer')
const japanese = formatsIn('japanese prose', 'prompt', 'answer')
const privates = formatsIn('private text', 'prompt', 'answer', 'output')

const PRIVATE_TAGS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  plain: ['<private>', '</private>'],
  reason: ['<private reason="customer data">', '</private>'],
  'reason with a sign': ['<private reason="a > b">', '</private>'],
  'single quotes': ["<private reason='customer'>", '</private>'],
  'capital letters': ['<PRIVATE Reason="x">', '</Private>'],
  'white space': ['< private >', '</ private >'],
  'line break': ['<private\n  reason="x"\n>', '</private\n>'],
  'two attributes': ['<private reason="x" until="2030">', '</private>'],
  'attribute without a value': ['<private hidden>', '</private>'],
  'html entities': ['&lt;private&gt;', '&lt;/private&gt;'],
  'full-width signs': ['＜private＞', '＜/private＞'],
  namespace: ['<memctl:private>', '</memctl:private>'],
}

const PINS = [
  'The PIN of the safe is %.',
  'My pin: %',
  'the door PIN is %',
  'one-time code: %',
  '暗証番号は%です。',
  'OTP is %',
]

export const PROSE_FORMATS: readonly Format[] = [
  ...Object.entries(SENTENCES).map(([name, sentence]) =>
    sentences(name, (random) => {
      const secret = drawPassword(random)
      return { text: sentence.replace('%', secret), secrets: [secret] }
    }),
  ),
  ...Object.entries(KEY_SENTENCES).map(([name, sentence]) =>
    sentences(name, (random) => {
      const secret = drawKey(random)
      return { text: sentence.replace('%', secret), secrets: [secret] }
    }),
  ),
  ...Object.entries(JAPANESE).map(([name, sentence]) =>
    japanese(name, (random) => {
      const secret = /トークン|キー|シークレット/.test(sentence) ? drawKey(random) : drawPassword(random)
      return { text: sentence.replace('%', secret), secrets: [secret] }
    }),
  ),
  ...PINS.map((sentence) =>
    sentences(`number: ${sentence.replace('%', '…')}`, (random) => {
      const pin = String(1000 + random.below(999_000))
      return { text: sentence.replace('%', pin), secrets: [pin] }
    }),
  ),
  ...Object.entries(PRIVATE_TAGS).map(([name, [open, close]]) =>
    privates(name, (random) => {
      const secret = `the contract of customer ${drawPassword(random)}`
      return {
        text: `before it ${open}${secret}${close} and after it`,
        secrets: [secret],
        kept: ['before it', 'after it'],
      }
    }),
  ),
]
