// The profile of an eval: what recall may load while it is measured.
import { Option } from 'commander'

/**
 * `hook` is what a hook that holds the session may load: words, rows and numbers, no model and no graph of vectors. `full` may load
 * more, and has nothing more: vectors helped on no set that was measured (docs/recall.md), so both answer the same.
 */
export const profileOption = (): Option =>
  new Option('--profile <profile>', 'what recall may load; full has nothing more than hook today')
    .choices(['hook', 'full'])
    .default('hook')
