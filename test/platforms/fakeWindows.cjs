// Simulates Windows for a script that Node starts with `--require`: what it loads as node:path and node:fs behaves as
// there. Nothing here was measured on Windows; each rule is from the documentation of Node and Windows.
//
//   C:\…                 FAKE_DRIVE/…: names are found whatever their case; forbidden names are refused
//   files                no mode bits, no owner, no O_NOFOLLOW; a folder and a file opened for reading have no fsync
//   renames, removals    EPERM, FAKE_BUSY times for each file, as while a virus scanner has it open
//   links                refused if FAKE_NO_LINKS is set
//   process              no /proc, no getuid, signals only end; HOME is not set, USERPROFILE is
'use strict'
const fs = require('node:fs')
const Module = require('node:module')
const { posix, win32 } = require('node:path')

const drive = process.env.FAKE_DRIVE
const busyMax = Number(process.env.FAKE_BUSY ?? 0)
const toolFolder = process.env.FAKE_TOOLS
Object.defineProperty(process, 'platform', { value: 'win32' })
for (const name of ['getuid', 'geteuid', 'getgid']) delete process[name]

const failure = (code, call, file) => Object.assign(new Error(`${code}: ${call} '${file}'`), { code, syscall: call })

// No patterns here: one that ran before a hook switches V8's compilers off must not run again.
const DEVICES = 'con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3'.split(' ')
const isForbidden = (name) =>
  [...name].some((letter) => letter < ' ' || '<>:"|?*'.includes(letter)) ||
  name.endsWith('.') ||
  name.endsWith(' ') ||
  DEVICES.includes(name.toLowerCase().split('.')[0])

/** The real path of a path on the drive; of files of the tool and of Node itself the path as it is. */
function realPath(file, call) {
  if (typeof file !== 'string') return file
  const plain = file.startsWith('\\\\?\\') ? file.slice(4) : file
  const slashed = plain.replaceAll('\\', '/')
  if (slashed[1] !== ':') {
    if (slashed.startsWith(toolFolder) || slashed === '/') return slashed
    throw failure('ENOENT', `${call} of a path without a drive`, file)
  }
  let at = drive
  for (const name of slashed.slice(2).split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..') throw failure('EINVAL', call, file)
    if (isForbidden(name)) throw failure('EINVAL', call, file)
    at = `${at}/${nameAsStored(at, name)}`
  }
  return at
}

/** The name that a folder has, in its own case. */
function nameAsStored(folder, name) {
  if (fs.existsSync(`${folder}/${name}`)) return name
  try {
    return fs.readdirSync(folder).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name
  } catch {
    return name
  }
}

const windowsPath = (real) => (real.startsWith(drive) ? `C:${real.slice(drive.length)}`.replaceAll('/', '\\') : real)

/** Node reports 0666 for every file, 0444 for one that is read-only. */
function withoutModes(stats) {
  if (!stats) return stats
  stats.mode = (stats.mode & ~0o7777) | 0o666
  return Object.assign(stats, { uid: 0, gid: 0, ino: 0 })
}

const refused = new Map()
function refuseWhileBusy(call, real) {
  const count = refused.get(real) ?? 0
  if (count >= busyMax || !fs.existsSync(real)) return
  refused.set(real, count + 1)
  throw failure('EPERM', call, real)
}

const opened = new Map()
const fake = { ...fs }
const mapped =
  (name) =>
  (file, ...rest) =>
    fs[name](realPath(file, name), ...rest)
for (const name of 'readFileSync writeFileSync appendFileSync mkdirSync readdirSync opendirSync truncateSync accessSync utimesSync mkdtempSync'.split(
  ' ',
))
  fake[name] = mapped(name)
fake.existsSync = (file) => {
  try {
    return fs.existsSync(realPath(file, 'exists'))
  } catch {
    return false
  }
}
for (const name of ['statSync', 'lstatSync']) {
  fake[name] = (file, options) => {
    try {
      return withoutModes(fs[name](realPath(file, name), options))
    } catch (error) {
      if (error.code === 'ENOENT' && options?.throwIfNoEntry === false) return undefined
      throw error
    }
  }
}
fake.fstatSync = (fd, options) => withoutModes(fs.fstatSync(fd, options))
fake.openSync = (file, flags = 'r', mode) => {
  const real = realPath(file, 'open')
  const isFolder = fs.statSync(real, { throwIfNoEntry: false })?.isDirectory() === true
  if (isFolder && flags !== 'r' && flags !== 0) throw failure('EISDIR', 'open', file)
  const fd = fs.openSync(real, flags, mode)
  opened.set(fd, { real, isWritable: !isFolder && flags !== 'r' && flags !== 0 })
  return fd
}
fake.closeSync = (fd) => {
  opened.delete(fd)
  fs.closeSync(fd)
}
for (const name of ['fsyncSync', 'fdatasyncSync']) {
  fake[name] = (fd) => {
    if (opened.get(fd)?.isWritable === false) throw failure('EPERM', name, String(fd))
    fs[name](fd)
  }
}
fake.renameSync = (from, to) => {
  const [realFrom, realTo] = [realPath(from, 'rename'), realPath(to, 'rename')]
  if ([...opened.values()].some(({ real }) => real === realTo || real === realFrom))
    throw failure('EPERM', 'rename', to)
  refuseWhileBusy('rename', realTo)
  fs.renameSync(realFrom, realTo)
}
for (const name of ['rmSync', 'unlinkSync']) {
  fake[name] = (file, options) => {
    const real = realPath(file, name)
    if (!options?.recursive) refuseWhileBusy(name, real)
    fs[name](real, options)
  }
}
fake.linkSync = (from, to) => {
  if (process.env.FAKE_NO_LINKS) throw failure('EISDIR', 'link', to)
  fs.linkSync(realPath(from, 'link'), realPath(to, 'link'))
}
fake.symlinkSync = (_, to) => {
  throw failure('EPERM', 'symlink', to)
}
fake.copyFileSync = (from, to, mode) => fs.copyFileSync(realPath(from, 'copy'), realPath(to, 'copy'), mode)
fake.chmodSync = (file) => void realPath(file, 'chmod')
fake.fchmodSync = () => undefined
const realpath = (file) => windowsPath(fs.realpathSync.native(realPath(file, 'realpath')))
fake.realpathSync = Object.assign(realpath, { native: realpath })
const { O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY, O_NOCTTY, O_NOATIME, O_SYNC, O_DSYNC, ...constants } = fs.constants
fake.constants = constants
fake.readSync = (fd, ...rest) => {
  const bytes = fs.readSync(fd, ...rest)
  // Windows reports the end of a pipe as an error.
  if (fd === 0 && bytes === 0) throw failure('EOF', 'read', 'stdin')
  return bytes
}

const os = require('node:os')
const fakes = {
  fs: fake,
  // The files of the tool itself are not on the drive.
  path: { ...win32, join: (...parts) => (parts[0].startsWith('/') ? posix : win32).join(...parts) },
  os: { ...os, EOL: '\r\n', platform: () => 'win32', homedir: () => process.env.USERPROFILE, tmpdir: () => 'C:\\Temp' },
}
const load = Module._load
Module._load = function (request, ...rest) {
  const name = request.startsWith('node:') ? request.slice(5) : request
  return Object.hasOwn(fakes, name) ? fakes[name] : load.call(this, request, ...rest)
}
