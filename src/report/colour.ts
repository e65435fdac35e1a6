// Colour: a few looks for words on a terminal. A pipe, NO_COLOR and a dumb terminal get the words alone.
import type { Screen } from './screen.ts'

type Look = (text: string) => string

/** What a word can look like. Where there is no colour each gives the text back as it is. */
export interface Palette {
  readonly bold: Look
  readonly dim: Look
  readonly red: Look
  readonly green: Look
  readonly yellow: Look
  readonly cyan: Look
}

/** The looks for one screen. `NO_COLOR` counts when it is not empty (no-color.org). */
export function paletteFor(screen: Screen, env: Readonly<Record<string, string | undefined>>): Palette {
  const isOn = screen.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const look =
    (on: number, off: number): Look =>
    (text) =>
      isOn && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return {
    bold: look(1, 22),
    dim: look(2, 22),
    red: look(31, 39),
    green: look(32, 39),
    yellow: look(33, 39),
    cyan: look(36, 39),
  }
}
