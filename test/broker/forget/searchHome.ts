// A byte search of a whole folder for a text: complete, its halves, and in every encoding that a file may have it in.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const FORM_CHARS_MIN = 5

/** Each form of the text that is searched, by a name for messages. */
export function formsOf(text: string): ReadonlyMap<string, Buffer> {
  const middle = text.indexOf(' ', text.length / 2)
  const forms = new Map<string, Buffer>()
  for (const [part, piece] of Object.entries({
    all: text,
    head: text.slice(0, middle),
    tail: text.slice(middle + 1),
  })) {
    const add = (name: string, form: string | Buffer) => {
      // Fewer characters are in random names too.
      if (form.length >= FORM_CHARS_MIN) forms.set(`${part} ${name}`, Buffer.from(form as string))
    }
    const inJson = (value: string) => JSON.stringify(value).slice(1, -1)
    const codes = (value: string) =>
      [...value].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    add('plain', piece)
    add('lower case', piece.toLowerCase())
    add('JSON', inJson(piece))
    add('JSON twice', inJson(inJson(piece)))
    add('JSON three times', inJson(inJson(inJson(piece))))
    add('ASCII JSON', piece.replace(/[^\0-\x7f]/g, codes))
    add('Unicode escapes', codes(piece))
    add('Unicode escapes in JSON', inJson(codes(piece)))
    add('percent codes', encodeURIComponent(piece))
    add('percent codes twice', encodeURIComponent(encodeURIComponent(piece)))
    add('hexadecimal', Buffer.from(piece).toString('hex'))
    add('UTF-16', Buffer.from(piece, 'utf16le'))
    for (const offset of [0, 1, 2]) {
      // The digits that do not depend on what stands around it.
      const wide = Buffer.concat([Buffer.alloc(offset), Buffer.from(piece, 'utf16le')])
      const digits = Buffer.from(' '.repeat(offset) + piece).toString('base64')
      add(`base64 at ${offset}`, digits.slice(offset === 0 ? 0 : offset + 1, -4))
      add(`base64 of UTF-16 at ${offset}`, wide.toString('base64').slice(offset === 0 ? 0 : offset + 1, -4))
    }
  }
  return forms
}

/** Where a form of the text is: `file: form`, and names of files that have it. Compressed files are decompressed. */
export function searchFolder(folder: string, text: string): string[] {
  const forms = formsOf(text)
  const wanted = lettersOf(text)
  const parts = Array.from({ length: wanted.length - PART_LETTERS + 1 }, (_, at) => wanted.slice(at, at + PART_LETTERS))
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return names.flatMap((name) => {
    const file = path.join(folder, name)
    const bytes = fs.statSync(file).isFile() ? decompress(fs.readFileSync(file)) : Buffer.alloc(0)
    const found = [...forms].find(([, form]) => bytes.includes(form) || name.includes(form.toString('utf8')))
    if (found) return [`${name}: ${found[0]}`]
    const letters = lettersOf(`${name} ${bytes.toString('utf8')}`)
    const part = parts.find((window) => letters.includes(window))
    return part === undefined ? [] : [`${name}: ${part}`]
  })
}

/** Any part with as many letters in a row is found, however it is wrapped, marked up or cut. */
const PART_LETTERS = 20

/** The ASCII letters of a text in lower case, without escapes, entities and colours. */
const lettersOf = (text: string): string =>
  text
    .replace(/(?:\u001b|\\+u001b)\[[\d;]*m/g, '')
    .replace(/\\+[nrt]|&#?\w+;/g, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '')

function decompress(bytes: Buffer): Buffer {
  const parts = [bytes]
  // Compressed data may begin anywhere in a file.
  for (let at = bytes.indexOf(0x1f); at !== -1 && at < 64; at = bytes.indexOf(0x1f, at + 1)) {
    try {
      parts.push(zlib.gunzipSync(bytes.subarray(at), { finishFlush: zlib.constants.Z_SYNC_FLUSH }))
    } catch {
      // Not the beginning of compressed data.
    }
  }
  return Buffer.concat(parts)
}
