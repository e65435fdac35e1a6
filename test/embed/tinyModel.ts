// A tiny BERT-like model for tests of the embedders.
import { SPECIAL_TOKENS, writeStaticModel } from './staticModel.ts'

const WIDTH = 16

/** Words of one row have one vector: what a real model learns from text, this one is told. */
const MEANINGS = [
  ['crash', 'segfault'],
  ['invoice', 'bill'],
  ['猫', 'ネコ'],
]
const WORDS =
  `the tests test fail failed in parser again rotate signing key english src store files ts en ##os ##pc a ##a
query passage : / .`.split(/\s+/)
const CHARACTERS = [...'設定ファイルを読むの読み込み天気がとても良い日本語と混ざった文']

/** Writes the model into a folder. The same bytes every time. */
export function writeTinyModel(folder: string): void {
  const vocabulary = [...new Set([...SPECIAL_TOKENS, ...WORDS, ...CHARACTERS, ...MEANINGS.flat(), '##コ'])]
  writeStaticModel(folder, { vocabulary, width: WIDTH, rowOf })
}

/** Special tokens are zero, so that they sway no mean; words of one meaning have one row. */
function rowOf(word: string): number[] {
  if (SPECIAL_TOKENS.includes(word) && word !== '[UNK]') return new Array<number>(WIDTH).fill(0)
  let state =
    [...(MEANINGS.find((one) => one.includes(word))?.[0] ?? word)].reduce(
      (sum, one) => sum * 31 + one.codePointAt(0)!,
      7,
    ) >>> 0
  return Array.from({ length: WIDTH }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  })
}
