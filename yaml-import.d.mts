import type { Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin as VitestPlugin } from 'vitest/config'

export const yamlForEsbuild: EsbuildPlugin
export const yamlForVitest: VitestPlugin
