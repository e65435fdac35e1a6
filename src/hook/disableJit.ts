// Disables V8's compilers in a short hook.
//
// A hook ends before compiled code pays off: the compilers take 2 of its 20 ms, and a second processor. V8 accepts the
// flags in a running process; on the command line it would reject Node's own startup snapshot. To load node:v8 for this
// takes a cold hook 1.6 ms, but Node's internal handle is loaded already. It is not a public interface, and Node 24 no
// longer has it: there hooks run with the compilers.

/**
 * Up to this size of a payload, in bytes, interpreting is faster than compiling: with 4 KB it saved 1.5 ms, with 8 KB
 * nothing, with 15 KB it cost 0.8 ms.
 */
export const INTERPRETED_BYTES_MAX = 8_192

/** The optimizing compiler, the baseline compiler, compiled regular expressions, and threads for garbage collection. */
const FLAGS = '--no-opt --no-sparkplug --regexp-interpret-all --no-parallel-scavenge'

/** Makes V8 interpret all code from now on, if this version of Node supports it. */
export function disableJit(): void {
  if (!['v20', 'v22'].includes(process.version.slice(0, 3))) return
  try {
    // Node prints a warning about this handle to stderr; memctl uses nothing else that is deprecated.
    process.noDeprecation = true
    const internal = process as unknown as { binding(name: 'v8'): { setFlagsFromString(flags: string): void } }
    internal.binding('v8').setFlagsFromString(FLAGS)
  } catch {
    // This Node has no such handle: the hook is a little slower.
  }
}
