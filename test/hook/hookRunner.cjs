// Runs built hooks one after the other in this process: `node hookRunner.cjs RUNS`, a JSON file of what hookRuns.ts
// describes. Each script runs as Node would run it, but with a process, a stdin and a stdout of its own, and starts no
// worker. Files that a run preloads may change the functions of node:fs and the clock, for this run. Prints a line of
// JSON for each.
const fs = require('node:fs')
const path = require('node:path')

function runScript(file, { env, cwd, input }) {
  const result = { stdout: '', status: null }
  const line = Buffer.from(input)
  const modules = {
    fs: Object.assign(Object.create(fs), {
      readSync: (from, into, ...rest) => (from === 0 ? line.copy(into) : fs.readSync(from, into, ...rest)),
      writeSync: (to, ...rest) => (to === 1 ? append(rest[0]) : fs.writeSync(to, ...rest)),
    }),
    child_process: { spawn: () => ({ unref() {} }) },
  }
  const append = (text) => {
    result.stdout += text
    return text.length
  }
  class FakeHandle {
    spawn() {
      return 0
    }
    open() {
      return 0
    }
    unref() {}
  }
  const fakeProcess = Object.assign(Object.create(process), {
    env,
    cwd: () => cwd,
    exit: (status) => {
      result.status ??= status
    },
    binding: () => ({ Process: FakeHandle, Pipe: FakeHandle, setFlagsFromString() {} }),
  })
  const fakeRequire = (name) => modules[name.replace('node:', '')] ?? require(name)
  const wrapped = `(function (exports, require, module, __filename, __dirname, process) {${fs.readFileSync(file, 'utf8')}\n})`
  const run = new (require('node:vm').Script)(wrapped, { filename: file }).runInThisContext()
  run({}, fakeRequire, { exports: {} }, file, path.dirname(file), fakeProcess)
  return result
}

const undisturbed = {
  fs: Object.fromEntries(Object.entries(fs).filter(([, value]) => typeof value === 'function')),
  now: Date.now,
  env: { ...process.env },
}

function preload({ preloads = [], env }) {
  if (preloads.length > 0) Object.assign(process.env, env)
  for (const file of preloads) {
    delete require.cache[file]
    require(file)
  }
}

function undoPreloads() {
  // Only what was replaced: Node 24 has functions of `fs` that nobody may set.
  for (const [name, value] of Object.entries(undisturbed.fs)) if (fs[name] !== value) fs[name] = value
  Date.now = undisturbed.now
  process.env = { ...undisturbed.env }
}

async function main() {
  for (const run of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
    preload(run)
    const result = runScript(run.script, run)
    await new Promise(setImmediate) // A hook starts the worker after its output.
    undoPreloads()
    console.log(JSON.stringify({ ...result, rssKib: process.resourceUsage().maxRSS }))
  }
}

main()
