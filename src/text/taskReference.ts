// References to an issue: `#42`, `GH-42`, `ABC-12` and the addresses of GitHub, GitLab, Jira and Linear, in prompts
// and in names of branches. They say which task a piece of work belongs to, in any session and on any branch.
//
// Much looks like a reference: colours (`#333`), headings, list numbers ("step #2"), standards (`UTF-8`, `SHA-256`) and
// models (`GPT-4`). Where unsure, there is none: a wrong one joins work that has nothing in common.
import { pattern } from './pattern.ts'

/** A task names its issue near its beginning. */
const TEXT_CHARS_MAX = 4_000

const LISTED_CHARS_MAX = 80

/** In the order of the text. Groups: number and key in an address, repository, number, number in brackets, key. */
const REFERENCE = /* @__PURE__ */ pattern(
  String.raw`\bhttps?://[\w.-]+/[\w.~/-]*?/(?:issues|pull|merge_requests|work_items)/([1-9]\d{0,6})\b|
    \bhttps?://[\w.-]+/[\w.~/-]*?(?:browse|issue|issues)/([A-Z][A-Z0-9_]{1,9}-[1-9]\d{0,5})\b|
    (?<![\w/.-])([\w.-]+/[\w.-]+#[1-9]\d{0,5})\b|
    (?<![\w&#/.:=("'-])(?:GH-|[#＃])([1-9]\d{0,4})(?![\w%]|[.,-]\d|-\w)|
    (?<=[("'「（])#([1-9]\d{0,4})(?![\w%]|[.,-]\d|-\w)|
    (?<![\w/.:#-])([A-Z][A-Z0-9]{1,9}-[1-9]\d{0,5})(?![\w-]|\.\d)`,
  'g',
)

/** What comes before a number that counts something else, or is a colour. */
const COUNTS = /* @__PURE__ */ pattern(
  String.raw`(?:\b(?:steps?|options?|items?|points?|phases?|chapters?|sections?|lines?|rules?|attempts?|try|rounds?|
    parts?|choices?|slides?|questions?|numbers?|colou?rs?|background|fill|stroke|border|hex|css|top|
    rank|track|room|case|test)|
    番号|番目|手順|選択肢|色|案)\s*[:=]?\s*$`,
  'i',
)

/** Standards, formats, models and machines: what is written like a key of an issue. */
const noProjects = (): ReadonlySet<string> =>
  new Set(
    (
      'UTF UCS ISO SHA MD AES DES RSA DSA EC ECDSA ED HMAC HS RS ES PS RFC CVE CWE PEP BCP STD ADR HTTP ' +
      'HTTPS TLS SSL SSH IEEE ECMA ANSI FIPS NIST WCAG ASCII POSIX OAUTH SAML JWT GPT GPT4 CLAUDE GEMINI ' +
      'LLAMA BERT PHI COVID CP WIN KOI CRC AVX SSE NEON ARM X86 RTX GTX USB DDR PCI PCIE HDMI WPA NVME LTS ' +
      'JDK JRE JAVA PHP NODE TS JS ESM VT TCP UDP IP IPV DNS ISBN ITU EIA JIS GB EUC BASE UUID GUID HTML ' +
      'XML SQL CSS YAML JSON API SOC GDPR HIPAA STEP PHASE PART CASE OPTION LEVEL TIER STAGE VERSION TOP ' +
      'ROUND WEEK DAY SPRINT FY QA UI UX OK NO AM PM VM EOF BLAKE SM AC MP MPEG'
    ).split(' '),
  )

/** The first reference of a text in its short form: `#42`, `owner/repo#42` or `ABC-12`; undefined if there is none. */
export function findTaskReference(text: string): string | undefined {
  // Most prompts have neither: this is cheaper than the pattern.
  if (!/[#＃]\d|[A-Z\d]-[1-9]|\/[1-9]/.test(text)) return undefined
  const prose = text.slice(0, TEXT_CHARS_MAX).replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, '\n')
  for (const match of prose.matchAll(REFERENCE)) {
    const [, inAddress, keyInAddress, repository, number, quoted, key] = match
    if (keyInAddress ?? repository) return keyInAddress ?? repository
    if (inAddress !== undefined) return `#${inAddress}`
    if (key !== undefined) {
      if (isIssueKey(key)) return key
      continue
    }
    const found = number ?? quoted
    if (found !== undefined && !countsSomething(prose, match.index, found)) return `#${found}`
  }
  return undefined
}

function isIssueKey(key: string): boolean {
  const project = key.slice(0, key.indexOf('-'))
  const others = noProjects()
  return !others.has(project) && !others.has(project.replace(/\d+$/, ''))
}

/** Whether the number at `at` counts a step or an item, begins an item of a list, or is a colour. */
function countsSomething(text: string, at: number, digits: string): boolean {
  const before = text.slice(Math.max(0, at - 24), at)
  if (COUNTS.test(before) || (/\bthe\s$/i.test(before) && digits.length === 1)) return true
  const isLineStart = /(?:^|\n)\s*$/.test(before)
  return isLineStart && digits.length === 1 && text.trim().length > 3
}

/** The reference in a branch: `feature/ABC-12-foo`, `42-fix-x`, `issue-42`, `fix/42`; undefined if there is none. */
export function findBranchReference(branch: string | undefined): string | undefined {
  if (branch === undefined) return undefined
  const [, issue] = /(?:^|[/_-])(?:issues?|gh|bug|ticket)[/_#-]?([1-9]\d{0,5})(?![\w.]|-\d)/i.exec(branch) ?? []
  if (issue !== undefined) return `#${issue}`
  for (const segment of branch.split('/')) {
    const [, key] = /^([A-Z][A-Z0-9]{1,9}-[1-9]\d{0,5})(?![A-Za-z0-9.])/.exec(segment) ?? []
    if (key !== undefined && isIssueKey(key)) return key
  }
  if (/(?:^|\/)(?:release|hotfix|v|version|backport)s?\//i.test(branch)) return undefined
  const [, number] = /(?:^|\/)#?([1-9]\d{0,5})(?=$|[-_](?!\d|x\b|way\b|step\b|factor\b|fa\b))/.exec(branch) ?? []
  return number === undefined ? undefined : `#${number}`
}

/** The identity of a task that only has a text in a task list: the same for the same text in any session. */
export const nameListedTask = (text: string): string =>
  `task: ${text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.。!！…]+$/, '')
    .slice(0, LISTED_CHARS_MAX)}`

/** A task id as callers write it, in the short form if it is a reference: `GH-42` is `#42`. */
export function normalizeTaskId(taskId: string): string {
  const id = taskId.trim()
  return /^\S+$/.test(id) ? (findTaskReference(id) ?? id) : id
}
