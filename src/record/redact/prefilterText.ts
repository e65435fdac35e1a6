// Look: a payload as one text, looked at once for all that may have to be searched. In a cold process most of a search's cost is
// its pattern's first use, so a search is made only where this says that it may find something.

export interface PrefilterText {
  /** The value as JSON; undefined where it is too deep or no JSON value: then everything is searched. */
  readonly text: string | undefined
  /** The same in lower case. */
  readonly lower: string
}

export function buildPrefilterText(value: unknown): PrefilterText {
  try {
    const text = JSON.stringify(value) ?? ''
    return { text, lower: text.toLowerCase() }
  } catch {
    return { text: undefined, lower: '' }
  }
}
