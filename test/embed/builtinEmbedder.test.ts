// The built-in embedder: hashed words.
import { expect, test } from 'vitest'
import { createBuiltinEmbedder, isBuiltinModel } from '../../src/embed/builtinEmbedder.ts'
import { embedderContract } from './contract.ts'

embedderContract('builtin', createBuiltinEmbedder)

test('embed: its vectors are known as its own, those with the trained words of earlier versions too', () => {
  expect([createBuiltinEmbedder().id, 'builtin-1:8c1f00aa'].every(isBuiltinModel)).toBe(true)
  expect(isBuiltinModel('openai:text-embedding-3-small:1536')).toBe(false)
})
