// User signals in English: the rules for a sentence, selected by its first word, so that a new process compiles only
// the two or three small patterns it needs. One large pattern for each kind took nine milliseconds.
import type { PromptSignal } from '../../model/event.ts'

/** The pattern is tested on the sentence in lower case and without leading fillers. */
export type SignalRule = readonly [kind: PromptSignal['kind'], pattern: RegExp]

const FILLERS =
  'please pls and also but ok okay yes yeah yep so then hmm oh well great nice cool perfect awesome excellent good sorry'

/** A lower-case sentence without leading fillers. A sentence that only praises stays. */
export function skipFillers(sentence: string): string {
  let opening = sentence
  for (;;) {
    const [match, filler = ''] = /^([a-z]+)[,.!… ]+(?=[a-z])/.exec(opening) ?? []
    if (match === undefined || !FILLERS.split(' ').includes(filler) || isPraise(opening)) return opening
    opening = opening.slice(match.length)
  }
}

const isPraise = (opening: string): boolean =>
  /^(?:perfect|great|awesome|excellent|amazing|fantastic|brilliant|wonderful|nice|good|works|lgtm)(?: (?:job|work|one|stuff|find|catch|now))?[^\w]*$/.test(
    opening,
  )

/** The rules for a sentence, in the order in which they are tried. */
export function selectEnglishRules(opening: string): readonly SignalRule[] {
  if (isPraise(opening)) return [['thanks', /^/]]
  const word = /^[a-z]+/.exec(opening)?.[0] ?? ''
  return [...(isLasting(opening) ? [LASTING_REQUEST] : []), ...rulesForWord(word)]
}

const LASTING_REQUEST: SignalRule = [
  'preference',
  /^(?:use|write|keep|answer|reply|make|run|prefer|avoid|add|always|never|from|going|we should|do not|don't|commit|put|name|format|test) /,
]

/** Whether the sentence is about the future, such as "… from now on". */
const isLasting = (opening: string): boolean =>
  /\bfrom now on\b|\bgoing forward\b|\bevery time\b|\bin (?:the )?future(?=[,.!]|$)|\bwherever (?:we|you) can\b/.test(
    opening,
  )

/** A request has the verb's base form; "always returns null", "never called" and "never mind" are no requests. */
const ALWAYS =
  '(?:always (?!(?:the|an?|in|on|at|be|been|has|had|was|null|true|false|empty|there|\\w+[^s]s|\\w+(?:ed|en))\\b)[a-z]|never (?!(?:mind|the|an?|been|had|has|was|got|happens?|\\w+[^s]s|\\w+(?:ed|en|wn))\\b)[a-z])'
/** A decision for "A", "#4" or "option 2" means nothing without the list. */
const CHOICE =
  '(?!(?:the )?(?:\\w|#?\\d+|that|this|it|option \\S+|(?:first|second|third|last|latter|former|other)(?: (?:one|option))?)(?:[^\\w]*$|\\)|,| and\\b| then\\b| for now\\b| please\\b))\\S'

function rulesForWord(word: string): readonly SignalRule[] {
  switch (word) {
    case 'remember':
      return [['remember', /^remember(?: that|:| to\b|,)/]]
    case 'keep':
    case 'bear':
      return [['remember', /^\w+ in mind(?: that|:)/]]
    case 'save':
    case 'store':
    case 'add':
    case 'commit':
      return [['remember', /^\w+ (?:this|that|it) (?:to|in) (?:your |the )?memory\b/]]
    case 'don':
    case 'do':
      return [
        ['remember', /^do(?: not|n't) forget(?: that|:)/],
        ['preference', /^do(?: not|n't) ever [a-z]/],
      ]
    case 'make':
      return [
        ['remember', /^make a note (?:that|to|:)/],
        ['preference', new RegExp(`^make sure (?:to|you|that you) ${ALWAYS}`)],
      ]
    case 'always':
    case 'never':
      return [['preference', new RegExp(`^${ALWAYS}`)]]
    case 'from':
    case 'going':
      return [['preference', /^(?:from now on|going forward)\b/]]
    case 'in':
    case 'when':
    case 'whenever':
      return [
        [
          'preference',
          new RegExp(
            `^(?:in this|when(?:ever)? (?:you|we|i|\\w+ing))\\b[^,]{3,60},? (?:please )?(?:we |you should )?${ALWAYS}`,
          ),
        ],
      ]
    case 'i':
      return [
        [
          'preference',
          /^i(?:(?: always| really| strongly| generally| usually)? prefer|'d (?:rather|prefer)| would (?:rather|prefer)) (?!(?:that|this|it|not|the (?:first|second|latter|former))\b[^\w]*$)\S+ \S|^i don't like (?:it when|how|when) you/,
        ],
        ['preference', new RegExp(`^i (?:want|would like|need) you to ${ALWAYS}`)],
        ...DECIDED,
        ...STILL,
        [
          'correction',
          /^i (?:said|meant|asked (?:you )?(?:for|to))\b.*\b(?:not|instead|rather)\b|^i (?:didn't|did not) (?:ask|want|tell|say)\b/,
        ],
        ['thanks', /^i (?:love|like) it[^\w]*$/],
      ]
    case 'we':
      return [
        [
          'preference',
          /^we (?:always|never) (?:use|run|write|commit|push|deploy|merge|add|put|name|call|test|format|sign|squash|rebase|review)\b/,
        ],
        ...DECIDED,
        [
          'decision',
          new RegExp(
            `^we(?:'ll|'re| will| are)(?: going to)? (?:going with|go with|stick(?:ing)? (?:with|to)) ${CHOICE}`,
          ),
        ],
      ]
    case 'let':
      return [['decision', new RegExp(`^let's (?:go with|settle on|stick (?:with|to)) ${CHOICE}`)]]
    case 'the':
    case 'our':
    case 'final':
    case 'decision':
      return [...DECIDED, ['decision', /^(?:(?:the|our|final) )*decision(?: is|:) (?!["'{[])\S/], ...STILL]
    case 'no':
    case 'nope':
    case 'wrong':
      return [
        [
          'correction',
          /^\w+[,.!:—-]+ ?(?!(?:but|problem|worries|need|idea|thanks|wait|just|(?:it|that)'?s (?:fine|ok|all)|we'?re good)\b)\S+ \S/,
        ],
        ['correction', /^no (?:revert|remove|don't|do not|use|keep|put|change|undo|i (?:meant|said|asked))\b/],
      ]
    case 'not':
      return [['correction', /^not (?:there|that|like that|this|what i)[,.:!;— -]/]]
    case 'actually':
      return [['correction', /^actually,? (?:use|it should|no|don't|i (?:meant|want))\b/]]
    case 'stop':
      return [
        ['preference', /^stop (?:adding|using|writing|putting|making|creating|committing|asking|doing)\b/],
        ['correction', /^stop[,.!:—-]+ ?\S+ \S/],
      ]
    case 'you':
      return [
        ['preference', new RegExp(`^you (?:should|must) ${ALWAYS}`)],
        ['correction', /^you should(?:n't| not) have\b|^you (?:misunderstood|forgot|ignored|missed)\b/],
        ['complaint', /^you (?:just )?broke\b/],
      ]
    case 'it':
    case 'its':
    case 'that':
    case 'this':
      return [
        ['correction', /^\w+(?:'s| is) (?:not (?:right|what i|correct|how)|wrong\b(?! (?:if|when))|incorrect)/],
        [
          'complaint',
          /^this is (?:terrible|a mess|useless|frustrating)|^(?:it|this)(?:'s| is)? (?:broke|broken|failing|fails|crashe[sd]) again\b/,
        ],
        ...STILL,
        ['thanks', /^\w+(?:'s| is)? (?:perfect|great|awesome|excellent|amazing|works)[^\w]*$/],
        WORKS,
      ]
    case 'works':
    case 'looks':
      return [WORKS]
    case 'test':
    case 'tests':
    case 'build':
    case 'same':
    case 'still':
      return [
        ...STILL,
        ['complaint', /^same (?:error|problem|issue)\b|^still (?:broken|failing|not|doesn't|the same|wrong)/],
      ]
    case 'thanks':
    case 'thank':
    case 'thx':
    case 'many':
      return [['thanks', /^(?:many )?(?:thanks|thx|thank you)\b(?! to (?!you\b))(?!.*\b(?:but|however|except)\b)/]]
    default:
      return []
  }
}

const DECIDED: readonly SignalRule[] = [
  [
    'decision',
    /^(?:we|i|the team)(?:'ve| have| has)? (?:just |finally |already |now )?(?:decided (?:to|that|on|against|not to)|settled on|chose \S+ (?:over|because|instead|for)|agreed (?:to|on|that)) \S/,
  ],
]
const STILL: readonly SignalRule[] = [
  [
    'complaint',
    /^(?:i guess )?(?:it|this|that|the \w+(?: \w+)?|tests?|build|same error)(?:'s| is| are)? still (?:not?\b|broken|fail|does|is(?:n't| not)|are(?:n't| not)|won't|can't|shows?|display|wrong|happen|throw|crash|the same|gives?)/,
  ],
]
const WORKS: SignalRule = [
  'thanks',
  /^(?:(?:it|that|this) )?(?:works|looks) (?:now|great|perfectly|well|good|perfect|like a charm)(?! (?:but|except|if|only|on|for|when))(?!.*\b(?:but|however|except|only)\b)/,
]
