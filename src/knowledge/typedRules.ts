// Finds the lasting rules in what a person types, without a model: instructions, bans, preferences, project facts that
// outlast the task. A few forms of language that hold in every project; where in doubt, nothing is found.
import type { KnowledgeScope, KnowledgeType, Trigger } from '../model/knowledge.ts'
import { RULES_FOLLOW, removePasted } from '../text/pastedText.ts'
import { pattern } from '../text/pattern.ts'
import { isClientPrompt, isHandedOverPlan } from '../text/promptText.ts'
import { ruleAlone, splitSentences } from './ruleSentences.ts'
import { triggersOfRule } from './ruleTriggers.ts'
import { findEnglishRule, isOfProduct, isQuestion, isTemporary, shortenEnglish } from './typedRulesEnglish.ts'
import { findJapaneseRule, isJapanese, isTaskOrProduct, shortenJapanese } from './typedRulesJapanese.ts'

export interface TypedRule {
  /** What is shown later: the person's words without politeness, at most 25 words. */
  readonly line: string
  /** The clause exactly as typed. */
  readonly quote: string
  readonly type: KnowledgeType
  readonly scope: Extract<KnowledgeScope, 'person' | 'project'>
  readonly when: readonly Trigger[]
}

export interface TypedContext {
  /** It is the reason of a rejection or an answer: talk about the work at hand, where only the plainest forms count. */
  readonly reply?: boolean
  /** The prompt or the assistant's message just before it, which may announce a pasted text. */
  readonly before?: string | undefined
}

/** Rules of one prompt, at most: who gives more has pasted a document. */
const RULES_MAX = 6

/** A longer prompt, or one of several lines, is a task with details or a pasted text: only the plainest forms count. */
const TALK_CHARS_MAX = 300

/** The rules in a typed prompt, or in the reason of a rejection, in order. Usually none. */
export function findTypedRules(prompt: string, { before, reply = false }: TypedContext = {}): TypedRule[] {
  const clauses = splitTypedClauses(prompt, before)
  const isTalk = !reply && prompt.length <= TALK_CHARS_MAX && !prompt.trim().includes('\n')
  const found = clauses.map(({ text, isItem }) => findInClause(text, isTalk || isItem, isItem))
  // A sentence that is no rule itself says it of the others.
  const isOfAll = clauses.some(({ text }, i) => found[i] === undefined && IN_ALL_WORK.test(text))
  const rules = found.flatMap((rule, i) => {
    if (rule === undefined) return []
    const isPersonal = isOfAll || IN_ALL_WORK.test(clauses[i]?.text ?? '') || isOfSelf(rule.quote)
    return [{ ...rule, scope: isPersonal ? 'person' : 'project' } as const]
  })
  return rules.length > RULES_MAX ? [] : rules
}

/** A sentence about a rule that the person gave earlier: it holds no longer, or `now` holds instead. */
export type TypedCorrection = Readonly<{ about: string; now: Pick<TypedRule, 'line' | 'quote' | 'when'> | undefined }>

/** The corrections in a typed prompt, in order. Whether there is such a rule is not known here. */
export const findCorrections = (prompt: string, { before }: TypedContext = {}): TypedCorrection[] =>
  splitTypedClauses(prompt, before).flatMap(({ text: quote }): TypedCorrection[] => {
    const text = toHalfWidth(quote)
    const retracted = RETRACTION.exec(text)?.slice(1).join('')
    if (retracted !== undefined) return [{ about: retracted, now: undefined }]
    const about = CHANGE_OF_MIND.exec(text)?.[1] ?? ''
    if (AT_HAND.test(about)) return []
    const line = PROPOSAL.test(about) ? shortenEnglish(about, true) : undefined
    const rule =
      line === undefined ? findInClause(about, true, false) : { line, quote: about, when: triggersOfRule(line) }
    return rule?.quote === about ? [{ about, now: { line: rule.line, quote, when: rule.when } }] : []
  })

/**
 * That an earlier rule holds no longer. It is named as what was said, and the sentence ends there: 「注文の取り消し」 is
 * about orders, "drop the firewall rule" about a file, "the commit rule no longer fires" a report.
 */
const RETRACTION = pattern(
  String.raw`^(?:(?:please|actually|ok|also|you can|let's)[, ]+)*(?:forget|ignore|disregard|never ?mind|scratch|drop|
      lift|(?:i )?take back)(?: about)? (?:(?:what i (?:said|wrote)|my (?:rule|instruction|ban)|(?:the|that) (?:thing|
      rule|bit)(?= about)|the (?:rule|instruction|ban) i gave you) (?:about|on|for|against|to) ([^,;.]+)|
      (?:my|(?<=(?:forget|never ?mind|scratch|back) )(?:the|that)) ([^,;.]{2,40}) rule[.!]?$)|
      ^never ?mind (?:the|that) ([^\s,;.]+ [^,;.]{2,40}), (?:drop|scrap|forget) (?:it|that)[.!]?$|
      ^the (?:rule (?:about|on|for|against) ([^,;.]{2,40}?)|([^,;.]{2,40}?) rule)
      (?: no longer (?:applies|holds|counts)| is void)[.!]?$|
      ^(?:(?:さっき|先ほど|以前|前)の)?(.{2,40}?)(?:禁止(?:の|という|って)(?:件|話|ルール|指示)|
      (?:の|という|って)(?:ルール|決まり)|の(?:件|話)(?=は忘れて))[はを、も]?(?:もう|やっぱり)?
      (?:(?:取り消し|撤回|取り下げ)(?:です|で|(?:に|と)?(?:し)?ます|て(?:ください|下さい|ね)?|して(?:ください|下さい|ね)?)?|
      [な無]し(?:(?:で|に(?:します|して))(?:ください|下さい|お願いします)?)?|忘れて(?:ください|下さい|ね)?|
      (?<=もう)いいです|やめ(?:ます|よう))(?=[。!！]|\s*$)`,
  'i',
)

/** The speaker has changed their mind; what holds now follows. */
const CHANGE_OF_MIND = pattern(
  String.raw`^(?:(?:いや|あ|ごめん|すみません|no|wait|sorry|oh|ok)[,、. ]+)*(?:やっぱり?|やはり|
      (?:actually|on second thought)(?:[,:]\s+|\s(?=let's )))、?(.{4,})`,
  'i',
)

/** What holds instead of a rule, if there is one that it contradicts; else a task. */
const PROPOSAL = /^(?:let's (?:do|use|go with|make it)|(?:go )?back to) |(?:しま|いきま|使いま|書きま)しょう。?$/i

/** What is to be done to a thing at hand, or how it is: "write this comment …", 「ログは消して」, 「…だよね」. */
const AT_HAND = pattern(
  String.raw`^(?:please )?\w+ (?:this|that|these|those|the|it)\b|\b(?:is|are)\b|よね。?$|
      は[^、。はがをにで]{1,4}(?<!く)して(?:ください|下さい|ね|$|。)`,
  'i',
)

/** The rule of a sentence: all of it, or a part. `isItem`: it stands in a list of rules. */
function findInClause(clause: string, isTalk: boolean, isItem: boolean): Omit<TypedRule, 'scope'> | undefined {
  if (RETRACTION.test(toHalfWidth(clause)) || TASK.test(clause)) return undefined
  if (isJapanese(clause) ? isTaskOrProduct(clause) : isOfProduct(clause)) return undefined
  for (const quote of [clause, ...listParts(clause)]) {
    const isOfJapan = isJapanese(quote)
    const [text, said] = [quote, ruleAlone(quote)].map(toHalfWidth) as [string, string]
    const type = isOfJapan ? findJapaneseRule(said, isTalk, isItem) : findEnglishRule(said, isTalk)
    const shorten = isOfJapan ? shortenJapanese : shortenEnglish
    const line = type === undefined ? undefined : (shorten(text) ?? shorten(said))
    if (type !== undefined && line !== undefined) return { line, quote, type, when: triggersOfRule(line) }
  }
  return undefined
}

/** Letters and digits of any width are the same letters; Japanese punctuation stays. */
const toHalfWidth = (text: string): string =>
  text.replace(/[０-９Ａ-Ｚａ-ｚ＿－．／＠ｦ-ﾟ]+/g, (letters) => letters.normalize('NFKC'))

/** The parts of a sentence in which a rule may stand beside something else, the longest first. */
function listParts(clause: string): string[] {
  if (isQuestion(clause.toLowerCase()) || isTemporary(clause) || HYPOTHETICAL.test(clause)) return []
  const ends = [...clause.matchAll(/,\s+(?:but |and |so |though )?|\s(?:but|so)\s|:\s|、/g)]
  const tails = ends.map(({ index, 0: gap }) => clause.slice(index + gap.length))
  const heads = isJapanese(clause) ? ends.map(({ index }) => clause.slice(0, index)).reverse() : []
  // A reason alone says nothing.
  return [...tails, ...heads].filter(
    (part) => part.length >= 8 && !/(?:ので|から)$|^(?:because|since|as)\b/i.test(part),
  )
}

/** A task about one file, to look at something, asked for politely; or a bare request to keep what was just said. */
const TASK = pattern(
  String.raw`^(?:please )?(?:(?:write|draft|compose|create|generate|make) (?:me |us )?(?:an?|some|
      the)\b.{0,40}\b(?:about|on|titled|called) |(?:go|look) (?:through|over|at)\b(?!.*\b(?:always|never|every)\b)|
      (?:write|create|
      implement) (?:a |the )?\`?[\w./-]*\w\.[a-z]{1,4}\b|(?:can|could|would) you (?:please )?(?:also )?(?:review|check|
      look|add|fix|create|write|implement|explain|change|move|update|remove|run|find|rename|refactor|split|test|verify|
      compare)\b(?!.*\b(?:always|never|every|from now on)\b))|
      ^(?:(?:please|always|never|do not|don['’]t|ever) )*(?:remember|forget) (?:this|that|it)[.!]*$|
      ^(?:(?:この|その|今の)(?:こと|件|話)[をは]|必ず|絶対に?|ちゃんと|よろしく|どうか|[、 ])*
      (?:覚え(?:てお|と)いて|忘れないで)(?:ください|下さい|ね|よ|お願いします|[。!！、 ])*$|
      (?:あれ|それ|これ)[はもを]?(?:もう)?忘れて(?:ください|下さい|ね|[。!！])*$`,
  'i',
)

/** What follows in such a sentence holds only under its condition, or is a thought. */
const HYPOTHETICAL = pattern(
  String.raw`^(?:and |so |but |then )*(?:if|when|where|because|becuase|while|unlike|let's(?! \w+ (?:this|on)\b)|
      i(?! (?:read|use|work|only|am on)\b)|i've|i'd)\b(?!'m)`,
  'i',
)

/** The speaker means all their work. */
const IN_ALL_WORK = pattern(
  String.raw`\b(?:in|for|across|on|goes for|with) (?:all|any|every|each)(?: of)?(?: my| the)? (?:other )?(?:projects?|
      repos?|repositories|codebases?)\b(?! (?:in|of|under) )|\b(?:everywhere|wherever) i (?:work|code)\b|
      \bwhatever (?:project|repo)\b|(?:全|
      すべての|全ての|どの)(?:プロジェクト|リポジトリ|レポジトリ)|プロジェクト(?:を問わず|に関係なく|に限らず)`,
  'i',
)

/** Whether the speaker speaks of themselves, and not of this project. */
const isOfSelf = (rule: string): boolean => OF_SELF.test(rule) && !OF_PROJECT.test(rule)

const OF_SELF = pattern(
  String.raw`\bi (?:always|generally|personally)[, ]+(?:want|prefer|like|expect|need|work|use|write)\b|\b(?:answer|
      reply|respond|talk|speak|write) (?:to )?me\b|\bi (?:prefer|like|want) (?:\w+ ){0,2}(?:answers|replies|
      responses|explanations|summaries)\b|^(?:私|僕|俺|自分)(?:に|は|へ|としては)|(?:私|僕|俺|自分)への?(?:回答|返事|
      返信|説明|報告)|^(?:今後|これから|基本的に|いつも|常に|必ず|は|、)*(?:日本語|英語|敬語|タメ口)で
      (?:答え|話し|回答し|返答し)て(?:ください|下さい|ね|ほしい|くれ|$)`,
  'i',
)

const OF_PROJECT =
  /\bhere\b|\b(?:in|of|for) this (?:repo|project|codebase)|(?:この|当)(?:プロジェクト|リポジトリ|レポジトリ)|ここでは/i

// The sentences that a person typed in a prompt. Nothing from a text on that somebody else wrote: pasted, or announced
// ("here is the vendor's mail:"). Where it ends is unknown, so the rest of the prompt is dropped.

/** A longer text was not typed; its sentences are a document's. */
const TYPED_CHARS_MAX = 2_000
const SENTENCE_CHARS_MAX = 400

/**
 * The sentences in order, as typed. None of a prompt that a person did not type, or that pastes what was announced.
 * `isItem`: the sentence stands in a list of rules.
 */
export function splitTypedClauses(prompt: string, before = ''): { readonly text: string; readonly isItem: boolean }[] {
  if (isClientPrompt(prompt) || isHandedOverPlan(prompt) || ANNOUNCES_NEXT.test(before)) return []
  const typed = removePasted(prompt.slice(0, 4 * TYPED_CHARS_MAX)).replaceAll('’', "'")
  if (typed.trim().length > TYPED_CHARS_MAX) return []
  const clauses: ReturnType<typeof splitTypedClauses> = []
  const lines = typed.split('\n')
  let heading = ''
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1] ?? ''
    const isHeading = RULES_FOLLOW.test(line) && LIST_ITEM.test(next)
    if (FOREIGN_TEXT.test(line) || (HEADING.test(line) && next.trim() !== '' && !isHeading)) break
    if (PASTED_LINE.test(line)) continue
    const isListed = LIST_ITEM.test(line)
    if (!isListed && line.trim() !== '') heading = line
    const parts = splitSentences(line.replace(LIST_ITEM, '')).map((part) => part.trim())
    const foreign = parts.findIndex((part) => ANNOUNCES.test(part) && !REPEATS_SELF.test(part))
    const below = lines.slice(at).find((other) => !LIST_ITEM.test(other)) ?? ''
    const isItem = isListed && (FOLLOW_THESE.test(below) || RULES_FOLLOW.test(heading))
    if (!isHeading && !FOLLOW_THESE.test(line))
      clauses.push(...(foreign === -1 ? parts : parts.slice(0, foreign)).map((text) => ({ text, isItem })))
    if (foreign !== -1) break
  }
  return clauses.filter(({ text }) => text !== '' && text.length <= SENTENCE_CHARS_MAX)
}

const LIST_ITEM = /^\s*(?:(?:[-*•]|\d{1,2}[.)])\s+|(?:[・＊●○◦①-⑳]|[\d０-９]{1,2}[．）]|[０-９]{1,2}[.)])\s*)/

/** A line that says of the list directly above it that it has rules. */
const FOLLOW_THESE =
  /^\s*(?:以上|これら|上記|この)?の?(?:ルール|こと)?を(?:必ず)?守って(?:ください|下さい|ね)?[。!！]?\s*$/

/** Lines of quotes, logs, tables, code, diffs, indented text and terminal output; not words that were erased. */
const PASTED_LINE = pattern(
  String.raw`^\s*(?:[>$|<{}[\]+#✓✗⨯❯•⎿●│├└─═→]|at |\/\/|\/?\*(?!\s|\*{5,7}(?!\*))|-{2,}|@@|\d{4}[-/]\d\d|\w+[:(]\d+|
      (?:import|
      export|const|let|func|def|class|return|var|type|package) .*[({=;'"]|\w+(?:Error|Exception):|(?:error|warning|
      fatal|fail|pass):|ok\s+\d|\S+\.\w{1,5}:\d+|(?:[A-Z]{3,}|[Rr]e|[Rr]egarding|[Qq]uote|[Ss]ubject):)|[{};]\s*$|
      \t\S+\t|^\s{2,}(?![-*•]\s)\S`,
)

/** A line that only records have: a commit, a message with its time, a section of a document. */
const FOREIGN_TEXT = pattern(
  String.raw`^\s*(?:commit [0-9a-f]{7,}\b|Author:|diff --git|Section \d|\S{1,20}\s{1,3}\[?\d{1,2}:\d\d\b|(?:system|
      you|user|assistant|human|ai)\s*:)`,
  'i',
)

/** A title: a few words without an end, and a text below it. */
const HEADING = /^\s*[A-Z][\w'-]*(?: [\w'-]+){1,4}:?\s*$/

const TEXT_NOUN = `(?:page|web ?site|site|wiki|article|blog|post|documents?|docs?|readme|guide(?:lines?)?|
  polic(?:y|ies)|issue|ticket|thread|e-?mail|mail|message|memo|log|output|trace|traceback|response|reply|answer|text|
  snippet|paragraph|sentence|section|description|reviews?|feedback|comments?|transcript|chat|conversation|slack|
  notes?|changelog|diff|screenshot|slide|spec|letter|advisory|proposal|terms|contract|job posting|faq|tweet)`

/** A clause that says that the text in it, or after it, is somebody else's. */
const ANNOUNCES = pattern(
  String.raw`\b(?:here(?:'s| is| are| comes)|(?:this is|these are) (?:the|what|from|his|her|their)|found|
      (?<!we've )got|received|saw|copied|pasted?|forwarded|quote|quoting)\b.{0,40}\b${TEXT_NOUN}\b|\b(?:read|see|
      look at) (?:this|these|that|what)\b|\b${TEXT_NOUN}\b.{0,40}\b(?:follows|below|goes like|(?:he|she|they) (?:sent|
      wrote))\b|^from (?:the|a|an|our|my|their|some)\b.{0,30}\b(?:${TEXT_NOUN}|on \w+)\b|\b(?:wrote|(?<!\b(?:and|that|
      which)(?: \w+)? )writes|sa(?:id|ys|
      ying(?! you))|suggest(?:ed|s)|t(?:old|ells)|claim(?:ed|s)|recommend(?:ed|s)|thinks|believes|argues|(?:people|
      others|some|many|they|
      developers|experts) (?:say|think|believe|claim|argue)|commented|sent|posted|left (?:this|
      a|the)|quoted|insist(?:ed|s)|asked (?:us|me))\b|\baccording to\b|\b(?:should|must|to) say\b|
      \bi (?:read|heard) (?:that|somewhere|in|on|you)\b|^(?:please |can you |could you )?(?:translate|
      rewrite|rephrase|proofread|summari[sz]e|paraphrase|explain this|make (?:this|the) (?:sentence|text|mail|message|
      paragraph))\b|(?:メール|[wW]iki|ウィキ|[sS]lack|スラック|チャット|ドキュメント|資料|記事|ブログ|仕様書|README|
      議事録|レビュー|コメント|Qiita|Zenn|[sS]tack ?[oO]verflow|ChatGPT|Copilot|ログ|規約|ガイド(?:ライン)?|チケット|
      お知らせ|連絡|本文|文章|投稿|回答|通知|ページ|サイト|メッセージ|手順書|契約書|先方|ベンダー|取引先|顧客|上司|
      先輩|同僚|さん)(?:の?\S{0,8})?(?:です[。、:：]?$|に(?:は|も)?(?:こう|以下|次)|(?:に|で|が|
      は)\S{0,10}(?:書いて(?:あ|い)|書かれて|載って|言(?:って|わ)|流れて|あった|来た|来ました|届|見つけ|送(?:って|
      られ))|より|からの?\S{0,10}(?:です|来|届|もら|指摘|連絡)|によ(?:ると|れば)|曰く|いわく|内容$|だと$|[:：])|(?:次|
      以下|下記|これ)(?:の\S{0,8})?を?.{0,10}(?:訳|要約|添削|校正|言い換え|書き直|読んで|見て)|と(?:言われ|
      言って(?:い|き)|指摘され|書いてあ|書かれて)|って(?:言われ|言ってた|書いてあ)|だそうです|とのことです`,
  'i',
)

/** What the person themselves said before. */
const REPEATS_SELF =
  /\b(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:just |already )*(?:said|told|wrote|asked)\b|^as (?:i )?said\b/i

/** A prompt or message after which the next prompt is a pasted text. */
const ANNOUNCES_NEXT = pattern(
  String.raw`\b(?:i(?:'ll| will| am going to|'m going to)|let me) (?:paste|send|share|forward|copy)\b|\b(?:next|
      following) (?:message|prompt)\b|\b(?:paste|send me|share|provide)\b[^.?!]{0,60}\b(?:content|text|${TEXT_NOUN}|
      file|error)\b|(?:次の?(?:メッセージ|プロンプト|発言)|(?:内容|全文|本文|ログ|ファイル|テキスト|
      エラー)を?.{0,8}貼)|貼(?:ります|り付けます|って(?:ください|下さい)|り付けて)`,
  'i',
)
