// Finds the project that a person means: by its name, the beginning of its id, or a folder.
import { isAbsolute, resolve } from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { readPlaces } from '../../store/project/places.ts'
import { storeNameOf } from '../../store/project/project.ts'
import { ownStoreName } from '../open/earlierMemory.ts'
import { openStore, type Store } from '../open/openStore.ts'
import { listStoreNames, titleOf } from './projectList.ts'

/** Choices that an error names, at most. */
const CHOICES_MAX = 5

/** What a person typed, and where. */
export interface ProjectQuery {
  readonly word: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a folder means the project whose memory it uses, or its own one, although that is linked to another. */
  readonly which: 'used' | 'own'
}

/** The name of the store of that project. Throws NOT_FOUND if there is none, or more than one. */
export function selectProject(store: Store, { word, cwd, env, which }: ProjectQuery): string {
  const names = listStoreNames(store)
  const isPath = word === '.' || word === '..' || isAbsolute(word) || /[\\/]/.test(word)
  const found = isPath
    ? findByFolder(store, names, openStore(resolve(cwd, word), env), which)
    : findByName(store, names, word)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first === undefined) {
    throw new MemoryError('NOT_FOUND', `No project with a memory is known as ${word}`, {
      hint: 'Run `memctl project list`, and give a name, the beginning of an id, or a folder.',
    })
  }
  const more = found.length > CHOICES_MAX ? ', …' : ''
  const choices = found.slice(0, CHOICES_MAX).join(', ') + more
  throw new MemoryError('NOT_FOUND', `${found.length} projects are known as ${word}: ${choices}`, {
    hint: 'Give one of these names.',
  })
}

/** The first of these that finds any: the store's name, the title, the name without the id, the id's beginning. */
function findByName(store: Store, names: readonly string[], word: string): string[] {
  const idOf = (name: string): string => name.slice(name.lastIndexOf('-') + 1)
  const tests: readonly ((name: string) => boolean)[] = [
    (name) => name === word,
    (name) => titleOf(store, name) === word || name.slice(0, name.lastIndexOf('-')) === word,
    (name) => word !== '' && idOf(name).startsWith(word.toLowerCase()),
  ]
  for (const test of tests) {
    const found = names.filter(test)
    if (found.length > 0) return found
  }
  return []
}

/** The project that the folder has now; else those that were used there. */
function findByFolder(store: Store, names: readonly string[], found: Store, which: ProjectQuery['which']): string[] {
  const { files, home } = store
  const { project } = found
  const current = which === 'own' ? ownStoreName(project) : storeNameOf(project)
  if (names.includes(current)) return [current]
  const places = home === undefined ? {} : readPlaces(files, home)
  return names.filter((name) => places[name]?.places.some(({ folder }) => folder === project.root))
}
