// What every run of a command must keep, whatever it was called with.

export interface CommandRun {
  /** Undefined if a signal ended it. */
  readonly status: number | undefined
  readonly out: string
  readonly err: string
  readonly hasTimedOut?: boolean
}

/** What a run did wrong; undefined for nothing. */
export function judgeRun({ status, out, err, hasTimedOut }: CommandRun): string | undefined {
  if (hasTimedOut) return 'did not end'
  if (status === undefined || ![0, 1, 2].includes(status)) return `ended with ${status ?? 'a signal'}`
  if (/^ {4}at /m.test(err) || /^ {4}at \S+ \(/m.test(out)) return 'prints a stack'
  if (err.includes('internal error') || out.includes('internal error')) return 'has a bug'
  if (/\bnode:internal\b|UnhandledPromise|DeprecationWarning/.test(err)) return 'prints what Node says'
  const errors = err.split('\n').filter((line) => line.startsWith('memctl'))
  if (errors.length > 1) return 'prints more than one error'
  if (status === 2 && errors.length === 0 && out === '') return 'fails without a word'
  return undefined
}
