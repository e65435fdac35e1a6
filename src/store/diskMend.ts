// What a person does about a disk that refuses, by the system's own code.

const MENDS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some disk space; memctl goes on by itself.',
  EROFS: 'Make the folder writable, or set MEMCTL_HOME to one that is.',
  EACCES: 'Make the folder writable for you, or set MEMCTL_HOME to one that is.',
  EPERM: 'Make the folder writable for you, or set MEMCTL_HOME to one that is.',
  EISDIR: 'A folder lies where a file should be: move it away.',
  ENOTDIR: 'A file lies where a folder should be: move it away.',
}

/** The mend for a system error's code; undefined for a code that is no fault of the disk. */
export const diskMend = (code: string | undefined): string | undefined => MENDS[code ?? '']
