// Splits the bytes of a client into complete lines of limited length, so that readers need no buffer and no limit.
//
//   …"ping"}\n   xxxxxxxxxxxxxxx…xxx\n   {"jsonrpc":…}\n   {"json
//   └complete─┘  └─ too long: skipped ┘  └─ complete ──┘  └ end of input: passed on as a line, answered with an error
import { Transform } from 'node:stream'

const NEWLINE = Buffer.from('\n')

/**
 * A stream of the lines of at most `bytesMax` bytes. `tooLong` is called once for each line that is longer, as soon as
 * that is known.
 */
export function frameLines(bytesMax: number, tooLong: () => void): Transform {
  let parts: Buffer[] = []
  let bytes = 0
  let isSkipping = false
  const take = (part: Buffer): void => {
    if (isSkipping || part.length === 0) return
    bytes += part.length
    if (bytes <= bytesMax) {
      parts.push(part)
      return
    }
    parts = []
    isSkipping = true
    tooLong()
  }
  const line = (): Buffer | undefined => {
    const whole = isSkipping ? undefined : Buffer.concat([...parts, NEWLINE])
    parts = []
    bytes = 0
    isSkipping = false
    return whole
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at))
        const whole = line()
        if (whole) this.push(whole)
        from = at + 1
      }
      take(chunk.subarray(from))
      done()
    },
    flush(done) {
      if (bytes > 0) this.push(line() ?? Buffer.alloc(0))
      done()
    },
  })
}
