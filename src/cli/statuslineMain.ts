// The status line as one small file: the client starts it at every update. It always exits with 0.
import fs from 'node:fs'
import { formatStatusLine } from './format/statusLine.ts'

process.stdout.write(`${formatStatusLine(fs.readFileSync(0, 'utf8'), process.env, process.cwd())}\n`)
