// The key of the method that `await using` calls. Node 20.0 to 20.4 do not have it; a program that needs it there
// brings a polyfill, and without one the classes work all the same.

/** `Symbol.asyncDispose`, or a symbol of its own where that is missing. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')
