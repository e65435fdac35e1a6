// References to memories: a link to the page of one that has a page, else its text alone.
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { MemoryId } from '../../model/id.ts'
import { type Html, html } from './html.ts'
import { inlineText } from './storeText.ts'

/** The id of a memory's page; ids of imported memories may have any characters. */
export const pageId = (id: MemoryId): string =>
  `m-${id.replace(/[^A-Za-z0-9_-]/g, (letter) => `.${letter.charCodeAt(0)}`)}`

export type LinkMemory = (id: MemoryId, charsMax?: number) => Html

export function memoryLinker({ pages, contents }: Pick<ReportData, 'pages' | 'contents'>): LinkMemory {
  const withPage = new Set(pages.map(({ memory }) => memory.id))
  return (id, charsMax = 140) => {
    const content = contents.get(id)
    if (content === undefined) return html`<span class="gone">a memory that is not in this report</span>`
    const text = inlineText(content, charsMax)
    return withPage.has(id) ? html`<a href="#${pageId(id)}">${text}</a>` : text
  }
}
