#!/usr/bin/env node
var node = process.versions.node
var word = process.argv[2]
if (parseInt(node, 10) < 20) {
  process.stderr.write('memctl: This is Node ' + node + '. Install Node 20 or later, then run the command again.\n')
  process.exitCode = 2
} else if (process.argv.length === 3 && ['--version', '-V', 'version'].indexOf(word) !== -1) {
  process.stdout.write('0.1.0\n')
} else import('./program.mjs').then(function (programs) { return programs.run('cli') })
