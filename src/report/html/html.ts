// HTML as a value of its own type: a text becomes HTML only by being escaped, so that nothing from a store is markup.
// Text of a store also has no hidden characters, is isolated in its writing direction, has its language if the letters
// tell it, and is never too long.
import { hideSecrets } from '../../broker/commands/newMemory.ts'
import { listOpenTasks } from '../../broker/queries/laterWork.ts'
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { MemoryId } from '../../model/id.ts'
import { findLatest, type Memory } from '../../model/memory.ts'
import { firstLine, truncateMiddle } from '../../text/excerpt.ts'
import { keepByText } from '../../text/pattern.ts'
import { removeHidden } from '../../text/sanitizeText.ts'
import { listDone } from '../../text/taskSentences.ts'
import { translateStored } from '../translation.ts'

/** HTML that may be written into the page as it is. */
export interface Html {
  readonly html: string
}

/** What a template takes: texts and numbers are escaped; nothing is written for undefined and false. */
type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[]

/** HTML from a template. Every value is escaped, for text and for attributes in double quotes, unless it is HTML. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  html: parts.reduce((text, part, i) => text + toHtml(values[i - 1]) + part),
})

/** Only for what this folder has made: the style, and the policy for content. */
export const trustedHtml = (text: string): Html => ({ html: text })

function toHtml(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return 'html' in value ? value.html : value.map(toHtml).join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For a text, and for an attribute in double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** A dash for none. */
export const commaList = (items: readonly Html[]): Html =>
  items.length === 0 ? html`–` : html`${items.map((item, i) => html`${i > 0 && ', '}${item}`)}`

/** A text in which backticks mark code; a last one alone is a sign like others. */
export function withCode(text: string): Html {
  const parts = text.split('`')
  const rest = parts.length % 2 === 0 ? `\`${parts.pop()}` : ''
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}${rest}`
}

/** Characters of a long text of the store. */
const TEXT_CHARS_MAX = 4000

export function inlineText(text: string, charsMax = 160): Html {
  const line = firstLine(shownText(text), charsMax)
  return html`<bdi${langAttribute(line)}>${withCode(line)}</bdi>`
}

/** One line of a command or path: its backticks are signs of it. */
export const codeText = (text: string, charsMax = 200): Html =>
  html`<code><bdi>${firstLine(shownText(text), charsMax)}</bdi></code>`

/** All lines. */
export function blockText(text: string): Html {
  const shown = truncateMiddle(shownText(text).trim(), TEXT_CHARS_MAX)
  return html`<div class="text" dir="auto"${langAttribute(shown)}>${shown}</div>`
}

/** The text of a memory is in many links. */
const shownText = keepByText((text: string): string => removeHidden(hideSecrets(text)))

/** Kana are Japanese only. Chinese characters alone could be either, so a browser decides by its own settings. */
function langAttribute(text: string): Html {
  if (/[\u3041-\u30ff]/.test(text)) return html` lang="ja"`
  return /[\uac00-\ud7af]/.test(text) ? html` lang="ko"` : html``
}

/** The id of a memory's page; ids of imported memories may have any characters. */
export const pageId = (id: MemoryId): string =>
  `m-${id.replace(/[^A-Za-z0-9_-]/g, (letter) => `.${letter.charCodeAt(0)}`)}`

/** References to sessions: the beginning of the id, as a link to the page of its summary if there is one. */
export function sessionLinker({ pages }: Pick<ReportData, 'pages'>): (session: string) => Html {
  const summaries = new Map(
    pages.flatMap(({ memory: { kind, session, id } }) =>
      kind === 'summary' && session ? [[session as string, id]] : [],
    ),
  )
  return (session) => {
    const summary = summaries.get(session)
    const name = html`<code>${session.slice(0, 8)}</code>`
    return summary === undefined ? name : html`<a href="#${pageId(summary)}">${name}</a>`
  }
}

export type LinkMemory = (id: MemoryId, charsMax?: number, isMarked?: boolean) => Html

/**
 * References to memories: a link to the page of one that has a page, else its text alone. What holds no longer says so,
 * and names what holds instead; a session says if what it left open was done; unless it is not to be marked.
 */
export function memoryLinker({ pages, contents }: Pick<ReportData, 'pages' | 'contents'>): LinkMemory {
  const withPage = new Map<string, Memory>(pages.map(({ memory }) => [memory.id, memory]))
  const link = (id: MemoryId, charsMax: number): Html => {
    const content = contents.get(id)
    if (content === undefined) return html`<span class="gone">a memory that is not in this report</span>`
    const text = inlineText(translateStored(content, withPage.get(id)?.kind), charsMax)
    return withPage.has(id) ? html`<a href="#${pageId(id)}">${text}</a>` : text
  }
  return (id, charsMax = 140, isMarked = true) => {
    const memory = withPage.get(id)
    const later = memory && findLatest(memory, withPage)
    const state = memory?.supersededBy === undefined ? memory?.knowledge?.state : 'superseded'
    const isOver = state === 'superseded' || state === 'retired'
    const isDone = memory && listDone(memory).length > 0 && listOpenTasks(memory).length === 0
    const mark = later ? html`replaced by ${link(later.id, 90)}` : isOver ? state : isDone && 'done since'
    return html`${link(id, charsMax)}${isMarked && mark && html` <span class="gone">(${mark})</span>`}`
  }
}
