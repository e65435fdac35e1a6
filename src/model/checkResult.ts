// Check: one thing that was looked at, how it stands, and what to do about it. What `memctl doctor` is made of.

interface CheckPassed {
  readonly name: string
  readonly state: 'ok'
  readonly what: string
  readonly where?: string | undefined
}

/** `warn`: it works, or will by itself, but a person may want to know. `fail`: something does not work. Both tell the hint. */
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
