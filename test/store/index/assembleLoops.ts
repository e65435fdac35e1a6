// Assembles the two loops of a search, `add` and `keys`, as a WebAssembly module: src/store/index/accumulators.ts
// has its bytes. `createPlainLoops` (accumulators.ts) has the same loops in JavaScript.
//
//   memory   0            ROWS           NORMS         TABLE + stride · row             FROM ──────► TO
//            ┌────────────┬──────────────┬─────────────┬────────────────────────────────┬──────────────────┐
//            │ penalties  │ rows         │ norms       │ table, one row per document    │ scratch          │
//            │ 256 × f64  │ u16 per doc  │ u8 per doc  │ total f32, matched f32,        │ postings u32 in, │
//            │ by norm    │ 0: no row    │             │ document u32, one f32 a group  │ keys f64 out     │
//            └────────────┴──────────────┴─────────────┴────────────────────────────────┴──────────────────┘
//   posting  count (high 8 bits), document (low 24)     key   bits of the total · 2^16 + row, as f64

// How to read the code: a stack machine. GET pushes a local, SET pops into it, TEE copies into it; operators pop their
// operands and push the result. BR n jumps to the nth enclosing block: out of a BLOCK, to the start of a LOOP. After a
// load or store come log2 of the alignment and an offset in bytes. See WebAssembly Core Specification 1.0, section 5.4.
const BLOCK = 0x02
const LOOP = 0x03
const IF = 0x04
const NOTHING = 0x40 // type of a block without a result
const END = 0x0b
const BR = 0x0c
const BR_IF = 0x0d
const GET = 0x20
const SET = 0x21
const TEE = 0x22
const I32_LOAD = 0x28
const F32_LOAD = 0x2a
const F64_LOAD = 0x2b
const I32_LOAD8_U = 0x2d
const I32_LOAD16_U = 0x2f
const I32_STORE = 0x36
const F32_STORE = 0x38
const F64_STORE = 0x39
const I32_STORE16 = 0x3b
const I32_CONST = 0x41
const F32_CONST = 0x43
const F64_CONST = 0x44
const I32_EQZ = 0x45
const I32_GE_U = 0x4f
const F32_LT = 0x5d
const I32_ADD = 0x6a
const I32_MUL = 0x6c
const I32_SHL = 0x74
const I32_SHR_U = 0x76
const F32_ADD = 0x92
const F64_ADD = 0xa0
const F64_MUL = 0xa2
const F64_DIV = 0xa3
const F32_DEMOTE_F64 = 0xb6
const F64_CONVERT_I32_U = 0xb8
const I32 = 0x7f
const F32 = 0x7d
const F64 = 0x7c

/** The module's bytes. It exports `add`, `keys` (see `AccumulatorLoops`) and a `memory` that still has no pages. */
export function assembleLoops(): Uint8Array {
  const bytes = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0].concat(
    section(1, [2].concat(ADD_TYPE, KEYS_TYPE)),
    section(3, [2, 0, 1]), // two functions, of the first and the second type
    section(5, [1, 0, 0]), // one memory
    section(7, [3].concat(named('memory', 2, 0), named('add', 0, 0), named('keys', 0, 1))),
    section(10, [2].concat(sized(ADD), sized(KEYS))),
  )
  return new Uint8Array(bytes)
}

const section = (id: number, content: readonly number[]): number[] => [id].concat(sized(content))

/** Content with its length before it, as LEB128 in two bytes of seven bits. */
const sized = (content: readonly number[]): number[] =>
  [(content.length & 0x7f) | 0x80, content.length >>> 7].concat(content)

function named(name: string, kind: number, index: number): number[] {
  const bytes = [name.length]
  for (let i = 0; i < name.length; i++) bytes.push(name.charCodeAt(i))
  bytes.push(kind, index)
  return bytes
}

// add: the type of the function, its parameters, then its locals.
const ADD_TYPE = [0x60, 12, F64, I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, 1, I32]
const GAIN = 0
const FROM = 1
const TO = 2
const NORMS = 3
const ROWS = 4
const DOCUMENTS = 5
const BASE = 6
const TABLE = 7
const STRIDE = 8
const COLUMN = 9
const ADMIT = 10
const TOUCHED = 11
const DOC = 12
const ROW = 13
const AT = 14
const COUNT = 15
const SCORE = 16

// biome-ignore format: each line is a statement of the same loop in accumulators.ts
const ADD = [
  3, 3, I32, 1, F64, 1, F32, // three groups of locals: DOC ROW AT, COUNT, SCORE
  BLOCK, NOTHING,
  LOOP, NOTHING,
    GET, FROM, GET, TO, I32_GE_U, BR_IF, 1,
    // doc: the low 24 bits of the posting
    GET, FROM, I32_LOAD, 2, 0, I32_CONST, 8, I32_SHL, I32_CONST, 8, I32_SHR_U, SET, DOC,
    // count: its fourth byte
    GET, FROM, I32_LOAD8_U, 0, 3, F64_CONVERT_I32_U, SET, COUNT,
    GET, FROM, I32_CONST, 4, I32_ADD, SET, FROM,
    GET, DOC, GET, DOCUMENTS, I32_GE_U, BR_IF, 0,
    // row = rows[doc]
    GET, ROWS, GET, DOC, I32_CONST, 1, I32_SHL, I32_ADD, TEE, AT, I32_LOAD16_U, 1, 0, TEE, ROW,
    I32_EQZ, IF, NOTHING,
      GET, ADMIT, I32_EQZ, BR_IF, 1,
      // rows[doc] = row = touched += 1
      GET, AT, GET, TOUCHED, I32_CONST, 1, I32_ADD, TEE, TOUCHED, TEE, ROW, I32_STORE16, 1, 0,
      // table[row].document = base + doc
      GET, TABLE, GET, ROW, GET, STRIDE, I32_MUL, I32_ADD, GET, BASE, GET, DOC, I32_ADD, I32_STORE, 2, 8,
    END,
    // score = gain * count / (count + penalties[norms[doc]])
    GET, GAIN, GET, COUNT, F64_MUL,
    GET, COUNT, GET, NORMS, GET, DOC, I32_ADD, I32_LOAD8_U, 0, 0, I32_CONST, 3, I32_SHL, F64_LOAD, 3, 0, F64_ADD,
    F64_DIV, F32_DEMOTE_F64, SET, SCORE,
    // table[row].total += score
    GET, TABLE, GET, ROW, GET, STRIDE, I32_MUL, I32_ADD, TEE, AT,
    GET, AT, F32_LOAD, 2, 0, GET, SCORE, F32_ADD, F32_STORE, 2, 0,
    // table[row].matched += 1
    GET, AT, GET, AT, F32_LOAD, 2, 4, F32_CONST, 0, 0, 0x80, 0x3f, F32_ADD, F32_STORE, 2, 4,
    // table[row][column] += score
    GET, AT, GET, COLUMN, I32_ADD, TEE, AT,
    GET, AT, F32_LOAD, 2, 0, GET, SCORE, F32_ADD, F32_STORE, 2, 0,
    BR, 0,
  END,
  END,
  GET, TOUCHED,
  END,
]

// keys: the type of the function, its parameters, then its only local.
const KEYS_TYPE = [0x60, 5, I32, I32, I32, I32, F32, 1, I32]
const KEYS_TABLE = 0
const KEYS_STRIDE = 1
const KEYS_TOUCHED = 2
const KEYS_INTO = 3
const KEYS_FLOOR = 4
const KEYS_ROW = 5

// biome-ignore format: each line is a statement of the same loop in accumulators.ts
const KEYS = [
  1, 1, I32,
  BLOCK, NOTHING,
  LOOP, NOTHING,
    GET, KEYS_ROW, GET, KEYS_TOUCHED, I32_GE_U, BR_IF, 1,
    GET, KEYS_ROW, I32_CONST, 1, I32_ADD, SET, KEYS_ROW,
    GET, KEYS_TABLE, GET, KEYS_STRIDE, I32_ADD, TEE, KEYS_TABLE,
    F32_LOAD, 2, 0, GET, KEYS_FLOOR, F32_LT, BR_IF, 0,
    // bits of the total * 2 ** 16 + row
    GET, KEYS_INTO,
    GET, KEYS_TABLE, I32_LOAD, 2, 0, F64_CONVERT_I32_U, F64_CONST, 0, 0, 0, 0, 0, 0, 0xf0, 0x40, F64_MUL,
    GET, KEYS_ROW, F64_CONVERT_I32_U, F64_ADD, F64_STORE, 3, 0,
    GET, KEYS_INTO, I32_CONST, 8, I32_ADD, SET, KEYS_INTO,
    BR, 0,
  END,
  END,
  GET, KEYS_INTO,
  END,
]
