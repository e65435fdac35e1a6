// The gist of a text, in its own words.
import { summarizeExtractively } from '../../organize/extractiveSummary.ts'

/** Characters of a gist: two or three sentences. */
const GIST_CHARS_MAX = 400

/** The most telling sentences of a text, at most 400 characters; empty for a text without words. */
export const summarizeText = (text: string): string => summarizeExtractively([text], GIST_CHARS_MAX)
