// The result of one check of `memctl doctor`: what was checked, what was found, and what to do about it.

interface CheckPassed {
  readonly name: string
  readonly state: 'ok'
  readonly what: string
  readonly where?: string | undefined
}

/** `warn`: it works, or soon will, but the user may want to know. `fail`: something does not work. */
interface CheckProblem {
  readonly name: string
  readonly state: 'warn' | 'fail'
  readonly what: string
  readonly where?: string | undefined
  readonly hint: string
}

export type CheckResult = CheckPassed | CheckProblem

export const checkPassed = (name: string, what: string, where?: string): CheckPassed => ({
  name,
  state: 'ok',
  what,
  where,
})

export const checkProblem = (
  name: string,
  state: CheckProblem['state'],
  what: string,
  how: { readonly hint: string; readonly where?: string | undefined },
): CheckProblem => ({ name, state, what, ...how })
