// What this machine has: tests of what other systems lack are skipped there, and say so.
import fs from 'node:fs'

/** Windows has no mode bits and no named pipes in the file system, and links need a right. */
export const isWindows = process.platform === 'win32'

/** Whether the memory and the start time of another process can be read. */
export const hasProc = fs.existsSync('/proc/self/stat')
