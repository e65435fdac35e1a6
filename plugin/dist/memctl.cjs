#!/usr/bin/env node
var version = process.versions.node
if (parseInt(version, 10) < 20) {
  process.stderr.write('memctl: This is Node ' + version + '. Install Node 20 or later, then run the command again.\n')
  process.exitCode = 2
} else import('./cli.mjs')
