if (parseInt(process.versions.node, 10) < 20) {
  process.stderr.write('memctl needs Node 20 or later; this is Node ' + process.versions.node + '\n')
  process.exitCode = 2
} else import('./program.mjs').then(function (programs) { return programs.run('mcp') })
