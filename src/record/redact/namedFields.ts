// Values whose name is not beside them as in a text: pairs of a name and a value, arguments, and lists of names.
import { classifySecretName } from './secretNames.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields that contain a name, and fields that contain the value of it. */
const NAME_FIELD = /^(?:name|key|id|label|element|selector|field|variable|header|parameterkey|attribute)$/i
const VALUE_FIELD = /^(?:value|text|content|val|parametervalue|stringvalue|secret)$/i

/** What the name of an input field says beside its subject. */
const FIELD_WORDS = /(?:^|_)(?:the|a|my|new|your|old|current|field|input|box|textbox|entry|name|type|id|value)(?=_|$)/g

/** The name for each field of an object whose value another field names: `{ name: 'DB_PASSWORD', value: '…' }`. */
export function findPairName(fields: Fields): ((field: string) => string | undefined) | undefined {
  const names = Object.keys(fields)
  const valueField = names.find((name) => VALUE_FIELD.test(name))
  const nameField = valueField === undefined ? undefined : names.find((name) => NAME_FIELD.test(name))
  const name = nameField === undefined ? undefined : fields[nameField]
  if (typeof name !== 'string' || name.length > 80) return undefined
  const subject = toSubject(name)
  return classifySecretName(subject) === 'weak' ? undefined : (field) => (field === valueField ? subject : undefined)
}

/** A name as it may be written in a page: `#password`, `input[name="password"]`, `the password field`. */
function toSubject(name: string): string {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '_').toLowerCase()
  const subject = words.replace(FIELD_WORDS, '').replace(/^_+|_+$/g, '')
  return subject === '' ? name : /[A-Z]/.test(name) && !/[^\w.-]/.test(name) ? name : subject
}

/** The name of the argument after an option: `--client-secret`. */
export const optionName = (argument: unknown): string | undefined =>
  typeof argument === 'string' ? /^--?([A-Za-z][\w-]{1,60})$/.exec(argument)?.[1] : undefined

/** Whether the fields and items under a name are secrets themselves: `secrets`, `apiKeys`, `credentials`. */
export const namesSecrets = (name: string): boolean =>
  /(?:secrets|passwords|tokens|keys|credentials)$/i.test(name) && classifySecretName(name) !== 'weak'
