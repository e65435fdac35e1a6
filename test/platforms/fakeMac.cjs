// Simulates the file system of macOS for a script that Node starts with `--require`. Nothing here was measured on macOS;
// each rule is from Apple's documentation of APFS and HFS+.
//
//   /Users/…              FAKE_DRIVE/Users/…: names are found whatever their case and normalization
//   a new name            stored decomposed, as HFS+ does; a folder lists it so, and realpath returns it so
//   /tmp, /var            links into /private
//   process               no /proc
'use strict'
const fs = require('node:fs')
const Module = require('node:module')

const drive = process.env.FAKE_DRIVE
const toolFolder = process.env.FAKE_TOOLS
Object.defineProperty(process, 'platform', { value: 'darwin' })

const failure = (code, call, file) => Object.assign(new Error(`${code}: ${call} '${file}'`), { code, syscall: call })
const fold = (name) => name.normalize('NFD').toLowerCase()

/** The real path of a path of the machine; of files of the tool and of Node itself the path as it is. */
function realPath(file, call) {
  if (typeof file !== 'string' || file.startsWith(toolFolder) || file === '/' || file === '/dev/null') return file
  const [, top] = file.split('/')
  if (!file.startsWith('/') || !['Users', 'tmp', 'var', 'private'].includes(top)) throw failure('ENOENT', call, file)
  const isLink = top === 'tmp' || top === 'var'
  let at = isLink ? `${drive}/private` : drive
  for (const name of file.split('/')) if (name !== '' && name !== '.') at = `${at}/${nameAsStored(at, name)}`
  return at
}

/** The name that a folder has; a new one is stored decomposed. */
function nameAsStored(folder, name) {
  const decomposed = name.normalize('NFD')
  if (fs.existsSync(`${folder}/${decomposed}`)) return decomposed
  try {
    return fs.readdirSync(folder).find((other) => fold(other) === fold(name)) ?? decomposed
  } catch {
    return decomposed
  }
}

const fake = { ...fs }
const ONE =
  'readFileSync writeFileSync mkdirSync readdirSync opendirSync truncateSync openSync rmSync chmodSync utimesSync unlinkSync statSync lstatSync'
for (const name of ONE.split(' ')) {
  fake[name] = (file, ...rest) => {
    try {
      return fs[name](realPath(file, name), ...rest)
    } catch (error) {
      if (error.code === 'ENOENT' && rest[0]?.throwIfNoEntry === false) return undefined
      throw error
    }
  }
}
for (const name of ['renameSync', 'linkSync', 'copyFileSync'])
  fake[name] = (from, to, ...rest) => fs[name](realPath(from, name), realPath(to, name), ...rest)
fake.existsSync = (file) => {
  try {
    return fs.existsSync(realPath(file, 'exists'))
  } catch {
    return false
  }
}
const realpath = (file) => fs.realpathSync.native(realPath(file, 'realpath')).slice(drive.length)
fake.realpathSync = Object.assign(realpath, { native: realpath })

const os = require('node:os')
const fakes = {
  fs: fake,
  os: { ...os, platform: () => 'darwin', homedir: () => process.env.HOME, tmpdir: () => '/tmp' },
}
const load = Module._load
Module._load = function (request, ...rest) {
  const name = request.startsWith('node:') ? request.slice(5) : request
  return Object.hasOwn(fakes, name) ? fakes[name] : load.call(this, request, ...rest)
}
