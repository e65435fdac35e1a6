// The request to trust what a repository brings: one line at a session's start, until the person has answered or it was
// made a few times. `memctl status` and `memctl doctor` still say it then.
import { hasProjectEntryRoot } from '../../entries/entryDirs.ts'
import { countTrustRequests, hasContent, readTrust, recordTrustRequest } from '../../store/project/contentTrust.ts'
import type { Store } from '../open/openStore.ts'

/** Starts at which it is made, at most. */
const REQUESTS_MAX = 3

const REQUEST =
  'memctl: this repository brings entries or settings for memctl (.memctl). They are not used unless the person ' +
  'trusts them with `memctl project trust`; `memctl project untrust` ends this message.'

/** The line; undefined if there is nothing to ask. Counts the request. */
export function requestTrust(store: Store): string | undefined {
  if (!hasProjectEntryRoot(store) || readTrust(store) !== 'undecided') return undefined
  if (countTrustRequests(store) >= REQUESTS_MAX || !hasContent(store)) return undefined
  recordTrustRequest(store)
  return REQUEST
}
