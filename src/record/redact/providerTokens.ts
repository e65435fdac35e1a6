// The token shapes of large providers, as data: a prefix, then a body of the provider's alphabet.
//
// The minimum length is below the real one on purpose: half of a truncated token is still a secret.
import { isPlaceholder, isRandom, isWordLike, matchAt, type SecretSpan, stickyPattern } from './secretHeuristics.ts'

/** A body with fewer digits than `digitsMin` (default 0) must not look like words. */
type TokenShape = readonly [kind: string, prefixes: string, alphabet: string, charsMin: number, digitsMin?: number]

const ALNUM = 'A-Za-z0-9'
const WORD = '\\w'
const URL64 = '\\w-'

/** Prefixes that end in `_`, `-` or `.`. */
const TOKEN_SHAPES: readonly TokenShape[] = [
  ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_', WORD, 16],
  [
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glft- glsoat- glcbt- glptt- glagent- glimt- gloas- glffct- glwt-',
    '\\w.-',
    16,
  ],
  ['slack-token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xapp- xwfp-', '\\w%/+-', 10, 2],
  ['anthropic-key', 'sk-ant-', URL64, 16],
  ['openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', URL64, 16],
  ['api-key', 'sk-or-v1- sk-lf- pk-lf- sk-', ALNUM, 20, 1],
  ['api-key', 'gsk_ xai- pplx- nvapi- r8_ tvly-', URL64, 24, 2],
  ['stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_ whsec_', '\\w+/=', 10, 1],
  ['elevenlabs-key', 'sk_', '0-9a-f', 40],
  ['sendgrid-key', 'SG.', '\\w.-', 40, 2],
  ['mailgun-key', 'key-', '0-9a-f', 32],
  ['npm-token', 'npm_', ALNUM, 30],
  ['pypi-token', 'pypi-', URL64, 16, 1],
  ['hugging-face-token', 'hf_ api_org_', ALNUM, 30],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', '0-9a-f', 32],
  ['heroku-key', 'HRKU-', URL64, 30],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_ shptka_', ALNUM, 16],
  ['new-relic-key', 'NRAK- NRII- NRJS- NRRA-', URL64, 16],
  ['doppler-token', 'dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit. dp.said.', '\\w.-', 24, 1],
  ['vault-token', 'hvs. hvb. hvr.', URL64, 20],
  ['databricks-token', 'dapi- dkea- dose-', '0-9a-f', 32],
  ['supabase-key', 'sbp_ sb_secret_', URL64, 20, 1],
  ['linear-key', 'lin_api_ lin_oauth_ lin_wh_', WORD, 20],
  ['notion-token', 'ntn_ secret_', ALNUM, 40],
  ['vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', ALNUM, 20],
  ['netlify-token', 'nfp_ nfc_ nfo_ nfu_ nfb_', ALNUM, 30],
  ['cloudflare-token', 'cfut_ cfat_ cfk_ v1.0-', URL64, 40, 4],
  ['grafana-token', 'glc_ glsa_', '\\w+/=', 30],
  ['1password-token', 'ops_', '\\w+/=-', 100],
  ['figma-token', 'figd_ figo_', URL64, 30],
  ['docker-token', 'dckr_pat_ dckr_oat_', URL64, 20],
  ['age-key', 'AGE-SECRET-KEY- AGE-SECRET-KEY-PQ-', 'A-Z0-9', 20],
  ['google-oauth', 'GOCSPX- ya29.', URL64, 20],
  ['square-token', 'sq0csp- sq0atp- sq0idp-', URL64, 20],
  ['tailscale-key', 'tskey-auth- tskey-api- tskey-client-', URL64, 16],
  ['mail-key', 'xkeysib- xsmtpsib-', URL64, 40],
  ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '\\w.-', 30],
  ['postman-key', 'PMAK-', '0-9a-f-', 40],
  ['sentry-token', 'sntrys_ sntryu_', '\\w+/=', 40],
  ['telemetry-key', 'phx_ phs_ dt0c01.', '\\w.-', 30, 2],
  ['pinecone-key', 'pcsk_', WORD, 40],
  ['langsmith-key', 'lsv2_pt_ lsv2_sk_', '0-9a-f_', 32],
  ['sourcegraph-token', 'sgp_', WORD, 40],
  ['package-token', 'rubygems_ CLOJARS_ apify_api_ CCIPAT_ bkua_ pul-', WORD, 32, 2],
  ['contentful-token', 'CFPAT-', URL64, 30],
  ['dropbox-token', 'sl. sl.u. sl.B', URL64, 100],
  ['sonar-token', 'sqp_ squ_ sqa_', '0-9a-f', 30],
  ['render-key', 'rnd_', ALNUM, 24, 2],
  ['adobe-secret', 'p8e-', ALNUM, 24, 2],
  ['flutterwave-key', 'FLWSECK_TEST- FLWSECK-', '\\w-', 24, 2],
  ['payment-key', 'duffel_live_ duffel_test_ shippo_live_ shippo_test_', URL64, 30, 2],
  ['frameio-token', 'fio-u-', URL64, 40],
  ['service-token', 'ico- pnu_ rdme_ tfp_ aio_ dnkey- tss_ ATCTT3', WORD, 28, 2],
  ['fly-token', 'fm1_ fm2_ fo1_', '\\w+/=', 40],
]

/**
 * The first characters of such tokens; a pattern of the token, whose group 1 is not secret; and a pattern of the part
 * before it that belongs to it.
 */
type IrregularTokenShape = readonly [kind: string, starts: string, source: string, before?: string]

/** Tokens without such a prefix. */
const IRREGULAR_TOKEN_SHAPES: readonly IrregularTokenShape[] = [
  ['aws-access-key', 'AKIA ASIA ABIA ACCA', '....[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['aws-bedrock-key', 'ABSK', '[A-Za-z0-9+/=]{44,}'],
  ['google-api-key', 'AIza', '[\\w-]{34,}'],
  ['google-oauth', '1//0', '....[\\w-]{30,}'],
  ['gitlab-token', 'GR1348941', '[\\w-]{25,}'],
  ['databricks-token', 'dapi', 'dapi[0-9a-f]{32}(?:-\\d)?'],
  ['alibaba-key', 'LTAI', '[A-Za-z0-9]{16,30}(?![A-Za-z0-9])'],
  ['atlassian-token', 'ATATT3 ATCTT3', '[\\w=.-]{26,}'],
  ['atlassian-token', 'ATBB', '[A-Za-z0-9]{28,}'],
  ['airtable-token', 'pat', '[A-Za-z0-9]{17}\\.[0-9a-f]{40,}'],
  ['artifactory-key', 'AKCp', '[A-Za-z0-9]{54,}'],
  ['artifactory-key', 'cmVmd', '[A-Za-z0-9]{64}(?![A-Za-z0-9])'],
  ['azure-devops-token', 'JQQJ9', '[A-Za-z0-9]{24}AZ[A-Za-z0-9]{6}', '[A-Za-z0-9]{52}$'],
  ['clickhouse-key', '4b1d', '[A-Za-z0-9]{42}(?![A-Za-z0-9])'],
  ['easypost-key', 'EZAK EZTK', '[A-Za-z0-9]{58}(?![A-Za-z0-9])'],
  ['meta-token', 'EAA', '[A-Za-z0-9]{50,}'],
  [
    'mailchimp-key',
    '-us1 -us2 -us3 -us4 -us5 -us6 -us7 -us8 -us9',
    '...\\d{1,2}(?![\\w-])',
    '(?<![A-Za-z0-9])[0-9a-f]{32}$',
  ],
  ['nuget-key', 'oy2', '[a-z0-9]{46}(?![A-Za-z0-9])'],
  ['openshift-token', 'sha256~', '.{7}[\\w-]{30,}'],
  ['resend-key', 're_', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}'],
  ['yandex-key', 'AQVN', '[\\w-]{39,}'],
  ['password-hash', '$2a$ $2b$ $2y$', '.{4}\\d\\d\\$[./A-Za-z0-9]{53}', '(?<!\\w)$'],
  ['teams-webhook', '.webhook.office.com/', '([\\w./]{1,60}?webhookb?2?/)[\\w@/-]{30,}'],
  ['workflow-signature', '.logic.azure.com', '(\\S{1,300}[?&]sig=)[\\w%-]{20,}'],
  ['twilio-key', 'SK', '..[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['new-relic-key', 'NRAL', '....(?![A-Za-z0-9])', '[0-9a-f]{36}$'],
  ['telegram-token', ':AA', '...[\\w-]{30,}', '\\d{8,10}$'],
  ['azure-client-secret', 'Q~', '..[\\w.~-]{28,}', '[\\w.~-]{3}\\d$'],
  ['slack-webhook', 'hooks.slack', '(hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/)[\\w/+-]{16,}'],
  [
    'discord-webhook',
    'discord.com/api/ discordapp.com/api/',
    '([a-z.]{1,20}/api/(?:v\\d{1,2}/)?webhooks/)\\d{1,20}/[\\w-]{30,}',
  ],
  ['terraform-token', '.atlasv1.', '.{9}[\\w=-]{50,}', '[A-Za-z0-9]{14}$'],
]

/** A token of three parts, found by its dots. */
const DISCORD_TOKEN: IrregularTokenShape = ['discord-token', '.', '\\.[\\w-]{6}\\.[\\w-]{27,}', '[MNO][\\w-]{22,27}$']

/** A body is classified by its first characters, at most this many; all of it is replaced. */
const CLASSIFIED_CHARS = 256

/** A cheap check that is true for every text with a token, also in JSON. */
export const mayHaveProviderToken = (text: string): boolean =>
  text.includes('eyJ') ||
  findNextSeparator(text, 0) !== -1 ||
  listIrregular().some((token) => nextIrregular(text, token, 0) !== -1) ||
  (hasDots(text) && findNextDots(text, 0) !== -1)

export function findProviderTokens(text: string, spans: SecretSpan[]): void {
  const addEach = (next: (from: number) => number, spanAt: (at: number, done: number) => SecretSpan | undefined) => {
    let done = 0
    for (let at = next(0); at !== -1; at = next(Math.max(done, at + 1))) {
      const span = spanAt(at, done)
      if (span) spans.push(span)
      // The search goes on after each secret.
      if (span) done = span.end
    }
  }
  addEach(
    (from) => findNextSeparator(text, from),
    (at, done) => prefixedAt(text, at + 1, done),
  )
  for (const token of listIrregular())
    addEach(
      (from) => nextIrregular(text, token, from),
      (at, done) => irregularAt(text, at, done, token.shape),
    )
  addEach(
    (from) => findNextDots(text, from),
    (at, done) => irregularAt(text, at, done, DISCORD_TOKEN),
  )
  if (text.includes('eyJ')) findWebTokens(text, spans)
}

const SEPARATOR = /[-_.](?=[\w-])/g

/** The last character of the next prefix, from `from` on; -1 if there is none. */
function findNextSeparator(text: string, from: number): number {
  SEPARATOR.lastIndex = from
  for (let match = SEPARATOR.exec(text); match; match = SEPARATOR.exec(text)) {
    const body = match.index + 1
    if (prefixesAt(text, body).some(({ prefix }) => endsAt(text, body, prefix))) return match.index
  }
  return -1
}

const endsAt = (text: string, end: number, prefix: string): boolean => text.startsWith(prefix, end - prefix.length)

type Prefixed = Readonly<{ prefix: string; shape: TokenShape }>

/** Characters at the end of a prefix that are compared first; no prefix is shorter. */
const ENDING_CHARS = 3

/** All prefixes, each with a space after it, so that one search checks whether any prefix has an ending. */
let allPrefixes: string | undefined
const byEnding = new Map<string, readonly Prefixed[]>()

/** The prefixes that may end at `end`, by the last three characters; the longest first. */
function prefixesAt(text: string, end: number): readonly Prefixed[] {
  if (end < ENDING_CHARS) return NO_PREFIXES
  allPrefixes ??= `${TOKEN_SHAPES.map((shape) => shape[1]).join(' ')} `
  const ending = text.slice(end - ENDING_CHARS, end)
  if (!allPrefixes.includes(`${ending} `)) return NO_PREFIXES
  const known = byEnding.get(ending) ?? prefixesEndingIn(ending)
  byEnding.set(ending, known)
  return known
}

const NO_PREFIXES: readonly Prefixed[] = []

function prefixesEndingIn(ending: string): readonly Prefixed[] {
  const shapes = TOKEN_SHAPES.filter((shape) => `${shape[1]} `.includes(`${ending} `))
  return shapes
    .flatMap((shape) => shape[1].split(' ').map((prefix) => ({ prefix, shape })))
    .filter(({ prefix }) => prefix.endsWith(ending))
    .sort((a, b) => b.prefix.length - a.prefix.length)
}

type Irregular = Readonly<{ start: string; shape: IrregularTokenShape }>

let irregular: readonly Irregular[] | undefined

function listIrregular(): readonly Irregular[] {
  irregular ??= IRREGULAR_TOKEN_SHAPES.flatMap((shape) => shape[1].split(' ').map((start) => ({ start, shape })))
  return irregular
}

/** Where such a token may begin, from `from` on; -1 if nowhere. */
function nextIrregular(text: string, { start, shape }: Irregular, from: number): number {
  for (let at = text.indexOf(start, from); at !== -1; at = text.indexOf(start, at + 1)) {
    if (start.length > 4 || shape.length > 3 || hasBody(text, at + start.length)) return at
  }
  return -1
}

/** Whether the next eight characters can be of a token, which words that begin like one have rarely. */
function hasBody(text: string, from: number): boolean {
  for (let at = from; at < from + 8; at += 1) {
    const char = text[at] ?? ' '
    if (
      !(char >= '0' && char <= '9') &&
      !(char >= 'A' && char <= 'Z') &&
      !(char >= 'a' && char <= 'z') &&
      !'_-/.+='.includes(char)
    )
      return false
  }
  return /\d|[a-z][A-Z]|^[A-Z]{8}/.test(text.slice(from, from + 32))
}

const DOTS = /\.[\w-]{6}\.[\w-]{27}/g

/** Where the dots of the next such token may begin, from `from` on; -1 if nowhere. */
function findNextDots(text: string, from: number): number {
  DOTS.lastIndex = from
  return DOTS.exec(text)?.index ?? -1
}

/** Whether two points are as far apart as in such a token. Compiling the pattern takes a hook longer. */
function hasDots(text: string): boolean {
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) if (text[at + 7] === '.') return true
  return false
}

/** The token whose body begins at `bodyStart`, by the longest prefix that matches. */
function prefixedAt(text: string, bodyStart: number, done: number): SecretSpan | undefined {
  for (const { prefix, shape } of prefixesAt(text, bodyStart)) {
    const start = bodyStart - prefix.length
    if (!endsAt(text, bodyStart, prefix)) continue
    const [kind, , alphabet, charsMin, digitsMin = 0] = shape
    const body = readRun(text, bodyStart, alphabet, CLASSIFIED_CHARS)
    if (body.length < charsMin || isPlaceholder(body)) continue
    // Glued to a word only if it cannot be chance.
    if (!canBeginAt(text, start, done) && (prefix.length < 4 || body.length < 30 || !isRandom(body))) continue
    if ((body.match(/\d/g)?.length ?? 0) < digitsMin && isWordLike(body)) continue
    return { start, end: bodyStart + readRun(text, bodyStart, alphabet).replace(/[.%/]$/, '').length, kind }
  }
  return undefined
}

/** The characters of an alphabet from `at` on, at most `charsMax` of them. */
const readRun = (text: string, at: number, alphabet: string, charsMax?: number): string =>
  matchAt(stickyPattern(`[${alphabet}]{0,${charsMax ?? ''}}`), text, at) ?? ''

/** The token at `index`, by the shapes that may begin with `start`. */
function irregularAt(
  text: string,
  index: number,
  done: number,
  [kind, , source, before]: IrregularTokenShape,
): SecretSpan | undefined {
  const pattern = stickyPattern(source)
  pattern.lastIndex = index
  const match = pattern.exec(text)
  if (!match) return undefined
  const publicChars = match[1]?.length ?? 0
  if (isPlaceholder(match[0].slice(publicChars, publicChars + CLASSIFIED_CHARS))) return undefined
  const end = index + match[0].replace(/[./]$/, '').length
  if (before === undefined) {
    if (publicChars === 0 && !canBeginAt(text, index, done)) return undefined
    return { start: index + publicChars, end, kind }
  }
  const head = new RegExp(before).exec(text.slice(Math.max(0, index - 64), index))
  return head ? { start: index - head[0].length, end, kind } : undefined
}

/** JSON web tokens: three parts of base64url, the first of which is JSON; five if they are encrypted. */
function findWebTokens(text: string, spans: SecretSpan[]): void {
  const first = /eyJ[\w-]{8,}/g
  const others = /\.(?:[\w-]{8,}|\.[\w-]{8,})(?:\.[\w-]+){0,3}/y
  for (let match = first.exec(text); match; match = first.exec(text)) {
    if (matchAt(others, text, first.lastIndex) === undefined) continue
    first.lastIndex = others.lastIndex
    spans.push({ start: match.index, end: others.lastIndex, kind: 'jwt' })
  }
}

/**
 * Whether a token can begin at `start`: at the beginning of the text, after a sign, an escaped line break, a colour
 * sequence or a percent code, or where another secret ended (`done`). Inside a longer word the match is chance.
 */
function canBeginAt(text: string, start: number, done: number): boolean {
  if (start === done) return true
  return /(?:[^A-Za-z0-9]|\\[nrtbf]|\[[\d;]{0,12}m|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, start - 16), start))
}
