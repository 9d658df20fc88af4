/** Estimated bytes of plain data in memory, rather too high: strings are counted at each occurrence. */
export function bytesOf(data: unknown): number {
  if (typeof data === 'string') return stringBytes + data.length
  if (typeof data !== 'object' || data === null) return memberBytes
  if (Array.isArray(data)) return data.reduce((sum, one) => sum + memberBytes + bytesOf(one), objectBytes)
  return Object.values(data).reduce((sum, one) => sum + memberBytes + bytesOf(one), objectBytes)
}

const stringBytes = 16
const memberBytes = 8
const objectBytes = 24
