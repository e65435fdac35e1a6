if (parseInt(process.versions.node, 10) < 20) {
  process.stdout.write('memctl needs Node 20 or later; this is Node ' + process.versions.node + '\n')
  process.exitCode = 0
} else require('./statusline-main.cjs')
