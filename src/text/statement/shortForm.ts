// The shortest form of a statement that can stand alone: without fillers, politeness and the speaker.

import { firstLine } from '../excerpt.ts'
import { pattern } from '../pattern.ts'

const SHORT_CHARS_MAX = 140

/** Removed from the beginning, again and again. */
const OPENINGS = pattern(
  String.raw`^(?:(?:yes|yeah|yep|(?:no|nope|nah)(?=[,.!:…])|ok|okay|oh|ah|hmm+|hm|well|so|and|but|
    also|then|now|sure|right|sorry|
    wait|actually|please|pls|btw|by the way|in general|generally|alright|great|thanks|again|just|maybe|
    from now on|going forward|(?:note|correction|important|one more thing|
    change of plan)(?=:)|remember(?: that)?|keep in mind(?: that)?|note that|don't forget(?: that|
    [ ]to)?|i (?:think|guess|feel(?: like)?|believe|mean|said|mostly meant|suppose|assume)(?: that)?|i(?:'m|
    [ ]am) (?:pretty sure|sure|wondering(?: if)?)|i(?:'d| would) (?:like|prefer|want) (?:you )?to|
    i (?:do )?(?:also )?(?:want|need) (?:you )?to|i(?:'d| would) (?:prefer|like)(?= (?:it|if)\b)|(?:can|
    could|would|will) (?:you|we|i)|let's|lets|let us|we (?:should|need to|have to|must|can)|you (?:should|
    need to|have to|must)|make sure(?: that| to)?|the (?:point|idea|thing) is(?: that)?|
    my point is(?: that)?:?)(?:[,.!:…]+\s*|\s+)|[-*•,.:：)\s]+|いや[、,]?|いいえ[、,]?|あと[、,]?|それと[、,]?|それから[、,]?|
    ちなみに[、,]?|はい[、,]?|すみません[が、,]*|えっと[、,]?|bitte\s+|nein[,.]?\s+|ja[,.]?\s+|non[,.]?\s+|oui[,.]?\s+|
    sí[,.]?\s+|por favor[,.]?\s+|s'il te plaît[,.]?\s+|请|另外[，,]?|不对[，,]?)`,
  'i',
)
/** Removed from the end. */
const ENDINGS = pattern(
  String.raw`(?:[,.]?\s+(?:please|pls|thanks|thank you|right|ok|okay|yeah|no|or|hey|huh|though|for me|bitte|danke|
    stp|svp|gracias|por favor))?(?:[\s.,;:!?…)]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|
    \ufe0f)*$|(?:と思います|と思う|かなと思います|でお願いします|お願いします|をお願いします|ようにしてください|ようにして下さい|てほしいです|[。!！?？])+$`,
  'iu',
)

export function shortenStatement(clause: string): string {
  let text = firstLine(clause, 400).replace(/\s*\((?:in reply to|rejected):.*$/, '')
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(OPENINGS, '')
  }
  text = text.replace(ENDINGS, '').trim()
  if (text === '') text = clause.trim()
  return firstLine(
    /^[a-z]+\b(?![./_(])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text,
    SHORT_CHARS_MAX,
  )
}
