// Asks the person at the terminal one question.
import readline from 'node:readline'

/** The line that the person types; empty at the end of the input. Ctrl-C ends the process as usual. */
export const askOnTerminal = (question: string, streams: Streams): Promise<string> =>
  new Promise((resolve) => {
    // Not as a terminal: the system edits the line, and sends the signal of Ctrl-C to the process.
    const lines = readline.createInterface({ ...streams, terminal: false })
    lines.once('close', () => resolve(''))
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })

interface Streams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}
