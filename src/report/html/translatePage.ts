// The page in the language of the terminal. A block of text is translated as a whole: links, code and texts of the
// store stand in it as marks, which keep their place in the sentence. What has no row stays English.
import { isEnglish, translate } from '../translation.ts'
import { escapeHtml } from './html.ts'

/** What stays as it is: the style sheet, texts of several lines, and the tags between blocks. */
const BETWEEN = /(<style>.*?<\/style>|<div class="text".*?<\/div>|<(?!\/?(?:a|bdi|code|s|span|strong)\b)[^>]*>)/s

// 1 the tag with its attributes   2 its name
const INLINE = /(<(a|bdi|code|s|span|strong)\b[^>]*>).*?<\/\2>/gs

/** Stands for an element; a text of the store has no such characters. */
const MARK = /\ue000(\d+)\ue001/g

export const translatePage = (page: string): string =>
  isEnglish()
    ? page
    : page.split(BETWEEN).reduce((done, part, i) => done + (i % 2 === 0 ? translateBlock(part) : translateLabel(part)))

function translateBlock(block: string): string {
  const elements: string[] = []
  const text = block.replaceAll(INLINE, (element, open: string, name: string) => {
    const [content, close] = [element.slice(open.length, -name.length - 3), `</${name}>`]
    const isOfStore = name === 'bdi' || name === 'code'
    return `\ue000${elements.push(isOfStore ? element : open + translateBlock(content) + close) - 1}\ue001`
  })
  const line = toLine(text)
  const translated = translate(line)
  return (translated === line ? text : translated).replaceAll(MARK, (_, at) => elements[Number(at)] ?? '')
}

/** The text as a row of the table has it. These two signs need no escape outside of attributes. */
const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('&#39;', "'").replaceAll('&quot;', '"')

/** The name of an element for those who do not see it. */
const translateLabel = (tag: string): string =>
  tag.replace(/(?<= aria-label=")[^"]*/, (label) => escapeHtml(translate(toLine(label))))
