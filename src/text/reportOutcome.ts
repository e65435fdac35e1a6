// How an agent's task ended, as its report says it: a line such as "Status: blocked", or a sentence about the work.
import { pattern } from './pattern.ts'

/** A line that states the outcome: `Outcome: failure`, `**Status:** done`, 結果：成功. */
const STATED =
  /^[^\S\n]{0,20}[ *_#>-]{0,40}(?:outcome|status|result|結果|状態|ステータス)[*_\s]{0,9}[:：][\s*_]{0,9}(\S[^\n]{0,60})/gim

const FAILURE_WORD = pattern(
  String.raw`^\W*(?:fail(?:ed|ure|ing|s)?|error|blocked|incomplete|not (?:done|complete[d]?|fixed|solved|possible)|
    unresolved|partial(?:ly)?|aborted|unsuccessful)\b|^[^\p{L}]*(?:失敗|未完了|未解決|中断|ブロック|エラー)|❌`,
  'iu',
)
const SUCCESS_WORD = pattern(
  String.raw`^\W*(?:success(?:ful(?:ly)?)?|succeeded|done|complete[d]?|fixed|passed|passing|resolved|ok|green)\b|
    ^[^\p{L}]*(?:成功|完了|解決|修正済|合格)|✅`,
  'iu',
)

/** A sentence that says that the work itself did not succeed; a bug that "failed to load" is its subject. */
const FAILED = pattern(
  String.raw`\b(?:i|we)(?:'m|'ve| am| have)?
    (?: (?:could ?n[o']t|could not|was(?: not|n't) able|were(?: not|n't) able|was unable|were unable|unable|
    failed to|did(?: not|n't) (?:manage|succeed)|gave up|cannot|can ?not|can't) )|
    \b(?:tests?|build|lint|checks?|it) (?:still|now) (?:fails?|failing|broken)\b|
    \b(?:still|remain(?:s|ed)?) (?:failing|unresolved|unfixed)\b|
    (?:でき|修正し|解決し|直し)(?:ませんでした|なかった)|できていません|に失敗(?:し(?:ました|た|ています)|。|$)|
    (?:まだ|依然)[^。\n]{0,20}(?:失敗|通りません|通らない)`,
  'i',
)

const SUCCEEDED = pattern(
  String.raw`\b(?:all )?(?:\d+ )?(?:tests?|checks?|build|lint|suite) (?:(?:now|all) )*
    (?:pass(?:es|ed)?|succeed(?:s|ed)?|(?:is|are) (?:now )?(?:green|passing|clean))\b|\bsuccessfully [a-z]+ed\b|
    (?:^|\n)\W{0,20}(?:done|completed?|finished|fixed|implemented)\b|
    \b(?:i|we)(?:'ve| have)? (?:fixed|implemented|completed|finished|resolved|added|updated|renamed|removed)\b|
    (?:完了|修正|実装|解決|追加|更新|成功)(?:いた)?しました|
    テストは?(?:全て|すべて)?(?:通り|成功し|合格し)ました`,
  'i',
)

/** failure, success, or unknown if the report does not say it. What failed counts before what was done. */
export function findReportedOutcome(report: string): 'failure' | 'success' | 'unknown' {
  const stated = [...report.matchAll(STATED)].at(-1)?.[1]
  if (stated !== undefined) {
    if (FAILURE_WORD.test(stated)) return 'failure'
    if (SUCCESS_WORD.test(stated)) return 'success'
  }
  const prose = report.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, '\n').replaceAll('’', "'")
  return FAILED.test(prose) ? 'failure' : SUCCEEDED.test(prose) ? 'success' : 'unknown'
}
