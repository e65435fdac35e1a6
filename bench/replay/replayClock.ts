// Loaded before a hook of a replay (NODE_OPTIONS, which the worker inherits): the process begins at the recorded time.
// A hook itself has no such setting, so that nothing in a session can change its clock.

const offsetMs = Number(process.env['MEMCTL_REPLAY_AT']) - Date.now()

if (Number.isFinite(offsetMs)) {
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })

  function now(): number {
    return RealDate.now() + offsetMs
  }
}
