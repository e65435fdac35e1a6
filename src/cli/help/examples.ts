// Examples of each command, for its help. A test runs the parser over each of them.

/** The examples of a command, by its words without `memctl`. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  list: ['memctl list --kind decision', 'memctl list --sort help --limit 10'],
}
