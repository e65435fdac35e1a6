import { defineConfig } from 'vitest/config'

// The tests that need the real Claude Code client. The verbose reporter shows which tests were skipped and how to run
// them.
export default defineConfig({
  test: {
    include: ['test/client/**/*.story.ts'],
    globalSetup: ['test/globalSetup.ts'],
    reporters: ['verbose'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
})
