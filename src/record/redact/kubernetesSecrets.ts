// The values in a Secret of Kubernetes: base64 under any name.
import type { SecretSpan } from './secretSpan.ts'

const SECRET_KIND = /\bkind["']?:\s?["']?Secret\b/

/** A field whose value is complete base64. */
const FIELD = new RegExp(
  '^([ \\t]{1,8}["\']?[\\w.-]{1,100}["\']?:\\s?["\']?)' +
    '((?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)["\']?,?[ \\t\\r]*$',
  'gm',
)

/** Adds the span of every such value. A value of letters in one case is a word, like the name of a namespace. */
export function findKubernetesSecrets(text: string, spans: SecretSpan[]): void {
  if (!SECRET_KIND.test(text)) return
  for (const { 1: name = '', 2: value = '', index } of text.matchAll(FIELD)) {
    const start = index + name.length
    if (/\d|=|[a-z][A-Z]/.test(value)) spans.push({ start, end: start + value.length, kind: 'secret' })
  }
}
