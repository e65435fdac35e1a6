// The book of calls after one session more.
import { type CallBook, type EarlierFailure, RATE_KEEPS, rateKeys } from '../model/callBook.ts'
import { type CallEnded, commandOf, type Event, isCallEnded, timeOf } from '../model/event.ts'
import { commandFamily, commandShape } from '../text/command.ts'
import { filesIn } from '../text/files.ts'
import { termsOf } from '../text/words.ts'

const FAILURES_MAX = 500
const SEEN_MAX = 20_000
const RATES_MAX = 5_000
const WORDS_MAX = 24

/** What a failure that nobody had met before counts, beside one that had been met: it may come back. */
const NEW_FAILURE = 0.35

/** Failures that say nothing about the project: a person said no, the editor asks for a fresh read. */
const NOBODYS =
  /user doesn't want to proceed|Sibling tool call errored|has not been read yet|tool use was rejected|Request interrupted|requested permissions|exceeds maximum allowed tokens|modified since read|unexpectedly modified|was cancelled|hook error|String to replace not found|No changes to make|matches of the string to replace/i

export function bookAfter(book: CallBook, events: readonly Event[]): CallBook {
  const rates: Record<string, readonly [number, number]> = { ...book.rates }
  const seen = new Set(book.seen)
  const signatures = { ...book.signatures }
  const failures = [...book.failures]
  for (const call of events.filter(isCallEnded)) {
    const signature = call.kind === 'call.failed' ? call.errorSignature : undefined
    const isKnown = signature !== undefined && (signatures[signature] ?? call.session) !== call.session
    if (signature !== undefined) signatures[signature] ??= call.session
    if (call.kind === 'call.failed' && (call.interrupted || NOBODYS.test(call.error))) continue
    const failed = call.kind === 'call.succeeded' ? 0 : isKnown ? 1 : NEW_FAILURE
    const command = commandOf(call)
    const [family, shape] = [commandFamily(command), commandShape(command)]
    for (const key of rateKeys(call.tool, family, shape, command)) {
      const [calls, all] = rates[key] ?? [0, 0]
      delete rates[key] // What was met last stands last, and the first go when there are too many.
      rates[key] = [rounded(calls * RATE_KEEPS + 1), rounded(all * RATE_KEEPS + failed)]
    }
    if (call.kind === 'call.succeeded') for (const file of filesTold(call)) see(seen, file)
    else {
      for (const file of call.files) if (call.tool === 'Read') seen.delete(file)
      if (signature !== undefined) failures.push(failureOf(call, signature, family, shape))
    }
  }
  return {
    rates: Object.fromEntries(Object.entries(rates).slice(-RATES_MAX)),
    seen: new Set([...seen].slice(-SEEN_MAX)),
    signatures,
    failures: failures.slice(-FAILURES_MAX),
  }
}

/** The files a call worked on, and those its answer names. */
function filesTold(call: CallEnded): readonly string[] {
  const output = call.kind === 'call.succeeded' ? call.output : ''
  return [...call.files, ...filesIn(output).filter((file) => !file.startsWith('/') && !file.startsWith('~'))]
}

function see(seen: Set<string>, file: string): void {
  seen.add(file)
  seen.add(`*${file.slice(file.lastIndexOf('/') + 1)}`)
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) seen.add(file.slice(0, end + 1))
}

function failureOf(call: CallEnded, signature: string, family: string, shape: string): EarlierFailure {
  const texts = Object.values(call.input).filter((value) => typeof value === 'string')
  return {
    ...{ call: call.call, session: call.session, at: timeOf(call), tool: call.tool, signature, family, shape },
    about: commandOf(call) || (call.files[0] ?? ''),
    words: [...new Set(termsOf(texts.join(' ').slice(0, 600)))].slice(0, WORDS_MAX),
  }
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4
