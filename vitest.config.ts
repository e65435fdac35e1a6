import { defineConfig } from 'vitest/config'
import { yamlForVitest } from './yaml-import.mjs'

export default defineConfig({
  plugins: [yamlForVitest],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    globalSetup: ['test/globalSetup.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
