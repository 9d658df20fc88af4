/** Size of a little-endian 32-bit float. */
const bytesOfNumber = 4

/** A vector as numbers, in either encoding of the provider. */
export function numbersOf(vector: readonly number[] | string): readonly number[] {
  if (typeof vector !== 'string') return vector
  const bytes = Buffer.from(vector, 'base64')
  return Array.from({ length: Math.floor(bytes.length / bytesOfNumber) }, (_, index) =>
    bytes.readFloatLE(index * bytesOfNumber),
  )
}
