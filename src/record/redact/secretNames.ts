// Names of secrets: how strongly a name suggests that its value is one.
import type { NameStrength } from './secretHeuristics.ts'

/** A name as words in lower case between underscores: `smtpPass`, `SMTP-PASS` and `smtp_pass` are the same. */
const toWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]/g, '_')
    .toLowerCase()

const PASSWORD_NAME = new RegExp(
  '(?:passw(?:or)?d?|passphrase|passcode|pwd|(?:^|db|user|smtp|mail|store|root|admin|become|my)(?:pass|pw))' +
    '(?:confirm(?:ation)?|repeat|value|admin|root|user|db|prod|dev)?\\d*$|パス(?:ワード|フレーズ)$',
)

/** Keys that only identify something, like a row, a text or a file. */
const PUBLIC_KEY =
  /(?:public|cache|primary|foreign|sort|partition|group|hash|index|row|column|object|message|idempotency|host)_key$/

/** How strongly a name suggests that its value is a secret. */
export function classifySecretName(name: string): NameStrength | 'authorization' {
  const words = toWords(name)
  const plain = words.replaceAll('_', '')
  if (/pass|pw|パス/.test(plain) && (PASSWORD_NAME.test(plain) || /_(?:pass|pw)\d*_?$/.test(words))) return 'password'
  if (plain.endsWith('authorization')) return 'authorization'
  if (/(?:secret(?:key|keybase|value)?|privatekey|accountkey)\d*$|秘密鍵$|シークレット$/.test(plain)) return 'secret'
  if (/(?:^|_)(?:pin|otp|totp|(?:recovery|backup|otp|verification|security)_codes?)$|暗証番号$/.test(words))
    return 'code'
  if (/(?:^|_)(?:mnemonic|(?:seed|recovery)_phrase)$/.test(words)) return 'phrase'
  if (/(?:^|_)(?:salt|seed|(?:sess(?:ion)?|auth)(?:id|_cookie|_key)|sid|key_data)$|sessid$|^_\w+_session$/.test(words))
    return 'random'
  if (
    /(?:token|auth|credentials?)\d*$|(?:api|access|account|private|signing|encryption|master)key\d*$|トークン$|キー$/.test(
      plain,
    )
  )
    return 'token'
  if (/(?:tokens|keys|secrets|passwords)$/.test(plain)) return 'random'
  return words.endsWith('_key') && !PUBLIC_KEY.test(words) ? 'random' : 'weak'
}
