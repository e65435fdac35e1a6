// Names of files, branches and commands that are shown unasked. A name can be a sentence, and a sentence an order.

/** Words that a part of a name may have before it reads like a sentence. */
const NAME_WORDS_MAX = 6
const NAME_CHARS_MAX = 80
const JAPANESE_CHARS_MAX = 14

/** Whether a path or branch has only short parts of ordinary characters. */
export const isPlainName = (path: string): boolean => path.split('/').every(isPlainPart)

function isPlainPart(part: string): boolean {
  if (part.length > NAME_CHARS_MAX || /[\p{Cc}\p{Cf}]/u.test(part)) return false
  if ((part.match(/[\u3040-\u30ff\u3400-\u9fff]/g) ?? []).length > JAPANESE_CHARS_MAX) return false
  if (part.split(' ').length > 3) return false
  const words = part.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/\p{L}{2,}/gu) ?? []
  return words.length < NAME_WORDS_MAX
}

/** Whether every word of a command is plain: no quoted sentence, no name that is one. */
export const isPlainCommand = (command: string): boolean =>
  !/(["'])[^"']*\s[^"']*\s[^"']*\s[^"']*\1/.test(command) &&
  !/[\u3040-\u30ff\u3400-\u9fff]{15}/.test(command) &&
  command.split(/[\s"'=]+/).every(isPlainName)
