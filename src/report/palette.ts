// Colours for words on a terminal. A pipe, NO_COLOR and a dumb terminal get plain text.
import util from 'node:util'
import type { TextOutput } from './textOutput.ts'

type Style = (text: string) => string

/** One function per style. Without colour each returns its text unchanged. */
export type Palette = { readonly [S in 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan']: Style }

/** The styles for an output. `NO_COLOR` counts if it is not empty (no-color.org). */
export function createPalette(output: TextOutput, env: Readonly<Record<string, string | undefined>>): Palette {
  // Node has styleText from 20.12 on; older versions print without colour.
  const hasColour = output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb' && 'styleText' in util
  const styleFor = (name: keyof Palette): Style =>
    hasColour ? (text) => (text === '' ? text : util.styleText(name, text, { validateStream: false })) : (text) => text
  return {
    bold: styleFor('bold'),
    dim: styleFor('dim'),
    red: styleFor('red'),
    green: styleFor('green'),
    yellow: styleFor('yellow'),
    cyan: styleFor('cyan'),
  }
}
