// The result of one check of `memctl doctor`: what was checked, what was found, and what to do about it.

export type CheckResult = ReturnType<typeof checkPassed> | ReturnType<typeof checkProblem>

export const checkPassed = (name: string, what: string, where?: string) => ({ name, state: 'ok', what, where }) as const

/** `warn`: it works, or soon will, but the user may want to know. `fail`: something does not work. */
export const checkProblem = (
  name: string,
  state: 'warn' | 'fail',
  what: string,
  how: { readonly hint: string; readonly where?: string | undefined },
) => ({ name, state, what, ...how })
