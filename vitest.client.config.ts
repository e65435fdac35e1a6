import { defineConfig } from 'vitest/config'

// The stories that need the real Claude Code client. The verbose reporter names a skipped story, and how to run it.
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
