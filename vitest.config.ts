import { defineConfig } from 'vitest/config'
import { yamlForVitest } from './yaml-import.mjs'

export default defineConfig({
  plugins: [yamlForVitest],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    globalSetup: ['test/globalSetup.ts'],
    // Every core: much of the time is spent waiting for processes.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
