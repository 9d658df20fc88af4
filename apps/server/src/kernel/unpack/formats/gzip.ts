import { gunzipSync } from 'node:zlib'
import { type Budget, broken } from '../limits.ts'

/** @throws UnpackError `broken`, `ratio`, `too_large` */
export function readGzip(bytes: Uint8Array, budget: Budget): Uint8Array {
  try {
    const content = gunzipSync(bytes, { maxOutputLength: budget.left + 1 })
    budget.unpack(content.byteLength)
    return content
  } catch (error) {
    if (error instanceof RangeError || isTooLong(error)) budget.unpack(budget.left + 1)
    throw error instanceof Error && 'code' in error ? broken('The file is not gzip, or is damaged.', error) : error
  }
}

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
