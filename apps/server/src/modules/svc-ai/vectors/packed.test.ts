import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packVectors, unpackVectors } from './packed.ts'

test('what is packed comes out again, number for number', () => {
  const finite = fc.float({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 9 }),
      fc.infiniteStream(finite),
      (d, n, at) => {
        const vectors = Array.from({ length: n }, () =>
          Float32Array.from(Array.from({ length: d }, () => at.next().value)),
        )
        const ids = vectors.map((_, row) => `c${row}`)
        const packed = JSON.parse(JSON.stringify(packVectors(ids, vectors)))
        expect([...unpackVectors(packed)]).toEqual(vectors.map((vector, row) => [`c${row}`, vector]))
      },
    ),
  )
})
