/** The hash of no characters. */
export const fnvBasis = 0x811c9dc5 | 0

/** The hash with one more UTF-16 unit. */
export const fnvStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/** The hash as it is compared: its high bits folded in; 32 bits, unsigned. */
export const fnvFolded = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0

/** FNV-1a (Fowler, Noll and Vo, public domain) of a part of a text, folded. */
export function fnv1a(text: string, start = 0, end = text.length): number {
  let hash = fnvBasis
  for (let i = start; i < end; i += 1) hash = fnvStep(hash, text.charCodeAt(i))
  return fnvFolded(hash)
}
