/** Vectors of some chunks as they are stored: numbers of 32 bits, in the order of the ids. Pure. Tested in packed.test.ts. */

export interface PackedVectors {
  readonly ids: readonly string[]
  readonly dimension: number
  /** Base64 of little-endian numbers. */
  readonly numbers: string
}

const bytesOfNumber = 4

export function packVectors(ids: readonly string[], vectors: readonly Float32Array[]): PackedVectors {
  const dimension = vectors[0]?.length ?? 0
  const bytes = Buffer.alloc(ids.length * dimension * bytesOfNumber)
  for (const [row, vector] of vectors.entries())
    for (const [column, number] of vector.entries())
      bytes.writeFloatLE(number, (row * dimension + column) * bytesOfNumber)
  return { ids, dimension, numbers: bytes.toString('base64') }
}

export function* unpackVectors({ ids, dimension, numbers }: PackedVectors): Generator<readonly [string, Float32Array]> {
  const bytes = Buffer.from(numbers, 'base64')
  for (const [row, id] of ids.entries()) {
    const vector = new Float32Array(dimension)
    for (let column = 0; column < dimension; column += 1)
      vector[column] = bytes.readFloatLE((row * dimension + column) * bytesOfNumber)
    yield [id, vector]
  }
}
