import { expect, test } from 'vitest'
import { ModelError, readModel, writeModel } from './asset.ts'
import { readShippedModel, shippedModelBytes } from './shipped.ts'

const bytes = shippedModelBytes()

/** An assertion on a million weights looks at them one by one. */
function hasShippedWeights({ heads }: ReturnType<typeof readModel>): boolean {
  const weights = ({ buffer, byteOffset, byteLength }: Int8Array) => Buffer.from(buffer, byteOffset, byteLength)
  return weights(heads.values).equals(weights(readShippedModel().heads.values))
}

test('writing what was read gives the same bytes', () => {
  expect(Buffer.from(writeModel(readModel(bytes))).equals(Buffer.from(bytes))).toBe(true)
})

test('a model at an odd offset of a larger buffer is read all the same', () => {
  const shifted = new Uint8Array(bytes.length + 3)
  shifted.set(bytes, 3)
  expect(hasShippedWeights(readModel(shifted.subarray(3)))).toBe(true)
})

test('a model in a buffer of Node.js has the same weights', () => {
  expect(hasShippedWeights(readModel(Buffer.from(bytes)))).toBe(true)
})

test.each([
  ['nothing', () => new Uint8Array()],
  ['another file', () => new TextEncoder().encode('GIF89a and much more')],
  ['half of a model', () => bytes.slice(0, bytes.length >> 1)],
  ['a header cut off', () => bytes.slice(0, 200)],
  ['trailing bytes', () => Uint8Array.from([...bytes, 0])],
])('%s is refused', (_, make) => {
  expect(() => readModel(make())).toThrow(ModelError)
})

test('one changed bit anywhere is noticed', () => {
  for (const share of [0.01, 0.05, 0.3, 0.7, 0.999]) {
    const damaged = bytes.slice()
    const at = Math.floor(share * bytes.length)
    damaged[at] = (damaged[at] ?? 0) ^ 4
    expect(() => readModel(damaged), `byte ${at}`).toThrow(ModelError)
  }
})

test('a model made for other features is refused and says so', () => {
  const text = new TextDecoder('latin1').decode(bytes)
  const at = text.indexOf('"features":') + '"features":'.length
  const other = bytes.slice()
  other[at] = (other[at] ?? 0) + 1
  expect(() => readModel(other)).toThrow(/features/)
})
