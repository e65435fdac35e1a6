// @xenova/transformers with a real model and tokenizer, made here and read from a folder.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openTransformersEmbedder } from '../../src/embed/modelEmbedders.ts'
import { cosine, embedderContract, SHARED_WORDS } from './contract.ts'
import { writeTinyModel } from './tinyModel.ts'

const top = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-model-'))
const folder = path.join(top, 'tiny')
writeTinyModel(folder)
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

embedderContract('transformers', () => openTransformersEmbedder({ model: folder, local: true }), [
  ...SHARED_WORDS,
  ['crash', 'segfault', 'invoice'],
  ['猫', 'ネコ', '文'],
])

describe('embed: transformers', () => {
  test('embed: an e5 model gets prefixes of queries and passages, other models do not', async () => {
    const e5 = path.join(top, 'tiny-e5-small')
    writeTinyModel(e5)
    const taught = await openTransformersEmbedder({ model: e5, local: true })
    const plain = await openTransformersEmbedder({ model: folder, local: true })
    const [query] = await taught.embed(['parser'], 'query')
    const [asTold] = await plain.embed(['query: parser'])
    expect(cosine(query!, asTold!)).toBeCloseTo(1, 5)
    const [passage] = await taught.embed(['parser'])
    expect(cosine(query!, passage!)).toBeLessThan(0.999)
    const [asQuery] = await plain.embed(['parser'], 'query')
    expect(asQuery).toEqual((await plain.embed(['parser'], 'passage'))[0])
    expect(taught.id).not.toBe(plain.id)
  })

  test('embed: a vector is the mean of its words, without padding', async () => {
    const embedder = await openTransformersEmbedder({ model: folder, local: true })
    const [crash, crashTwice] = await embedder.embed(['crash', 'crash crash crash the tests fail in the parser again'])
    const [bill] = await embedder.embed(['bill bill bill'])
    const [invoice] = await embedder.embed(['invoice'])
    expect(cosine(invoice!, bill!)).toBeCloseTo(1, 5)
    expect(cosine(crash!, crashTwice!)).toBeGreaterThan(0.3)
  })

  test('embed: without the model the error has a hint', async () => {
    const opening = openTransformersEmbedder({ model: path.join(top, 'nothing'), local: true })
    await expect(opening).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      hint: expect.stringContaining('tokenizer.json'),
    })
  })

  test('embed: the settings of the host program are restored', async () => {
    const { env } = await import('@xenova/transformers')
    const before = { ...env }
    await openTransformersEmbedder({ model: folder, local: true, cacheFolder: path.join(top, 'cache') })
    expect({ ...env }).toEqual(before)
  })
})
