// What a person does about a disk that refuses, by the system's own code.

const MENDS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some disk space; memctl goes on by itself.',
  EROFS: 'Make the folder writable, or set MEMCTL_HOME to one that is.',
  EACCES: 'Make the folder writable for you, or set MEMCTL_HOME to one that is.',
  EPERM: 'Make the folder writable for you, or set MEMCTL_HOME to one that is.',
  EISDIR: 'A folder lies where a file should be: move it away.',
  EDQUOT: 'Free some disk space, or have your quota raised; memctl goes on by itself.',
  EIO: 'Look after the disk: it fails. Set MEMCTL_HOME to a folder on another.',
  EBUSY: 'Something else holds the file; memctl goes on by itself. If it stays so, set MEMCTL_HOME to a local disk.',
  ESTALE: 'The network disk lost the file; memctl goes on by itself. If it stays so, set MEMCTL_HOME to a local disk.',
  EXDEV: 'Files cannot be renamed here: set MEMCTL_HOME to a folder on one disk.',
  EMFILE: 'Too many files are open on this machine; memctl goes on by itself.',
  ENFILE: 'Too many files are open on this machine; memctl goes on by itself.',
  EEXIST: 'A file lies where a folder should be: move it away.',
  ENOTDIR: 'A file lies where a folder should be: move it away.',
}

/** The mend for a system error's code; undefined for a code that is no fault of the disk. */
export const ioErrorHint = (code: string | undefined): string | undefined => MENDS[code ?? '']
