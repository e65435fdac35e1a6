// Text of a store as HTML: without hidden characters, isolated in its writing direction, with its language if the
// letters tell it, and never too long.
import { hideSecrets } from '../../broker/commands/newMemory.ts'
import { firstLine, truncateMiddle } from '../../text/excerpt.ts'
import { removeHidden } from '../../text/sanitizeText.ts'
import { type Html, html } from './html.ts'

/** Characters of a memory's text on its own page. */
const PAGE_CHARS_MAX = 4000

/** One line of at most `charsMax` characters. */
export function inlineText(text: string, charsMax = 160): Html {
  const line = firstLine(shownText(text), charsMax)
  return html`<bdi${langAttribute(line)}>${line}</bdi>`
}

/** The same as plain text, for labels in charts. */
export const plainLine = (text: string, charsMax: number): string => firstLine(shownText(text), charsMax)

/** All lines, on a memory's own page. */
export function blockText(text: string): Html {
  const shown = truncateMiddle(shownText(text).trim(), PAGE_CHARS_MAX)
  return html`<div class="text" dir="auto"${langAttribute(shown)}>${shown}</div>`
}

const shownText = (text: string): string => removeHidden(hideSecrets(text))

/** Kana are Japanese only. Chinese characters alone could be either, so a browser decides by its own settings. */
function langAttribute(text: string): Html {
  if (/[\u3041-\u30ff]/.test(text)) return html` lang="ja"`
  return /[\uac00-\ud7af]/.test(text) ? html` lang="ko"` : html``
}
