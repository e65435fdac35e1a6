// Regular expressions that are longer than a line.

/** The expression of these lines: a line's end and its indentation do not count, spaces inside it do. */
export const pattern = (lines: string, flags = ''): RegExp => new RegExp(lines.replace(/\n\s*/g, ''), flags)
