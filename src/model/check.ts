// Check: one thing that was looked at, how it stands, and what to do about it. What `memctl doctor` is made of.

interface Sound {
  readonly name: string
  readonly state: 'ok'
  readonly what: string
  readonly where?: string | undefined
}

/** `warn`: it works, or will by itself, but a person may want to know. `fail`: something does not work. Both tell the mend. */
interface Unsound {
  readonly name: string
  readonly state: 'warn' | 'fail'
  readonly what: string
  readonly where?: string | undefined
  readonly mend: string
}

export type Check = Sound | Unsound

export const sound = (name: string, what: string, where?: string): Sound => ({ name, state: 'ok', what, where })

export const unsound = (
  name: string,
  state: Unsound['state'],
  what: string,
  how: { readonly mend: string; readonly where?: string | undefined },
): Unsound => ({ name, state, what, ...how })
