import { defineConfig } from 'vitest/config'
import { yamlForVitest } from './yaml-import.mjs'

/**
 * Tests that change their process (mocks of Node's modules, environment, working folder, umask), that leave it large
 * (to start a process from a large one takes long), that are measured by its size (Linux counts the memory of a process
 * from that of its parent on), or that compute for seconds: code that V8 has compiled for other files takes twice as
 * long.
 */
export const ALONE = [
  'test/hook/hostileClones.test.ts',
  'test/hook/syncSession.test.ts',
  'test/improve/experiment.test.ts',
  'test/library/agentMemory/azureEmbeddingClient.test.ts',
  'test/library/libraryDocs.test.ts',
  'test/mcp/server.test.ts',
  'test/platforms/windowsPaths.test.ts',
  'test/platforms/withoutProc.test.ts',
  'test/store/disk/access.test.ts',
  'test/store/disk/makeFolder.test.ts',
]

/** Tests that start many processes: theirs stays small without the databases of other tests. */
const PROCESSES = [
  'test/bench/{faults,hooks}/**/*.test.ts',
  'test/broker/{checks,entries,projects}/**/*.test.ts',
  'test/cli/{doctor,install}/**/*.test.ts',
  'test/cli/mainProcess.test.ts',
  'test/{crash,hook,platforms,tools}/**/*.test.ts',
  'test/database/realServer.test.ts',
  'test/store/project/**/*.test.ts',
]

export default defineConfig({
  plugins: [yamlForVitest],
  test: {
    setupFiles: ['test/seed.ts'],
    globalSetup: ['test/globalSetup.ts'],
    // Every core: much of the time is spent waiting for processes.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      // They run in the order of their names. One process per core for all files of each of the others: it imports
      // memctl once.
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'processes', include: PROCESSES, exclude: ALONE, isolate: false } },
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: [...ALONE, ...PROCESSES], isolate: false },
      },
    ],
  },
})
