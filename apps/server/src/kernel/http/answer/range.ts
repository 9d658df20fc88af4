import type { ByteRange } from '../../base/byte-range.ts'

/**
 * The part of a file that a request asks for (RFC 9110 section 14.2); null for all of it. Several ranges at once, other
 * units and forms that cannot be read are answered with all of it, as the standard allows.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '')
    return Number(to) === 0 || bytes === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, bytes - Number(to)), end: bytes - 1 }
  if (to !== '' && Number(to) < Number(from)) return null
  if (Number(from) >= bytes) return 'unsatisfiable'
  return { start: Number(from), end: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) }
}
