// Where a repository came from, as one text for every way of writing it: two clones of it are one project.
//
// Hot path: a hook asks for this on every event. Git is never started, so what its config includes from elsewhere
// (include.path, url.*.insteadOf) does not count here.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/** The URL of the remote called origin in a `.git/config`, as git would fetch from it; undefined where there is none. */
export function parseOriginUrl(config: string): string | undefined {
  let inside = false
  for (const line of config.split('\n')) {
    const text = line.trim()
    if (text.startsWith('[')) inside = ORIGIN_SECTION.test(text)
    else if (inside) {
      const url = URL_LINE.exec(text)
      if (url) return unquoted(url[1]!) || undefined
    }
  }
  return undefined
}

/**
 * The same text for every way to name a repository: `host/owner/repo`, or the real path of one on this disk.
 *
 * User, password and default port fall away, so no secret of a URL gets further. Another port stays: two servers on one
 * host are two. A relative path counts from `root`, the work tree.
 */
export function normalizeRemoteUrl(url: string, root: string): string {
  if (HELPER.test(url)) return url
  const [, scheme = '', authority = '', rest = ''] = WITH_SCHEME.exec(url) ?? []
  if (scheme.toLowerCase() === 'file') return onDisk(decoded(rest), root)
  if (scheme) return onHost(hostOf(authority, scheme.toLowerCase()), decoded(rest))
  const [, host, place] = LIKE_SCP.exec(url) ?? []
  return host !== undefined && place !== undefined ? onHost(hostOf(host, 'ssh'), place) : onDisk(url, root)
}

const ORIGIN_SECTION = /^\[remote[ \t]+"origin"\]/
const URL_LINE = /^url[ \t]*=[ \t]*(.*)$/i
// `codecommit::region://name`: only its helper knows what the rest means.
const HELPER = /^[a-z0-9-]+::/i
const WITH_SCHEME = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/i
// `git@host:owner/repo`. One letter before the colon is a drive, not a host.
const LIKE_SCP = /^((?:[^/@]*@)?(?:\[[^\]/]+\]|[^/:]{2,})):(.*)$/
const KNOWN_HOST = /^(?:(?:www|ssh|altssh)\.)?(github\.com|gitlab\.com|bitbucket\.org)$/

// A value as git writes it: quotes and backslashes undone, a comment cut off.
const unquoted = (value: string): string =>
  value
    .replace(/"((?:[^"\\]|\\.)*)"|[#;].*|\\(.)/g, (_, quoted?: string, escaped?: string) =>
      quoted === undefined ? (escaped ?? '') : quoted.replace(/\\(.)/g, '$1'),
    )
    .trim()

function hostOf(authority: string, scheme: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
  const [, name = host, port] = /^(.*?):(\d*)$/.exec(host) ?? []
  return port === undefined || isDefaultPort(scheme, port) ? name : `${name}:${port}`
}

// 443 for ssh: how GitHub and GitLab are reached from behind a firewall.
function isDefaultPort(scheme: string, port: string): boolean {
  if (port === '') return true
  if (scheme === 'https') return port === '443'
  if (scheme === 'http') return port === '80'
  if (scheme === 'git') return port === '9418'
  return scheme.includes('ssh') && (port === '22' || port === '443')
}

function onHost(host: string, place: string): string {
  const known = KNOWN_HOST.exec(host)
  const named = `${known?.[1] ?? host}/${bare(place).replace(/^\/+/, '')}`
  // These three take no notice of letter case in owner and name; of another host we do not know it.
  return known ? named.toLowerCase() : named
}

function onDisk(place: string, root: string): string {
  const absolute = resolve(root, place)
  try {
    return bare(realpathSync.native(absolute))
  } catch {
    // The original may be gone, or on a disk that is not mounted: its path is still the same text.
    return bare(absolute)
  }
}

const bare = (place: string): string =>
  place
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '')

function decoded(place: string): string {
  try {
    return decodeURIComponent(place)
  } catch {
    // A lone percent sign: then it is meant as one.
    return place
  }
}
