// Checks who can read memctl's files: modes, owners, and the folders above them.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { findOpenAccess } from '../../store/disk/restrictFiles.ts'
import { accessRoot } from '../maintenance/restrictOnce.ts'
import type { Store } from '../open/openStore.ts'

const WRITABLE_BY_OTHERS = 0o022
const STICKY = 0o1000

/** Users whose folders are safe above one's own: the superuser. */
const SUPERUSER = 0

/** `user` is the id of the user who runs this; undefined on systems without owners, where nothing is checked. */
export function checkAccess(store: Store, user: number | undefined): CheckResult[] {
  const root = accessRoot(store)
  if (user === undefined || !store.files.permissions(root)) return []
  const found = [...findOpenAccess(store.files, root, user)]
  const foreign = found.filter(({ isForeign }) => isForeign)
  const open = found.filter(({ isForeign }) => !isForeign)
  const checks: CheckResult[] = []
  const [firstForeign] = foreign
  if (firstForeign) {
    const owners = [...new Set(foreign.map(({ permissions }) => permissions.owner))].join(', ')
    checks.push(
      checkProblem('access', 'fail', `${foreign.length} files or folders belong to another user (id ${owners})`, {
        where: firstForeign.path,
        hint: `Make them yours: \`sudo chown -R ${user} ${root}\`, then \`memctl doctor --fix\`.`,
      }),
    )
  }
  const [firstOpen] = open
  if (firstOpen) {
    checks.push(
      checkProblem('access', 'fail', `Other users may read ${open.length} files or folders`, {
        where: firstOpen.path,
        hint: 'Run `memctl doctor --fix`, which makes them 0600 and 0700.',
      }),
    )
  }
  checks.push(...checkParents(store, root, user))
  return checks.length > 0 ? checks : [checkPassed('access', 'Only you may read the files', root)]
}

/** Whoever may write in a folder above can replace everything under it, unless the folder is sticky. */
function checkParents({ files }: Store, root: string, user: number): CheckResult[] {
  const real = files.realPath(root) ?? root
  const checks: CheckResult[] = []
  for (let at = parentOf(real); at !== undefined; at = parentOf(at)) {
    const permissions = files.permissions(at)
    if (!permissions) continue
    const { mode, owner } = permissions
    const isWritable = (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0
    if (!isWritable && (owner === user || owner === SUPERUSER)) continue
    const what = isWritable ? 'Other users may write in a folder above' : `A folder above belongs to user ${owner}`
    checks.push(
      checkProblem('access', 'warn', `${what}: they could replace memctl's files`, {
        where: at,
        hint: isWritable ? `Run \`chmod go-w ${at}\`, or set MEMCTL_HOME.` : 'Set MEMCTL_HOME to a folder of your own.',
      }),
    )
  }
  return checks
}

/** The folder above; undefined above the root of a disk. */
function parentOf(folder: string): string | undefined {
  const slash = folder.lastIndexOf('/')
  if (slash === -1 || folder === '/') return undefined
  return slash === 0 ? '/' : folder.slice(0, slash)
}
