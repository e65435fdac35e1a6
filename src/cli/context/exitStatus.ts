// A command that did its work and has bad news: its exit status says so, and nothing more is printed.

export class ExitStatus extends Error {
  readonly status: number

  constructor(status: number) {
    super(`exit status ${status}`)
    this.name = 'BadNews'
    this.status = status
  }
}
