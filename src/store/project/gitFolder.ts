// The git folder of a work tree, found as git finds it, from files only.
//
// A clone cannot contain a `.git`, but it can contain a folder with HEAD, objects/, refs/ and config, which looks like
// a bare repository. As with git's safe.bareRepository=explicit, such a folder is none: its config is not read.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { IS_WINDOWS, toSystemPath } from '../disk/paths.ts'
import { readGitText } from '../disk/untrustedFiles.ts'

export interface Git {
  /** The folder with HEAD: `.git`, or for a worktree `.git/worktrees/<name>`. */
  readonly folder: string
  /** Whether `.git` is a file, as in a worktree or a submodule. */
  readonly linked: boolean
}

/**
 * The repository with its work tree here. Null if a `.git` file or link points to nothing, or to a repository that does
 * not know this work tree: an archive can bring such a file.
 */
export function gitAt(folder: string): Git | null | undefined {
  const dotGit = `${folder}/.git`
  // existsSync first: in a new process it takes 0.02 ms, a Stats object or a thrown ENOENT 0.1 ms.
  // A link is as good as a file that names a repository: an archive can bring one too.
  if (existsSync(`${dotGit}/HEAD`))
    return knowsWorkTree(realPath(dotGit), folder) ? { folder: dotGit, linked: false } : null
  if (!existsSync(dotGit) || !statSync(dotGit, { throwIfNoEntry: false })?.isFile()) return undefined
  const target = /^gitdir: *(.+?)\s*$/.exec(readGitText(dotGit) ?? '')?.[1]
  const linked = target && resolve(folder, target)
  return linked && existsSync(`${linked}/HEAD`) && knowsWorkTree(linked, folder)
    ? { folder: linked, linked: true }
    : null
}

export const hasBareLayout = (folder: string): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => existsSync(`${folder}/${name}`))

/** The folder that all worktrees of a repository share. */
export function commonFolder(git: Git): string {
  const common = git.linked ? readGitText(`${git.folder}/commondir`)?.trim() : undefined
  return common ? resolve(git.folder, common) : git.folder
}

/** The root of the main work tree, for a worktree of a repository that has one; else undefined. */
export function mainWorkTree(root: string): string | undefined {
  const git = gitAt(root)
  if (!git?.linked) return undefined
  const common = realPath(commonFolder(git))
  return basename(common) === '.git' ? dirname(common) : undefined
}

/** The repository's origin, normalized; undefined if its config names none or cannot be read. */
export function readOrigin(common: string, root: string): string | undefined {
  const url = parseOriginUrl(readGitText(`${common}/config`) ?? '')
  return url === undefined ? undefined : normalizeRemoteUrl(url, root)
}

/** The branch of the work tree at `root`, even without commits; undefined without git or with a detached HEAD. */
export function readGitBranch(root: string): string | undefined {
  const folder = gitAt(root)?.folder ?? (hasBareLayout(root) ? root : undefined)
  const head = folder && readGitText(`${folder}/HEAD`)
  const branch = head && /^ref: *refs\/heads\/(.+?)\s*$/.exec(head)?.[1]
  // Repositories with reftables write this: their real HEAD is in another file.
  return branch === '.invalid' ? undefined : branch || undefined
}

/** The path with all links resolved and with forward slashes; the path itself if nothing is there. */
export function realPath(path: string): string {
  try {
    return toSystemPath(realpathSync.native(path))
  } catch {
    return toSystemPath(resolve(path))
  }
}

/**
 * Whether the git folder that a `.git` file names belongs to this work tree: it lies inside, or it names the work tree
 * itself, a worktree in its `gitdir`, a submodule and a separate git folder in `core.worktree`.
 */
function knowsWorkTree(gitFolder: string, folder: string): boolean {
  if (realPath(gitFolder).startsWith(`${folder}/`)) return true
  const back = readGitText(`${gitFolder}/gitdir`)?.trim()
  if (back) return realPath(dirname(resolve(gitFolder, back))) === folder
  return ['config', 'config.worktree'].some((name) => {
    const text = readGitText(`${gitFolder}/${name}`) ?? ''
    const tree = /^[ \t]*worktree[ \t]*=[ \t]*"?([^"\r\n]+?)"?[ \t]*$/im.exec(text)?.[1]
    return tree !== undefined && realPath(resolve(gitFolder, tree)) === folder
  })
}

// The URL of a repository's origin, normalized: all clones of it are one project, however they write the URL.
//
// Hot path: a hook needs this for every event. Git is never started, so included configuration (include.path,
// url.*.insteadOf) is ignored.

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
 *
 * The host is the one that git connects to, which depends on the protocol: for http it ends at the first of `/?#`, for
 * ssh git decodes the URL first. A URL that programs read in different ways stays as it is, a project by itself.
 */
export function normalizeRemoteUrl(url: string, root: string): string {
  if (HELPER.test(url)) return url
  const [, scheme = '', rest = ''] = WITH_SCHEME.exec(url) ?? []
  if (scheme) return normalizeUrl(url, scheme.toLowerCase(), rest, root)
  const colon = url.indexOf(':')
  const slash = url.indexOf('/')
  // A single letter before the colon is a drive, not a host.
  const isLocal = colon < 2 || (slash !== -1 && slash < colon)
  if (url.startsWith('[') || url.includes('@[')) return normalizeBracketed(url)
  return isLocal ? normalizePath(url, root) : joinHostAndPath(url, url.slice(0, colon), 'ssh', url.slice(colon + 1))
}

function normalizeUrl(url: string, scheme: string, rest: string, root: string): string {
  if (scheme === 'file') {
    const path = /^(?:localhost)?(\/.*)$/i.exec(rest)?.[1]
    if (path === undefined) return url
    const decoded = decodePath(path)
    // A URL has a slash before a drive: file:///C:/repos/shop.git
    return normalizePath(IS_WINDOWS ? decoded.replace(/^\/(?=[A-Za-z]:)/, '') : decoded, root)
  }
  if (WEB_SCHEMES.includes(scheme)) {
    const end = rest.search(/[/?#]/)
    const authority = end === -1 ? rest : rest.slice(0, end)
    return joinHostAndPath(url, authority, scheme, end === -1 ? '' : decodeSafely(rest.slice(end)))
  }
  if (!OTHER_SCHEMES.includes(scheme)) return url
  const decoded = decodePath(rest)
  const slash = decoded.indexOf('/')
  return slash === -1 ? url : joinHostAndPath(url, decoded.slice(0, slash), scheme, decoded.slice(slash))
}

/** `git@[::1]:owner/repo`, with the brackets. */
function normalizeBracketed(url: string): string {
  const [, host, path] = /^(?:[^/:@[\]]*@)?(\[[^\]/@]+\]):(.*)$/.exec(url) ?? []
  return host === undefined || path === undefined ? url : joinHostAndPath(url, host, 'ssh', path)
}

const ORIGIN_SECTION = /^\[remote[ \t]+"origin"\]/
const URL_LINE = /^url[ \t]*=[ \t]*(.*)$/i
// `codecommit::region://name`: only git's remote helper can interpret the rest.
const HELPER = /^[a-z0-9-]+::/i
const WITH_SCHEME = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i
const WEB_SCHEMES: readonly string[] = ['http', 'https', 'ftp', 'ftps']
const OTHER_SCHEMES: readonly string[] = ['ssh', 'git+ssh', 'ssh+git', 'git']
const KNOWN_HOST = /^(?:(?:www|ssh|altssh)\.)?(github\.com|gitlab\.com|bitbucket\.org)$/
/** Names, IPv4 and IPv6. Escapes and backslashes are read differently by different programs. */
const PLAIN_HOST = /^(?:[^\s\\%?#@[\]:/]+|\[[0-9a-f:.]+\]|\[[^\s\\%?#@[\]]+\])(?::\d*)?$/i

// A value as git writes it: removes quotes and backslashes, and a comment.
const parseGitValue = (value: string): string =>
  value
    .replace(/"((?:[^"\\]|\\.)*)"|[#;].*|\\(.)/g, (_, quoted?: string, escaped?: string) =>
      quoted === undefined ? (escaped ?? '') : quoted.replace(/\\(.)/g, '$1'),
    )
    .trim()

// 443 for ssh: for GitHub and GitLab behind a firewall.
function isDefaultPort(scheme: string, port: string): boolean {
  if (port === '') return true
  if (scheme === 'https') return port === '443'
  if (scheme === 'http') return port === '80'
  if (scheme === 'git') return port === '9418'
  return scheme.includes('ssh') && (port === '22' || port === '443')
}

/** `authority` has a host, and may have a user and a port. */
function joinHostAndPath(url: string, authority: string, scheme: string, path: string): string {
  const at = authority.lastIndexOf('@')
  const host = toLowerAscii(authority.slice(at + 1))
  if (!PLAIN_HOST.test(host) || authority.includes('\\')) return url
  const [, plain = host, port] = /^(.*?):(\d*)$/.exec(host) ?? []
  const name = port === undefined || isDefaultPort(scheme, port) ? plain : `${plain}:${port}`
  const known = KNOWN_HOST.exec(name)
  const named = `${known?.[1] ?? name}/${stripGitSuffix(path).replace(/^\/+/, '')}`
  // These three hosts ignore case in owner and name; other hosts may not.
  return known ? toLowerAscii(named) : named
}

// Not `toLowerCase`: U+212A, the Kelvin sign, would become a k.
const toLowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase())

function normalizePath(path: string, root: string): string {
  const absolute = toSystemPath(resolve(root, toSystemPath(path)))
  try {
    return stripGitSuffix(toSystemPath(realpathSync.native(absolute)))
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

/** Decodes a path without the characters that would give it another meaning: `a%2Fb` is one name. */
const decodeSafely = (path: string): string =>
  path.includes('%') ? decodePath(path.replace(/%(?=2f|5c|3f|23|25|[01][0-9a-f]|7f)/gi, '%25')) : path

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A percent sign that encodes nothing stays.
    return path
  }
}
