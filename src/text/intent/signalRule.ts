// What a sentence can signal, and one rule that tells it.

export type SignalKind = 'remember' | 'preference' | 'decision' | 'correction' | 'thanks' | 'complaint'

/** The pattern is put to the sentence in lower case, from its first telling word on. */
export type SignalRule = readonly [kind: SignalKind, pattern: RegExp]
