import { base62Checksum, crc32 } from '../../text/bytes/crc32.ts'

/** GitHub and npm: the last six characters are the check sum of the text between the prefix and them. */
export const checkSumAfterPrefix = (value: string): boolean => base62Checksum(value.slice(4, -6)) === value.slice(-6)

/** Parapet: the last part is the check sum of everything before it. */
export const checkSumOfAll = (value: string): boolean => base62Checksum(value.slice(0, -7)) === value.slice(-6)

/** Grafana service accounts: the last eight characters are the CRC-32 of the middle part, in hexadecimal. */
export function grafanaCheckSum(value: string): boolean {
  const sum = crc32(value.slice(5, -9)).toString(16).padStart(8, '0')
  return value.endsWith(`_${sum}`)
}
