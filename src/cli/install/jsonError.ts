// Where a text stops being JSON. JSON.parse reports that it does, but names the position only in some versions of Node.
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'

interface JsonErrorPosition {
  /** Both count from 1; the column in UTF-16 code units, as editors count. */
  readonly line: number
  readonly column: number
  /** What is wrong there, as a phrase for a sentence: `a comma is missing`. */
  readonly problem: string
}

/** The first error in a text that JSON.parse refuses. Undefined where none can be located: a text nested too deeply. */
export function findJsonError(text: string): JsonErrorPosition | undefined {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  const first = errors.reduce<ParseError | undefined>((a, b) => (a && a.offset <= b.offset ? a : b), undefined)
  if (!first) return undefined
  const before = text.slice(0, first.offset)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  return {
    line,
    column: first.offset - lineStart + 1,
    problem: PROBLEMS[printParseErrorCode(first.error)] ?? 'this is not valid here',
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a JSON value',
  InvalidNumberFormat: 'this is not a JSON number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a "}" is missing',
  CloseBracketExpected: 'a "]" is missing',
  EndOfFileExpected: 'the text should end here',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'the closing quote is missing',
  UnexpectedEndOfNumber: 'the number is incomplete',
  InvalidUnicode: 'this is not a valid \\u escape',
  InvalidEscapeCharacter: 'this is not a valid escape',
  InvalidCharacter: 'this character is not allowed in a string',
}
