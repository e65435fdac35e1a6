// A word of a command as a shell needs it.
export const shellQuote = (word: string): string => (/^[\w@%+=:,./<>{}*~^-]+$/.test(word) ? word : `'${word}'`)
