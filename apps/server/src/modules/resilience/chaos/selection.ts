/**
 * A number in [0, 1) that looks random and depends on a seed and a name alone: FNV-1a over both, finished by the mixer of
 * MurmurHash3 so that neighboring names are far apart. A test is in rules.test.ts.
 */
export function fraction(seed: string, name: string): number {
  let hash = absorb(0x811c9dc5, seed)
  hash = absorb(Math.imul(hash ^ 0x2d, 0x01000193), name)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return (hash >>> 0) / 0x100000000
}

function absorb(start: number, text: string): number {
  let hash = start
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}
