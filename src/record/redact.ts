// Secrets never reach the log. Redaction runs before anything is cut: half a secret no longer looks like one.

/** What a text must hold before any rule is tried: most texts hold none of these, and cost one pass. */
const PROBE =
  /key|token|secret|passw|pwd|auth|bearer|credential|cookie|BEGIN |AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk[-_]|AIza|ya29\.|npm_|pypi-|hf_|eyJ|SG\.|dop_v1_|hvs\.|:\/\/[^/\s]*:[^/\s]*@|_pat|AccountKey|sig=/i

type Rule = readonly [kind: string, pattern: RegExp]

let compiled: readonly Rule[] | undefined

/** Shapes of the large providers' tokens; what is kept (a prefix, a key's name) stands in group 1, a closing in group 2. */
const rules = (): readonly Rule[] => [
  [
    'private-key',
    /()-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['aws', /()\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g],
  ['github', /()\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})\b/g],
  ['gitlab', /()\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-[A-Za-z0-9_-]{20,}/g],
  ['slack', /()\bxox[abeoprs]-[A-Za-z0-9-]{10,}|()https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/g],
  ['anthropic', /()\bsk-ant-[A-Za-z0-9_-]{20,}/g],
  ['openai', /()\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/g],
  ['stripe', /()\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g],
  ['google', /()\bAIza[A-Za-z0-9_-]{35}|()\bya29\.[A-Za-z0-9_-]{20,}/g],
  ['npm', /()\bnpm_[A-Za-z0-9]{36}\b/g],
  ['pypi', /()\bpypi-[A-Za-z0-9_-]{16,}/g],
  ['hugging-face', /()\bhf_[A-Za-z0-9]{30,}\b/g],
  ['sendgrid', /()\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g],
  ['digitalocean', /()\bdo[opr]_v1_[a-f0-9]{64}\b/g],
  ['vault', /()\bhv[sbr]\.[A-Za-z0-9_-]{24,}/g],
  ['jwt', /()\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g],
  ['url-password', /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"']*:)[^\s@/"'$<{][^\s@/"']*(@)/gi],
  [
    'authorization',
    /(\b(?:authorization|proxy-authorization)["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  ],
  ['bearer', /(\bbearer\s+)(?=[A-Za-z0-9._~+/-]*\d)[A-Za-z0-9._~+/-]{20,}=*/gi],
  ['cookie', /(\b(?:set-)?cookie["']?\s*:\s*["']?)(?=\S*=)[^\r\n"']{8,}/gi],
  ['azure', /(\b(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/=]{20,}|([?&]sig=)[A-Za-z0-9%+/=]{20,}/g],
  [
    'assignment',
    /(\b[\w.-]*(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credentials?)["']?\s*(?:=|:|=>)\s*["']?)(?!\s*(?:\$|<|\{|process\.|os\.|env\.|xxx|\*\*\*|changeme|your|null|none|true|false|undefined|string|\[redacted))(?=[^\s"',;)]*[\d!@#%^&*])[^\s"',;)(<>{}[\]$]{8,}/gi,
  ],
  ['argument', /(\s--?(?:password|passwd|token|secret|api-key)[= ])(?!["']?[$<])[^\s"']{6,}/gi],
]

/** The text with every secret replaced by `[redacted:KIND]`. Doing it twice changes nothing; nothing makes it throw. */
export function redact(text: string): string {
  if (!PROBE.test(text)) return text
  compiled ??= rules()
  let clean = text
  for (const [kind, pattern] of compiled) {
    clean = clean.replace(pattern, (_match, ...rest: unknown[]) => {
      // The last two are the place and the whole text; before them stand the groups, of which one alternative's are set.
      const [before = '', after = ''] = rest.slice(0, -2).filter((group) => typeof group === 'string')
      return `${before}[redacted:${kind}]${after}`
    })
  }
  return clean
}

/** Every value of a KEY=value file is a secret. */
export const redactEnvFile = (text: string): string =>
  text.replace(/^(\s*(?:\d+[\t→|]\s*)?(?:export\s+)?[A-Za-z_]\w*\s*=)[^\S\n]*\S.*$/gm, '$1[redacted:env]')

const SECRET_NAME =
  /^(?:.*[_-])?(?:password|passwd|secret|token|api_?key|authorization|private_?key|client_?secret|access_?key)$/i
const DEPTH_MAX = 24

/** Redacts every string of a JSON value, keys included; in an env file every value. The same reference where nothing changed. */
export function redactDeep<T>(value: T, context: { readonly fileName?: string } = {}): T {
  const isEnv =
    /(?:^|\/)\.env(?:\.[\w-]+)?$/.test(context.fileName ?? '') &&
    !/example|sample|template/.test(context.fileName ?? '')
  return redacted(value, isEnv ? (text) => redact(redactEnvFile(text)) : redact, DEPTH_MAX) as T
}

function redacted(value: unknown, clean: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => redacted(item, clean, depth - 1))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  let changed = false
  const fields = Object.entries(value).map(([name, one]) => {
    const secret =
      typeof one === 'string' && one.length >= 8 && SECRET_NAME.test(name) && /\d/.test(one) && !/[\s$<{]/.test(one)
    const next = secret ? '[redacted:value]' : redacted(one, clean, depth - 1)
    const key = redact(name)
    changed ||= next !== one || key !== name
    return [key, next]
  })
  return changed ? Object.fromEntries(fields) : value
}

/** `<private>…</private>` left out, to the end where it is not closed; nested ones go with the outer. */
export function withoutPrivate(text: string): string {
  if (!/<private>/i.test(text)) return text
  let depth = 0
  let kept = ''
  for (const part of text.split(/(<\/?private>)/i)) {
    if (/^<private>$/i.test(part)) {
      if (depth++ === 0) kept += '[private]'
    } else if (/^<\/private>$/i.test(part)) depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += part
  }
  return kept
}
