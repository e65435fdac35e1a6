// The documents of the repository for people: READMEs, CONTRIBUTING and docs/.
import fs from 'node:fs'
import path from 'node:path'
import { REPOSITORY } from './testContext.ts'

/** Paths inside the repository. */
export const DOCS: readonly string[] = [
  'README.md',
  'README.ja.md',
  'CONTRIBUTING.md',
  ...fs
    .readdirSync(path.join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
