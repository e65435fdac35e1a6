// HTML as a value of its own type: a text becomes HTML only by being escaped, so that nothing from a store is markup.

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

/** Only for what this folder has made: style, and the charts. */
export const trustedHtml = (text: string): Html => ({ html: text })

function toHtml(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return 'html' in value ? value.html : value.map(toHtml).join('')
}

/** A text of this report in which backticks mark code. */
export const withCode = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
