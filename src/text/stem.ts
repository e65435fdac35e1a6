// Porter's stemmer: "An algorithm for suffix stripping", Program 14(3), 1980. For lower-case English words.

const CONSONANT = '[^aeiou]'
const VOWEL = '[aeiouy]'
const CONSONANTS = `${CONSONANT}[^aeiouy]*`
const VOWELS = `${VOWEL}[aeiou]*`

// The measure m of a stem counts its VC pairs: [C](VC)^m[V].
const OVER_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`)
const EXACTLY_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`)
const OVER_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`)
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`)
const SHORT_END = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`)

const STEP_2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]
const STEP_3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const STEP_4 = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
]

/** The stem of a lower-case English word. Words of one or two letters, or with anything but a–z, stay as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  // A y at the beginning is a consonant; written Y it is not taken for a vowel.
  const start = word.startsWith('y') ? `Y${word.slice(1)}` : word
  const stemmed = step5(step4(replaced(replaced(step1(start), STEP_2), STEP_3)))
  return stemmed.startsWith('Y') ? `y${stemmed.slice(1)}` : stemmed
}

function step1(word: string): string {
  let w = word
  if (w.endsWith('sses') || w.endsWith('ies')) w = w.slice(0, -2)
  else if (w.endsWith('s') && !w.endsWith('ss')) w = w.slice(0, -1)
  if (w.endsWith('eed')) {
    if (OVER_0.test(w.slice(0, -3))) w = w.slice(0, -1)
  } else {
    const end = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0
    if (end > 0 && HAS_VOWEL.test(w.slice(0, -end))) w = mended(w.slice(0, -end))
  }
  return w.endsWith('y') && HAS_VOWEL.test(w.slice(0, -1)) ? `${w.slice(0, -1)}i` : w
}

/** What -ed and -ing leave behind: hop(p), siz(e), fil(e). */
function mended(w: string): string {
  if (/(at|bl|iz)$/.test(w)) return `${w}e`
  if (/([^aeiouylsz])\1$/.test(w)) return w.slice(0, -1)
  return SHORT_END.test(w) ? `${w}e` : w
}

function replaced(w: string, rules: readonly (readonly [string, string])[]): string {
  for (const [ending, by] of rules) {
    if (!w.endsWith(ending)) continue
    const before = w.slice(0, -ending.length)
    return OVER_0.test(before) ? before + by : w
  }
  return w
}

function step4(w: string): string {
  const before = (ending: string) => w.slice(0, -ending.length)
  const longest = STEP_4.filter((ending) => w.endsWith(ending)).sort((a, b) => b.length - a.length)[0]
  if (longest) return OVER_1.test(before(longest)) ? before(longest) : w
  return /[st]ion$/.test(w) && OVER_1.test(w.slice(0, -3)) ? w.slice(0, -3) : w
}

function step5(word: string): string {
  let w = word
  if (w.endsWith('e')) {
    const before = w.slice(0, -1)
    if (OVER_1.test(before) || (EXACTLY_1.test(before) && !SHORT_END.test(before))) w = before
  }
  return w.endsWith('ll') && OVER_1.test(w) ? w.slice(0, -1) : w
}
