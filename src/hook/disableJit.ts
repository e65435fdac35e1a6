// V8's compilers, left out of a short hook.
//
// A hook is gone before code that V8 compiles for long-lived processes pays off: of 20 ms they take 2, and a processor beside them.
// V8 takes such a wish from a running process; on the command line it would refuse the caches that Node starts from. Loading
// node:v8 for it takes a cold hook 1.6 ms, Node's own handle beneath it is there already. It is no promised interface, and Node 24 has
// it no more: there everything goes on as before.

/** Bytes of a payload up to which interpreting costs less than compiling: of 4 KB it spared 1.5 ms, of 8 KB nothing, of 15 KB it cost .8. */
export const INTERPRETED_BYTES_MAX = 8_192

/** Optimising, the baseline compiler, machine code for regular expressions; and threads to collect a young heap of a megabyte with. */
const WITHOUT = '--no-opt --no-sparkplug --regexp-interpret-all --no-parallel-scavenge'

/** Has V8 interpret what runs from now on, where this Node lets itself be asked. */
export function disableJit(): void {
  if (!['v20', 'v22'].includes(process.version.slice(0, 3))) return
  try {
    // Node warns of this handle on stderr, once and late; nothing else of ours is deprecated.
    process.noDeprecation = true
    const giver = process as unknown as { binding(name: 'v8'): { setFlagsFromString(flags: string): void } }
    giver.binding('v8').setFlagsFromString(WITHOUT)
  } catch {
    // No such handle in this Node: it is a little slower.
  }
}
