import { defineConfig } from 'vitest/config'
import { yamlForVitest } from './yaml-import.mjs'

/** Tests of functions without a state: their files share a process, which imports what they test once. */
const PURE = ['test/knowledge/**/*.test.ts', 'test/model/**/*.test.ts', 'test/text/**/*.test.ts']

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
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      { extends: true, test: { name: 'other', include: ['test/**/*.test.ts'], exclude: PURE } },
    ],
  },
})
