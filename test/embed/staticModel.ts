// Writes a model of static word vectors: a real ONNX file and a real WordPiece tokenizer, made without a download. A
// text's vector is the mean of its tokens' rows.
//
//   input_ids ─ Gather(words) ┐
//   token_type_ids ─ Gather ──┴ Add ─ Mul ─ MatMul ─▶ last_hidden_state
//   attention_mask ─ Cast ─ Unsqueeze ─┘
//
// The ONNX format is protobuf; what is needed of it is written by the few functions at the end.
import fs from 'node:fs'
import path from 'node:path'

/** The tokens that a vocabulary begins with. */
export const SPECIAL_TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']

interface StaticModel {
  /** The special tokens, then words; `##word` continues a run without spaces. */
  readonly vocabulary: readonly string[]
  readonly width: number
  /** The vector of a token, of `width` numbers. */
  readonly rowOf: (token: string) => readonly number[]
}

/** Writes the model into a folder, as the hub lays one out. The same bytes every time. */
export function writeStaticModel(folder: string, { vocabulary, width, rowOf }: StaticModel): void {
  const model = {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
  }
  const token = (word: string) => ({ id: vocabulary.indexOf(word), content: word, special: true })
  const piece = (word: string) => ({ SpecialToken: { id: word, type_id: 0 } })
  write(folder, 'tokenizer.json', {
    version: '1.0',
    added_tokens: SPECIAL_TOKENS.map((word) => ({
      ...token(word),
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: false,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [piece('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, piece('[SEP]')],
      pair: [
        piece('[CLS]'),
        { Sequence: { id: 'A', type_id: 0 } },
        piece('[SEP]'),
        { Sequence: { id: 'B', type_id: 1 } },
      ],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((word) => [word, { id: word, ids: [vocabulary.indexOf(word)], tokens: [word] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model,
  })
  write(folder, 'tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    model_max_length: 128,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    mask_token: '[MASK]',
  })
  write(folder, 'config.json', { model_type: 'bert', architectures: ['BertModel'], hidden_size: width })
  fs.mkdirSync(path.join(folder, 'onnx'), { recursive: true })
  for (const name of ['model.onnx', 'model_quantized.onnx'])
    fs.writeFileSync(path.join(folder, 'onnx', name), modelBytes(vocabulary, width, rowOf))
}

function write(folder: string, name: string, value: object): void {
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, name), JSON.stringify(value))
}

function modelBytes(vocabulary: readonly string[], width: number, rowOf: StaticModel['rowOf']): Buffer {
  const rows = vocabulary.flatMap((word) => rowOf(word))
  const identity = Array.from({ length: width * width }, (_, i) => (i % (width + 1) === 0 ? 1 : 0))
  const graph = [
    message(1, node('Gather', ['words', 'input_ids'], 'word')),
    message(1, node('Gather', ['kinds', 'token_type_ids'], 'kind')),
    message(1, node('Add', ['word', 'kind'], 'both')),
    message(1, [
      ...node('Cast', ['attention_mask'], 'mask'),
      message(5, [text(1, 'to'), number(3, FLOAT), number(20, 2)]),
    ]),
    message(1, node('Unsqueeze', ['mask', 'last_axis'], 'wide_mask')),
    message(1, node('Mul', ['both', 'wide_mask'], 'masked')),
    message(1, node('MatMul', ['masked', 'mixing'], 'last_hidden_state')),
    text(2, 'tiny'),
    message(5, tensor('words', [vocabulary.length, width], FLOAT, Buffer.from(new Float32Array(rows).buffer))),
    message(5, tensor('kinds', [2, width], FLOAT, Buffer.from(new Float32Array(2 * width).buffer))),
    message(5, tensor('mixing', [width, width], FLOAT, Buffer.from(new Float32Array(identity).buffer))),
    message(5, tensor('last_axis', [1], INT64, Buffer.from(new BigInt64Array([2n]).buffer))),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
      message(11, shaped(name, INT64, ['batch', 'tokens'])),
    ),
    message(12, shaped('last_hidden_state', FLOAT, ['batch', 'tokens', width])),
  ]
  return Buffer.concat([number(1, 7), message(7, graph), message(8, [text(1, ''), number(2, 13)])])
}

// ONNX (onnx.proto3): ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto and ValueInfoProto.
const FLOAT = 1
const INT64 = 7

const node = (operator: string, inputs: readonly string[], output: string): Buffer[] => [
  ...inputs.map((name) => text(1, name)),
  text(2, output),
  text(4, operator),
]

const tensor = (name: string, dims: readonly number[], type: number, raw: Buffer): Buffer[] => [
  ...dims.map((size) => number(1, size)),
  number(2, type),
  text(8, name),
  bytes(9, raw),
]

const shaped = (name: string, type: number, dims: readonly (string | number)[]): Buffer[] => [
  text(1, name),
  message(2, [
    message(1, [
      number(1, type),
      message(
        2,
        dims.map((size) => message(1, [typeof size === 'number' ? number(1, size) : text(2, size)])),
      ),
    ]),
  ]),
]

// Protobuf: a field is its number and wire type, then a varint or a length and that many bytes.
const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)])
const bytes = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value])
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value))
const message = (field: number, parts: readonly Buffer[]): Buffer => bytes(field, Buffer.concat(parts))

function varint(value: number): Buffer {
  const out: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...out, rest])
    out.push((rest % 128) | 128)
  }
}
