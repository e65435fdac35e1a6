// Porter's stemmer: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, pp. 130–137.
// As published, without its author's later changes. Letter by letter: regular expressions are four times slower in a
// new process.

/** By the letter before the last: suffix, replacement, suffix, replacement …, the longest suffix first. */
type Rules = Readonly<Record<string, readonly string[]>>

// Steps 2 to 4. Only the first suffix that matches is tried.
const STEP_2: Rules = {
  a: ['ational', 'ate', 'tional', 'tion'],
  c: ['enci', 'ence', 'anci', 'ance'],
  e: ['izer', 'ize'],
  l: ['entli', 'ent', 'ousli', 'ous', 'abli', 'able', 'alli', 'al', 'eli', 'e'],
  o: ['ization', 'ize', 'ation', 'ate', 'ator', 'ate'],
  s: ['iveness', 'ive', 'fulness', 'ful', 'ousness', 'ous', 'alism', 'al'],
  t: ['biliti', 'ble', 'aliti', 'al', 'iviti', 'ive'],
}
const STEP_3: Rules = {
  a: ['ical', 'ic'],
  s: ['ness', ''],
  t: ['icate', 'ic', 'iciti', 'ic'],
  u: ['ful', ''],
  v: ['ative', ''],
  z: ['alize', 'al'],
}
const STEP_4: Rules = {
  a: ['al', ''],
  c: ['ance', '', 'ence', ''],
  e: ['er', ''],
  i: ['ic', ''],
  l: ['able', '', 'ible', ''],
  n: ['ement', '', 'ment', '', 'ant', '', 'ent', ''],
  o: ['sion', 's', 'tion', 't', 'ou', ''],
  s: ['ism', ''],
  t: ['ate', '', 'iti', ''],
  u: ['ous', ''],
  v: ['ive', ''],
  z: ['ize', ''],
}

/** The stem of a lower-case English word. Words of one or two letters, or with anything but a–z, stay as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !isLowerCaseWord(word)) return word
  return step5(applyRules(applyRules(applyRules(step1(word), STEP_2, 0), STEP_3, 0), STEP_4, 1))
}

function isLowerCaseWord(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    if (code < 97 || code > 122) return false
  }
  return true
}

/** Step 1: plurals, -ed and -ing, and a final y. */
function step1(word: string): string {
  let w = word
  if (w.endsWith('s') && !w.endsWith('ss')) w = w.slice(0, w.endsWith('sses') || w.endsWith('ies') ? -2 : -1)
  if (w.endsWith('eed')) {
    if (measure(w, w.length - 3) > 0) w = w.slice(0, -1)
  } else {
    const cut = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0
    if (cut > 0 && hasVowel(w, w.length - cut)) w = restoreEnding(w.slice(0, -cut))
  }
  return w.endsWith('y') && hasVowel(w, w.length - 1) ? `${w.slice(0, -1)}i` : w
}

/** Restores the stem that -ed or -ing changed: hopp → hop, siz → size, fil → file. */
function restoreEnding(w: string): string {
  if (w.endsWith('at') || w.endsWith('bl') || w.endsWith('iz')) return `${w}e`
  const last = w.length - 1
  if (last > 0 && w[last] === w[last - 1] && !isVowel(w, last))
    return 'lsz'.includes(w.charAt(last)) ? w : w.slice(0, -1)
  return measure(w, w.length) === 1 && endsShort(w, w.length) ? `${w}e` : w
}

/** Applies the rule whose suffix matches if the measure of the rest is greater than `over`. */
function applyRules(w: string, rules: Rules, over: number): string {
  const candidates = rules[w.charAt(w.length - 2)]
  if (candidates === undefined) return w
  // By index: iterators and destructuring allocate 1.5 KB a word, which a hook would have to collect.
  for (let i = 0; i < candidates.length; i += 2) {
    const suffix = candidates[i] ?? ''
    if (!w.endsWith(suffix)) continue
    const end = w.length - suffix.length
    // -ion is removed only after s or t, which belong to the measured part.
    const isLongEnough = measure(w, suffix === 'sion' || suffix === 'tion' ? end + 1 : end) > over
    return isLongEnough ? w.slice(0, end) + (candidates[i + 1] ?? '') : w
  }
  return w
}

/** Step 5: a final e, and one l of a final ll. */
function step5(word: string): string {
  let w = word
  if (w.endsWith('e')) {
    const end = w.length - 1
    const m = measure(w, end)
    if (m > 1 || (m === 1 && !endsShort(w, end))) w = w.slice(0, end)
  }
  return w.endsWith('ll') && measure(w, w.length) > 1 ? w.slice(0, -1) : w
}

/** The measure m of the first `end` letters: how often a consonant follows a vowel in [C](VC)^m[V]. */
function measure(w: string, end: number): number {
  let m = 0
  let wasVowel = false
  for (let i = 0; i < end; i++) {
    const code = w.charCodeAt(i)
    const isNowVowel: boolean = isAeiou(code) || (code === 121 && i > 0 && !wasVowel)
    if (wasVowel && !isNowVowel) m++
    wasVowel = isNowVowel
  }
  return m
}

function hasVowel(w: string, end: number): boolean {
  for (let i = 0; i < end; i++) {
    const code = w.charCodeAt(i)
    // A y that is not the first letter is a vowel or follows one.
    if (isAeiou(code) || (code === 121 && i > 0)) return true
  }
  return false
}

/** Porter's *o: the first `end` letters end in consonant, vowel, consonant, and the last is not w, x or y. */
const endsShort = (w: string, end: number): boolean =>
  end > 2 && !isVowel(w, end - 3) && isVowel(w, end - 2) && !isVowel(w, end - 1) && !'wxy'.includes(w.charAt(end - 1))

/** A y is a vowel after a consonant, so in a run of y every other one is. */
function isVowel(w: string, i: number): boolean {
  let start = i
  while (start > 0 && w.charCodeAt(start) === 121) start--
  return isAeiou(w.charCodeAt(start)) === ((i - start) % 2 === 0)
}

const isAeiou = (code: number): boolean => code === 97 || code === 101 || code === 105 || code === 111 || code === 117

// Searched as text: building a table in a new process would take longer than the few lookups.
const FORMS =
  ' ' +
  'went:go gone:go bought:buy made:make got:get gotten:get took:take taken:take said:say saw:see seen:see ' +
  'gave:give given:give came:come found:find told:tell thought:think knew:know known:know felt:feel left:leave ' +
  'met:meet brought:bring began:begin begun:begin kept:keep held:hold wrote:write written:write ran:run sat:sit ' +
  'stood:stand lost:lose paid:pay sent:send built:build rebuilt:rebuild fell:fall fallen:fall spent:spend ' +
  'grew:grow grown:grow won:win taught:teach caught:catch spoke:speak spoken:speak drew:draw drawn:draw ' +
  'chose:choose chosen:choose drove:drive driven:drive broke:break broken:break ate:eat eaten:eat drank:drink ' +
  'drunk:drink sang:sing sung:sing swam:swim swum:swim slept:sleep wore:wear worn:wear rode:ride ridden:ride ' +
  'flew:fly flown:fly sold:sell heard:hear threw:throw thrown:throw understood:understand ' +
  'misunderstood:misunderstand forgot:forget forgotten:forget hid:hide hidden:hide woke:wake woken:wake ' +
  'became:become shown:show led:lead meant:mean dealt:deal fought:fight hung:hang laid:lay lit:light stole:steal ' +
  'stolen:steal struck:strike stuck:stick swept:sweep tore:tear torn:tear bitten:bite blew:blow blown:blow dug:dig ' +
  'froze:freeze frozen:freeze rose:rise risen:rise shook:shake shaken:shake shot:shoot sought:seek ' +
  'overcame:overcome overrode:override overridden:override overwrote:overwrite overwritten:overwrite ' +
  'rewrote:rewrite rewritten:rewrite undid:undo undone:undo redid:redo redone:redo withdrew:withdraw ' +
  'withdrawn:withdraw bent:bend bred:breed crept:creep dreamt:dream fed:feed fled:flee forgave:forgive ' +
  'forgiven:forgive leapt:leap learnt:learn lent:lend proven:prove rang:ring rung:ring sank:sink sunk:sink ' +
  'shone:shine slid:slide spun:spin sprang:spring sprung:spring swore:swear sworn:swear swung:swing wept:weep ' +
  'wrung:wring children:child kids:child kid:child men:man women:woman feet:foot teeth:tooth mice:mouse lives:life ' +
  'wives:wife knives:knife halves:half shelves:shelf leaves:leaf wolves:wolf indices:index indexes:index ' +
  'vertices:vertex matrices:matrix criteria:criterion analyses:analysis hypotheses:hypothesis '

/** The base form of a lower-case word; the word itself if it is regular. */
export function lookUpBaseForm(word: string): string {
  const at = FORMS.indexOf(` ${word}:`)
  if (at === -1) return word
  const from = at + word.length + 2
  return FORMS.slice(from, FORMS.indexOf(' ', from))
}
