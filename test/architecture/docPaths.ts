// Paths that a Markdown document names: in code spans that begin with a folder of the repository, and in links.

const FOLDERS = /^(?:src|hooks|bench|test|policies|recordings|docs)\/[\w./-]+$/

/** A source file by a part of its path: not enough to find it. */
const SOURCES = /^[a-z]\w*\/[\w./-]+\.(?:ts|mjs)$/

/** Paths named in a document of `folder` that do not exist, relative to the root of the repository. */
export function findMissingPaths(text: string, folder: string, exists: (path: string) => boolean): string[] {
  // An indented line is output: in it a backtick marks no code.
  const spans = [...text.replace(/^ {4,}.*$/gm, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => FOLDERS.test(span) || SOURCES.test(span))
  const links = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => joinPath(folder, target))
  return [...new Set([...spans, ...links])].filter((name) => !exists(name.replace(/\/$/, '')))
}

/** Links of a document at `file` to headings that do not exist, as they are written. */
export function findMissingHeadings(text: string, file: string, read: (path: string) => string): string[] {
  const folder = file.split('/').slice(0, -1).join('/')
  return [...text.matchAll(/\]\(([^)\s#]*)#([^)]+)\)/g)]
    .filter(([, target = '']) => target === '' || /^(?![a-z]+:).*\.md$/.test(target))
    .filter(([, target = '', heading = '']) => {
      const headings = (target === '' ? text : read(joinPath(folder, target))).match(/^#+ .*$/gm) ?? []
      return !headings.map(toAnchor).includes(heading)
    })
    .map(([, target, heading]) => `${target}#${heading}`)
}

/** The anchor that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

function joinPath(folder: string, target: string): string {
  const parts: string[] = []
  for (const part of [...folder.split('/'), ...target.split('/')]) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
