// Lasting rules in English sentences: which are considered, how they are said, and the line that is kept of one.
import { KNOWLEDGE_WORDS_MAX, type KnowledgeType } from '../model/knowledge.ts'
import { pattern } from '../text/pattern.ts'
import { correction, type Form, fact, preference, rule, STOP, withoutAlternative } from './ruleSentences.ts'

/** The kind of rule, or undefined. `isTalk`: the weaker forms count too. */
export function findEnglishRule(clause: string, isTalk = true): KnowledgeType | undefined {
  const whole = stripEnglish(clause).toLowerCase()
  const text = whole.replace(REASON, '')
  if (text.split(/\s+/).length < 2 || /(?:[:…(]|\.\.)\s*$/.test(clause) || isQuestion(whole)) return undefined
  if (POLITE.test(clause) && !OF_WORK.test(text)) return undefined
  if (AT_HAND.test(text) || DOUBT.test(text) || PASTED_ERROR.test(text)) return undefined
  const isMatch = ([, is, not]: Form): boolean => is.test(text) && not?.test(text) !== true
  const [type] = FORMS.find(isMatch) ?? (isTalk && isGeneral(text) ? TALK_FORMS.find(isMatch) : undefined) ?? []
  if (type === 'rule' && /^\s*(?:no|nope|nah)\b[,.]? .*\bnot\b/i.test(clause)) return 'correction'
  // "Off by default" alone may be a task.
  return type ?? (whole !== text && DEFAULT.test(text) ? 'decision' : undefined)
}

/** What holds by default. */
const DEFAULT = /^(?!(?:show|open|hide|sort|close|select|make|set|use|keep|add|turn|run)\b)(?:[\w-]+ ){1,3}by default$/

/** Whether it is about the work at hand, in whatever part of it. */
export const isTemporary = (clause: string): boolean =>
  AT_HAND.test(clause.toLowerCase().replace(REASON, '').replace('yesterday', ''))

/** Why the rule holds, which may be a report. */
const REASON = pattern(String.raw`,? (?:because|since|otherwise|or else|cause|as it)\b.*$|, (?=(?:the|it|it's|they|
      they're|that|that's|there|there's|this|we've|i|i've|i'd|i'm|he|she|ci|our|plain|legal|(?!no\b|not\b|and\b|but\b|
      always\b|never\b)\S+ (?:doesn't|don't|picks|wants|breaks|needs|is|has))\b).*$`)

/** Talk of the work at hand: a limit of this task, a time that passes. */
const AT_HAND = pattern(
  String.raw`^(?:don't|do not|never|stop|always) (?:\w+ )?(?:that|this|it|so)$|\b(?:for now|for the moment|this (?:time|
      once)|right now|(?<!from )now(?! on)|yet|(?<!(?:done|ready|finished|merged) )until|today|tonight|tomorrow|
      yesterday|temporarily|after (?:this|that)|just (?:this|tell|explain|show|answer|do)|so far|(?:in|for|on|of|
      from) this (?:pr|branch|commit|session|task|file|change|one|case|step|issue)|(?:the|my|your) last (?:commit|
      change)|(?:those|these) (?:changes|files|commits)|(?:do|need) it (?:only )?once|only (?:do|fix|change))\b`,
)

/** The message of a compiler or a program, which a person has pasted. */
const PASTED_ERROR = pattern(
  String.raw`\(variable of |\bin argument to\b|\bis not (?:assignable to|a function\b)|\bno such file or directory\b|
      \bcannot find (?:module|name)\b`,
)

/** The speaker is not sure, proposes, or reports what was seen. */
const DOUBT = pattern(
  String.raw`\b(?:i (?:think|guess|feel|believe|suppose|wonder|hope|see|saw|noticed|get|got|tried|ran|had|was)|maybe|
      perhaps|wondering|not sure|might|probably|seems?|looks like|apparently|it would|would be|could be|unclear|what if|
      i don't (?:know|understand|see|think|get)|^looking|somehow|weird|strange)\b`,
)

/** What a product must do for its users, or does: "It should always give up", "passwords need 12 characters". */
const OF_PRODUCT = pattern(
  String.raw`^(?:it|they|he|she) (?:should|must|needs? to|has to|shall|can|will)\b|\b(?:users?|customers?|visitors?|
      passwords?|players?|buttons?|modals?|dialogs?|screens?|forms?|fields?|pages?|webhooks?|carts?|orders?|invoices?|
      emails?|jobs?|endpoints?)\b.{0,30}\b(?:should|must|needs?|has to|have to|can(?:not|'t)?|never|always)\b|
      \bnever (?!\w*ss\b)\w+[^s]s\b|\btime (?:the|an?) (?:user|customer|visitor)\b`,
)

/** The opposite is meant, or it is no wish at all. */
const SARCASM = /^\s*(?:oh,? (?:sure|great|yeah|wow|nice)|i always (?:forget|wonder|mix)|never ?mind\b)/i

/** Whether the clause is about a product and not about how it is made, or no wish at all. */
export const isOfProduct = (clause: string): boolean =>
  (OF_PRODUCT.test(stripEnglish(clause).toLowerCase()) && !OF_EACH.test(clause)) || SARCASM.test(clause)

/** What the talk is about now: "this", "the new one", what was just made. */
const POINTS = pattern(
  String.raw`^(?:that|my(?! name is)|(?:\S+ ){0,2}(?:it|its|them|there))\b(?! a )|\b(?:this(?! (?:repo|project|
      codebase|monorepo|machine|box|laptop|company|team|org|server|network|shop|is an? [\w-]+ (?:repo|project|
      codebase)))|these|those|above|below(?! \d)|you (?:just|did|made|added|wrote|forgot|said)|(?:the|your) (?:new|
      old|other|same|first|second|third|last|current|existing|failing|wrong|missing|right|next|previous)|my (?!ok\b|
      approval|go-ahead|review|name|initials|machine|laptop|box|keyboard|screen reader|name is)|here'?s|alone|again|
      else|instead$)\b`,
)

/** States that pass, and what happens when something runs: a report. */
const STATE = pattern(
  String.raw`\b(?:throw(?:s|n|ing)?|fail(?:s|ed|ing|ure)?|crash\w*|errors? out|broken|breaks|doesn't|does not|
      isn't (?:working|there)|not (?:working|found|showing)|still|green|red|slow|flaky|missing|wrong|empty|stuck|down|
      (?<!n't |not )done|pass(?:es|ing)?|ready|outdated|stale|undefined|null|incorrect|hang(?:s|ing)?|confusing|too|
      because of|was|were|got|unused|shows|showing|appears?|forever|ages|bug|looks?|happens?|forgot|turns out|
      (?<!-)users?(?!-)|button|page|screen|modal|click\w*|cards?|pass before|so i can|before i can)\b`,
)

/** When a rule holds: what happens then is no report. */
const CONDITION = pattern(String.raw`^(?:when|whenever|if|before|after|every time) [^,]*(?:,|(?=\b(?:tell|ask|use|run|
      stop)\b))|\b(?:before|after|when|unless|even if|otherwise|because|since|or|cause|so that|as it|in case)\b.*$|
      , (?:it|they|ci|that|this|the)\b.*$`)

/** A statement in general: nothing pointed at, nothing that happened. Its head is what it is about. */
function isGeneral(text: string): boolean {
  const unquoted = text.replace(/"[^"]*"/g, '')
  const [head = ''] = unquoted.split(/,|\b(?:so|and|or)\b|[:(]/)
  return (
    text.split(/\s+/).length <= 28 &&
    !POINTS.test(head) &&
    !STATE.test(unquoted.replace(CONDITION, '')) &&
    !PAST.test(head)
  )
}

const PAST = pattern(String.raw`\b(?:was|were|did|didn't|had|went|made|came|(?<!(?:is|are|be|been|get|gets|
      being) )(?<!-)(?!embed|red\b|shared|typed|unused|unreleased)[a-z]+[^e\W]ed)\b(?!-| \w+s\b)`)

/** Whether it asks: by its mark, or by its first word. */
export const isQuestion = (text: string): boolean =>
  /[,:] (?:what|why|how|is|are|do(?! not)|does|can|should)\b/.test(text) ||
  (/\?\s*$/.test(text) && !/\b(?:always|never|from now on)\b/.test(text)) ||
  pattern(String.raw`^(?:and |but |so )?(?:why|what|how|who|where|which|is|are|do(?! not)|does|did|has|have|should|
      shouldn't|isn't|aren't|doesn't|can we|could we|can i|shall)\b`).test(text)

/** Fillers and politeness at the beginning, again and again. */
const OPENING = pattern(
  String.raw`^(?:(?:yes|yeah|no(?=[,.!:…])|nope|nah|ok|okay|oh|hmm+|hey|well|so|and|but|also|then|sure|right|sorry|wait|
      actually|please|pls|btw|fyi|by the way|in general|great|thanks|again|just|one (?:more )?thing|oh and|
      (?:note|important|reminder|rule)(?=:)|heads up|in this (?:codebase|repo|project)|remember(?: that|,|:)|
      keep in mind(?: that)?|note that|as i said|as (?:always|usual))(?:[,.!:…]+\s*|\s+)|[-*•,.:\s]+)`,
  'i',
)
/** Words that made it a rule, and that a rule need not repeat. */
const LASTING_OPENING = pattern(
  String.raw`^(?:from now on|going forward|from here on|i(?:'ve)? (?:just )?(?:said|
      t(?:old) you)(?: already| before)?)[,:]?\s+(?:please[,:]?\s+|that\s+)?`,
  'i',
)

const ENDING = pattern(
  String.raw`(?:[,.]?\s+(?:please|pls|thanks|thank you|right|ok|okay|yeah|or|hey|huh|though|got it|cool|alright|k|
      thx)(?=[\s.,!?]*$))*[\s.,;:!…]*$`,
  'i',
)

/** A question that asks for something that lasts. */
const POLITE =
  /\b(?:can|could|would|will) you (?:please )?(?=always|never|from now|use .*\bin this (?:repo|project|codebase))/i

/** How work is done, in words that few products show. */
const OF_WORK =
  pattern(String.raw`\b(?:commit\w*|push\w*|merg(?:e|ing)|branch(?:es)?|prs?|pull requests?|tests?|lint\w*|
      code|docs|docstrings?|changelog|readme|reply|replies|explain\w*|ask(?:ing)?|files?|functions?|imports?|exports?|
      abstractions?|dependenc(?:y|ies)|tabs|codebase|migrations?|refactor\w*|tdd)\b`)

function stripEnglish(clause: string): string {
  let text = clause.replace(/\?+\s*$/, (marks) =>
    POLITE.test(clause) || /\b(?:ok|okay|please|alright|cool|got it)\?+\s*$/i.test(clause) ? '' : marks,
  )
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(OPENING, '').replace(POLITE, '')
  }
  return text.replace(ENDING, '').trim()
}

/** The line: without politeness; a longer sentence is cut where a part of it ends. Undefined if none fits. */
export function shortenEnglish(clause: string, isRule = false): string | undefined {
  const text = stripEnglish(clause)
  const words = (part: string) => part.split(/\s+/).length
  const parts = text.split(/(?=[,;]\s|\s\(|:\s|\s(?:[-–—]{1,2}|because|since|otherwise|so that|but)\s)/)
  let line = ''
  for (const part of parts) {
    if (words(line + part) > KNOWLEDGE_WORDS_MAX) break
    line += part
  }
  const isWhole = isRule || line === text
  if (line.trim() === '' || (!isWhole && findEnglishRule(withoutAlternative(line)) === undefined)) return undefined
  const kept = line.replace(LASTING_OPENING, '').trim()
  return kept.charAt(0).toUpperCase() + kept.slice(1)
}

/** Things of every day: what is said of them without "the" is meant in general. */
const PLURAL = String.raw`(?!this\b|its\b|is\b|was\b|has\b|does\b|these\b|those\b|the\b)[\w./-]*[a-z](?:(?<![su])s|
      es)\b`

/** A verb's plain form, as orders have it: not "throws", "failed", "working". */
const BASE = String.raw`(?!\w+[^s]s\b|\w+[^e]ed\b|\w+ing\b|been\b|seen\b|heard\b|be able|works?\b|got\b|had\b|went\b|
      saw\b|mind\b|worry\b)[a-z]{2,}`

/** What fails, returns or happens is a report. */
const REPORT = String.raw`\b(?:throws?|fail(?:s|ed|ing)?|crash\w*|(?<!early )returns?|errors? out|broken|doesn't work|
      isn't working|not working|land|finish|hang|appear|end up|go away)\b`

/** What a rule demands of each part of a program. */
const ARTIFACT = String.raw`\b(?:tests?|(?:down|rollback) scripts?|docstrings?|docs|changelog|type hints?|codeowners|
      reviews?|tickets?)\b`

const OF_EACH = pattern(String.raw`^(?:every|each) (?:new )?[\w-]+ (?:needs?|must have|requires) .*${ARTIFACT}`, 'i')

/** Forms that are rules wherever they are said. */
const FORMS = [
  rule(String.raw`^(?=.*(?:by hand|manually|directly|files?\b|\w/\w)).*\b(?:must|may|should) (?:not|never) be (?:edited|
      changed|touched|modified|committed|pushed|deleted)\b|^(?:please )?(?:don't|do not|stop|avoid) .*\b(?:every|
      each) time(?:$|[,.;]| you\b)|^(?:please )?(?:stop|avoid) \w+ing .*\b(?:every|each) (?:answer|reply|response|
      message|commit|change)$|${OF_EACH.source}|\bmust (?:only |always )?(?:come|be read|be loaded) from .*\b(?:env|
      environment|vault)\b|[,;] (?:don't|do not|never) (?:put|store|keep|write) (?:them|it|those) (?:in|into|
      to) (?:the )?(?:repo|git|code|source|logs?\b|\.\w)`),
  preference(String.raw`\bi (?:don't|do not) want (?!to\b|the\b|this\b|that\b|it\b|users?\b|an?\b)(?:[\w-]+ )*(?:code|
      comments|abstractions|helpers|wrappers|checks|files|tests|functions|dependencies|docs)\b`),
  correction(String.raw`\byou (?:keep|always|constantly|still) .*[.!;,] ${STOP}$`),
  rule(String.raw`\b(?:from now on|going forward|from here on)\b|^no more (?!changes|edits|questions)\w+|^(?:when|
      if) (?:in doubt|unsure|(?:something|anything) is unclear)|^in (?:the )?future,? (?!we|i\b|it|this)|^(?:please |
      don't |do not |always |never ).*\bin (?:the )?future$`),
  rule(
    String.raw`(?:^|\b(?:(?<=sure (?:that )?)you|you(?! always)|we|i|and|but|so|please|should|must|to|also|want|
      then) )(?:always|never|don't ever|do not ever) (?:\`|${BASE})|\b(?:should|must) (?:always|
      never|not ever) \w+|\b${PLURAL} (?:always|never) (?!${REPORT})[a-z]{2,}(?<!ed)\b`,
    REPORT,
  ),
  rule(
    String.raw`^(?:(?:.*[,:(] ?)?(?:and |so |since |because |as )?)(?:we(?:'re| are) (?:on|using|all on)\b|
      we (?:only |all |usually |deliberately |intentionally )*(?:use|don't|do not|keep|write|name|run|deploy|squash|
      rebase|merge|put|store|support|target|format|pin|avoid|follow|stick|prefer|version|tag|ship|branch|treat|
      require)\b|we(?:'ve| have)? (?:agreed|decided|standardi[sz]ed|settled)\b|nobody \w+)|
      \bmake sure (?:that )?we(?:'re| are)? (?:only |always )?(?:using|use)\b.*\b(?:everywhere|always)\b|
      \bwe should (?:be )?(?:using|use|add|log|keep|write|have)\b.*\b(?:any|every|all|everywhere|wherever|whenever|
      instead of|always)\b`,
    String.raw`\bwe don't (?:have|want|need|see|know|get|care)\b|
      \bwe (?:don't |do not )?(?!(?:agreed|decided) that )\w+ (?:it|this|that)\b`,
  ),
  rule(
    String.raw`^(?:please |and |but |just )*(?:don't|do not|dont|stop|avoid|quit|no more|refrain from) (?:ever |use |
      using )?(?:(?!this\b|that\b|it\b|anything\b|the\b|me\b|worry\b|forget\b|implement\b|these\b|those\b|
      my\b)[\w\`@./*-]+ ){0,3}(?:any \w+|${PLURAL}|\`[^\`]+\`|\w+/\w+|without \w+|unless|directly|by hand)`,
    String.raw`\b(?:change|changes|edits|code changes|until|merge conflicts)\b`,
  ),
  preference(String.raw`\bi (?:really |strongly |usually |generally |always |personally |much )*(?:prefer|hate|
      dislike|can't stand)\b|\bi (?:really )?(?:don't|do not) (?:like|want) (?:you to|${PLURAL})|
      \bi (?:always )?like (?:my |short |small )|\bi want (?:you to )?(?:always|never|every|all)\b|
      ^in all my (?:projects|repos)\b|\bi want you to .*\b(?:after|before) (?:each|every|any|you)\b|
      \bi'd like you to .*\b(?:after|before|whenever)\b|^(?:answer|reply|respond|talk|speak|write)(?: to)? me in \w+|
      ^(?:answer|reply|respond) in [a-z]+(?:ese|ish|an|ch)\b`),
  rule(
    String.raw`^(?:please )?(?:use|prefer|write|run|call|choose|name|pick|log|import) [^,]+(?:,? (?:and )?not (?!sure|
      only|just|yet|work)|,? never | instead of (?!the |this |that )| rather than (?!the |this )| over )|^(?:it's |
      that's |we're on |we use )?(?!(?:make|set|change|do|put|move|fix|add|show|rename|remove|it|this|that|
      the)\b)[\w\`.@/-]+(?: (?!the\b)[\w\`-]+){0,3}, not [\w\`.@/-]+(?: [\w\`-]+){0,4}[.!]?$|^use .+ (?:for (?:all|
      every|any)\w*\b|everywhere|wherever possible|where possible|when(?:ever)? possible|by default)`,
    String.raw`\b(?:this|that|these|those|it's|that's) (?!pnpm|npm|yarn|bun|uv)`,
  ),
  rule(
    String.raw`\b(?:not allowed|isn't allowed|aren't allowed|off[- ]limits|forbidden|prohibited|is protected|
      read[- ]only|are frozen|is frozen|mandatory|hands off|banned|no[- ]go|no-no|a must|non-negotiable|not an option|
      not ok(?:ay)?|out of bounds|source of truth)\b|^(?:it's|this is) an? [\w.-]+ (?:repo|project|codebase|monorepo|
      workspace|app)\b|^it's \`[^\`]+\` here|\b(?:nothing|no) .*\bwithout (?:asking|checking|my|a|an|review|
      approval)\b|\bno (?!change|action|fix|need|further)[\w-]+ (?:is|are) (?:needed|allowed|permitted|accepted)\b`,
    REPORT,
  ),
  rule(
    String.raw`^no (?!more|changes|tests|errors|issues|problems|worries|thanks|
      files)(?:[\w-]+ ){0,2}${PLURAL}(?: (?:in|on|for|at|without|please|anywhere)\b.*)?[.!]?$|^(?:keep|write|put|name|
      prefix|start|end|format|include|reference|link)? ?(?:all |every |the |our )?(?:commit (?:messages?|msgs?)|
      commits|commit subjects?|pr titles?|pr descriptions?|branch names?|branches|code comments|comments|
      log messages?|error messages?|variable names?|docs|tests|replies|answers)(?: (?:are|is|should be|must be|go|
      stay|look))? (?:in|with|under|like|as|off|short|lower ?case|next to|from) `,
    String.raw`\b(?:add|fix)\b.*\b(?:for|to) the\b|${REPORT}`,
  ),
  fact(
    String.raw`\b(?:is|are|comes?|gets?|file is|files are) (?:auto-?)?(?:generated|overwritten|out of|vendored|
      managed by|deprecated|legacy)\b|^(?:everything|anything|all(?: the)? \w+) (?:under|in|below)\b`,
    `${REPORT}|^(?:it|this|that|i)\\b|\\bone\\b`,
  ),
  rule(String.raw`^there(?:'s| is) an? .*\b(?:use|run) it\b|\bi (?:do|handle|take care of|will do|
      'll do) (?:all )?the \w+ing\b|\bi (?:always |only )?(?:push|merge|deploy|commit|review|release|
      publish)\b.*\b(?:myself|everything|all)\b|\b(?:needs?|without|get|wait for) (?:my|a) (?:ok|okay|approval|
      go-ahead|sign-off|review)\b|\b(?:ask|check with|tell|ping|warn) me (?:first|before|rather)|^ask (?:before|
      first)`),
  preference(String.raw`\bi(?:'d| would) (?:much )?(?:rather|prefer)\b|^i (?:really )?like (?!the\b|to see|how\b|
      what\b|option)|^i work (?:on|in|with)\b|^be (?:brief|concise|terse|direct)\b|^keep (?:it|them|things|
      (?:your )?(?:replies|answers)) (?:short|brief|concise|terse|detailed|
      (?:to|under|below|at) (?:\w+ ){1,4}(?:sentence|line|word|paragraph|bullet)s?)\b`),
]

/** Something named in up to five words, without a verb. */
const NOUNS = String.raw`(?:(?!to\b|i\b|we\b|you\b|if\b|when\b|can\b|let's\b|and then\b|there\b|he\b|they\b|is\b|
      are\b)[\w\`'"*./@()+-]+ ){0,5}?`

/** What a sentence in general is about: no thing at hand, no sentence of its own. */
const SUBJECT = String.raw`(?:(?:our|all|every|each|any|new|most|a|an|no|the (?:ci|prod|production|staging|dev|repo|
      team|main|master|default|official|only)|this (?:repo|project|codebase)) )?(?!\d|(?:fix|mention|review|continue|
      bump|create|add|remove|rename|push|make|look|check|merge|update|rebase|explain|implement|investigate|handle|
      address|restart|ensure|generate|respond|commit|move|change|show|find|try)\b)(?:(?!(?:the|a|an|i|you|it|its|we|
      there|they|he|she|what|let|yes|ok|okay|y|if|when|as|to|for|and|or|so|but|that|this|w|now|then|also|use|not|one|
      nothing|everything|is|are|me|my|your|by|at|without|ideally|pls|just|don't|do|never|always|these|
      those)\b)[\w\`'"./@#:-]+ )(?:(?:in|on|under|of|for|from) (?!the\b|this\b|that\b|my\b)[\w\`'./@-]+ |(?!(?:the|a|
      an|i|you|it|we|they|and|or|so|if|that|this|w|to|for|in|on|of|with|is|are|has|have|
      from)\b)[\w\`'"./@#:-]+ ){0,4}?`

const VERBS = String.raw`(?:(?:is|are|has|have|lives?|stays?|goes|go|uses?|needs?|comes?|belongs?|follows?|starts?|
      ends?|takes?|gets?|means?|counts?|carry|hit|hits|expects?|supports?|allows?|lacks?|owns?|talks?|points?|speaks?|
      stands?|must not|mustn't|should never|may not) \S|runs? (?:on|in|through|via|under|with|before|against|inside|
      from|as)\b|works? only|(?:doesn't|don't|isn't|aren't|won't) (?:belong|go|live|exist|survive|need|get|touch|use|
      ship|take|want|allow|support|leave|belong|accept)\b)`

/** Weaker forms, which count in a short prompt: casual orders, and statements in general. */
const TALK_FORMS = [
  rule(
    String.raw`(?:^|[,:] |\bso )(?:please )?(?:don't|do not|dont|never(?! \w+ed)|stop|avoid|no more|quit|no need to|
      don't bother) [\w\`'"*./@()-]+ [\w\`'"*./@()-]+|^\w+, (?:don't|do not|never|not) \w+[.!]?$|\b(?:can|could|
      would) you (?:please )?(?:stop|not|avoid|quit)\b|\byou (?:don't|do not) (?:need|have) to\b|(?:^|[,:] |
      \bso )no (?!tests?\b|changes?\b|need\b|idea\b|other\b|longer\b|one\b|i\b|we\b|you\b|wait\b|way\b|
      more\b)${NOUNS}[\w\`'.-]+(?:$|,| in | on | for | at | without | please| of )`,
    String.raw`\b(?:don't|do not|stop|avoid) \w+ (?:(?:the|my|your) (?!.*\b(?:in|by|without|unless|directly|from|on|
      anymore)\b)|but )|\bdon't (?:know|think|see|understand|get|have|worry|mind|want|show|print|display|(?:change|
      fix|touch|do|edit) anything)\b`,
  ),
  rule(String.raw`^(?:try to |make sure to |make sure you |remember to |always )?(?:use|run|write|put|name|keep|log|
      prefer|assume|document|explain|only \w+|stick (?:to|with)|leave|wrap|store|branch|rebase|squash|prefix|format|
      stage|ask|tell me|show me|check with me|wait|be|go|stop|import|follow|start|treat|pin|sort|throw|let's keep|
      let me|mark|spell|default to|err on) .*(?:\bonly\b|\binstead of (?!the\b|this\b)|\brather than (?!the\b|this\b)|
      \bfor (?!the\b|this\b|now\b|me\b)(?:\w+ )?\w+s\b|\bnot\b|\bover\b|\bvia\b|\bthrough\b|\bbefore (?:you|any|every|
      each|\w+ing)\b|\bafter (?:every|each)\b|\bper\b|\beach\b|\bevery\b|\b(?:under|within|below|max|up to) \d|
      \bat most\b|\bby default\b|\beverywhere\b|\bany\w*\b|\bever\b|\bpossible\b|\bas .* as\b|\bnext to\b|
      \bwhen(?:ever)?\b|\bunless\b|\bwithout\b|\bmyself\b|\bto (?:me|ci|us)\b|\bsmall\b|\bshort\b|\bbrief\b|\b(?:to|
      with) the (?:stdlib|standard)\b|\w\(\)|\*\.\w|\bin (?:\w+ )?(?:english|japanese|german|french)\b|\bfirst(?:$|
      ,))|^let's (?:keep (?!going)|stick|always|only|not) |^leave [\w.\`/-]+ (?:\w+ )?to \w+|^prefer `),
  // Nothing is pointed at: "lint before you commit", not "fix the cart before you commit".
  rule(String.raw`^(?!fix|finish|check|commit|push|do\b|go\b)${BASE}(?: (?!the\b|this\b|that\b|these\b|those\b|it\b|
      them\b|an?\b|my\b|your\b|all\b|and\b|then\b|before\b)[\w-]+){0,2} (?:before|after) (?:you|every|each|
      any) (?:commit|push|merge|rebase|release|deploy|publish|tag|ship)$`),
  rule(String.raw`^(?:[\w\`'"*./@-]+ ){1,5}only(?:$|,| please| for| on)|\b(?:upper|lower)[- ]?case\b|
      ^use (?:conventional|absolute|relative|named|strict|plain|semantic|double|single|functional|imperative) |
      \bonly (?:in|from|via|through|on|with)\b|\bcase for\b|^[\w ]{2,30} (?:spelling|style|convention|
      formatting)\b.*\b(?:in|for)\b`),
  rule(
    String.raw`^you(?:'ll| will)? (?:need|have) to (?:run|set|start|export|source|log|pass) .*\b(?:before|first)\b|
      ^(?:when(?:ever)?|if|before|after|every time|any ?time|for) (?:you |a |an |any |\w+ing |sql |[\w-]+s )(?!want|
      can|need|think|see|look|have|could|like|get|i\b).*,? (?:please |then |also )?(?:tell|ask|use|run|add|update|
      bump|show|check|let|write|put|keep|do|stop|never|always|don't|no|only|create|open|wait|make|go|start|give|
      prefer|mention)\b`,
    String.raw`\b(?:you're|you are) (?:done|finished|ready)\b|\bwhen (?:i|the user)\b`,
  ),
  rule(String.raw`(?:^|, |\b(?:so|since|because|as|and|that) )we (?!need|want|can|could|should|have|get|see|are|got|
      were|had|did|do\b|will|might|may|must|think|know|lost|tried|went|also|still|just|then|now|end up|don't (?:know|
      see|have|need|want)|agreed to|talked|discussed|\w+ed\b|[a-z]+'|run into|say|call \w+ twice|send|show|create|
      make|write \w+ to)[a-z]+ |\bnot on \w+ anymore\b|^our (?:\w+ ){1,3}(?:is|are) |^(?:the )?(?:convention|rule|
      policy|standard|style|pattern|our style|our convention)(?: here)?(?: is|:)|\bthis (?:is|repo is) (?:a|
      an) \w+ (?:repo|project|codebase)\b`),
  fact(
    String.raw`^${SUBJECT}(?:(?:always|never|only|all|just|still) )?(?:${VERBS}|[a-z]{3,}s (?:an?|the|no|only|its|
      explicit|through|via) )`,
    String.raw`^(?:\S+ )?\w+ing (?!is\b|are\b)|\b(?:should|has \w+(?:ed|en|one)|correct|fine|better|misaligned|
      disconnect\w*)\b|^(?:option|step|case|version|approach) |\bare \w+ing\b|\bis \w+ing\b`,
  ),
  fact(
    String.raw`^the (?!\w+ (?:of|for|in|from|that|which|with)\b)(?:[\w\`'"./@-]+ ){1,3}?(?:(?:always|never|only) \w+s|
      (?:is|are) (?:only|not|always|never|shared|reserved|generated|owned|frozen|pinned|called|for)|has no|lives?|
      belongs?|stays?|goes|talks|must not|mustn't|may not) \S`,
    String.raw`\b(?:should|correct|fine|(?:is|are) \w+ing)\b|^(?:\S+ ){14}`,
  ),
  correction(String.raw`^you (?:don't have|have no (?!idea)|may not|
      only (?!chang|did|do\b|fix)|stop at|run as|are on) |^(?:stop|quit|no more|enough) (?!edit|work|cod)\w+ing(?:$|,|
      [ ](?:any |all )?${PLURAL})`),
  rule(
    String.raw`^(?:let|run|write|name|put|keep|log|wrap|throw|pass|take|give|treat|store|return|format|sort|mark|tag|
      document|type|prefix|end|start|make) (?:all |every |each |any |new )?${PLURAL}\b.*(?: (?:with|via|
      through|as|in|up|by|first|under)|$)`,
    String.raw`\b(?:for|to|in|from|with|of) (?:the|this|that)\b`,
  ),
  preference(String.raw`^(?:skip|drop|lose|cut|ditch|spare me|leave out|enough with|no need for (?!a\b)|keep out|less|
      fewer|short|shorter|brief|concise|cut down on|go easy on) (?:(?:the|all|your|those|any) )*(?:\w+ )?(?:summar|
      recap|emoji|apolog|preamble|explan|co-?author|praise|filler|intro|comment|bullet|disclaimer|answer|repl|table|
      heading|markdown|repetition|prose|jargon|compliment|greeting|text|words|output|log)`),
  rule(String.raw`\b(?:in|for|on|with|after|before|per) (?:every|each|any) (?:pr|commit|change|release|merge|push|
      deploy|feature|fix|bugfix)\b|\bone (?:[\w-]+ ){1,3}per \w+|^always ${PLURAL}|^all ${PLURAL} \w+|
      ^max(?:imum)? (?!is\b)[\w ]+ \d+|^we're an? .* (?:shop|team|house|company)\b|^(?!fix|commit the|review|add|
      look)(?:[\w\`'-]+ )*(?!ideas|thoughts|steps|fields|results|options|items|todos|columns|cases|changes|
      files)${PLURAL}: (?!/|http)\S+|^[\w\`' -]{3,30} = .*\b(?:everywhere|always|only|in this)\b|^(?:once|whenever|if|
      when) [^,]+, (?:only|no|always|never) |^(?:only (?!on\b|in\b|when\b|if\b|happens\b|after\b|the\b|for\b|do\b|
      fix\b|one\b)|plain |zero )[\w-]+|\bisn't (?:done|ready|finished|complete) (?:until|unless|without)\b`),
]
