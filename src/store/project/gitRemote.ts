// The URL of a repository's origin, normalized: all clones of it are one project, however they write the URL.
//
// Hot path: a hook needs this for every event. Git is never started, so included configuration (include.path,
// url.*.insteadOf) is ignored.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/** The URL of the remote called origin in a `.git/config`, as git would fetch from it; undefined if there is none. */
export function parseOriginUrl(config: string): string | undefined {
  let isInOrigin = false
  for (const line of config.split('\n')) {
    const text = line.trim()
    if (text.startsWith('[')) isInOrigin = ORIGIN_SECTION.test(text)
    else if (isInOrigin) {
      const value = URL_LINE.exec(text)?.[1]
      if (value !== undefined) return parseGitValue(value) || undefined
    }
  }
  return undefined
}

/**
 * The same text for every way to name a repository: `host/owner/repo`, or the real path of one on this disk.
 *
 * Removes user, password and default port, so that no secret in a URL is stored. Another port stays: it can be another
 * server. A relative path starts at `root`, the work tree.
 */
export function normalizeRemoteUrl(url: string, root: string): string {
  if (HELPER.test(url)) return url
  const [, scheme = '', authority = '', rest = ''] = WITH_SCHEME.exec(url) ?? []
  if (scheme.toLowerCase() === 'file') return normalizePath(decodePath(rest), root)
  if (scheme) return joinHostAndPath(hostOf(authority, scheme.toLowerCase()), decodePath(rest))
  const [, host, path] = LIKE_SCP.exec(url) ?? []
  return host !== undefined && path !== undefined
    ? joinHostAndPath(hostOf(host, 'ssh'), path)
    : normalizePath(url, root)
}

const ORIGIN_SECTION = /^\[remote[ \t]+"origin"\]/
const URL_LINE = /^url[ \t]*=[ \t]*(.*)$/i
// `codecommit::region://name`: only git's remote helper can interpret the rest.
const HELPER = /^[a-z0-9-]+::/i
const WITH_SCHEME = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/i
// `git@host:owner/repo`. A single letter before the colon is a drive, not a host.
const LIKE_SCP = /^((?:[^/@]*@)?(?:\[[^\]/]+\]|[^/:]{2,})):(.*)$/
const KNOWN_HOST = /^(?:(?:www|ssh|altssh)\.)?(github\.com|gitlab\.com|bitbucket\.org)$/

// A value as git writes it: removes quotes and backslashes, and a comment.
const parseGitValue = (value: string): string =>
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

// 443 for ssh: for GitHub and GitLab behind a firewall.
function isDefaultPort(scheme: string, port: string): boolean {
  if (port === '') return true
  if (scheme === 'https') return port === '443'
  if (scheme === 'http') return port === '80'
  if (scheme === 'git') return port === '9418'
  return scheme.includes('ssh') && (port === '22' || port === '443')
}

function joinHostAndPath(host: string, path: string): string {
  const known = KNOWN_HOST.exec(host)
  const named = `${known?.[1] ?? host}/${stripGitSuffix(path).replace(/^\/+/, '')}`
  // These three hosts ignore case in owner and name; other hosts may not.
  return known ? named.toLowerCase() : named
}

function normalizePath(path: string, root: string): string {
  const absolute = resolve(root, path)
  try {
    return stripGitSuffix(realpathSync.native(absolute))
  } catch {
    // The origin may be removed or not mounted: its path stays the same.
    return stripGitSuffix(absolute)
  }
}

const stripGitSuffix = (path: string): string =>
  path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '')

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A percent sign that encodes nothing stays.
    return path
  }
}
