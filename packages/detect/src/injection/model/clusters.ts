import { fnvBasis, fnvFolded, fnvStep } from '../../text/bytes/fnv.ts'
import { wordClusters } from './word-clusters.ts'

const shortest = 2
const longest = 20

// Open addressing over 24,000 words: a lookup costs no substring.
const slots = 1 << 16
const keys = new Int32Array(slots)
const numbers = new Uint16Array(slots)

/** Never 0, which marks a free slot. */
const keyOf = (spelling: number): number => fnvFolded(spelling) | 0 || 1

wordClusters.split('\n').forEach((line, index) => {
  for (const word of line.split(' ')) insert(keyOf(spellingOf(word)), index + 1)
})

/**
 * Number of the cluster a lower-case ASCII word belongs to, from 1; 0 for any other. The word is given by the FNV hash
 * of its letters, which a pass over a text has at hand at its end, and by their number.
 */
export function clusterOf(spelling: number, length: number): number {
  if (length < shortest || length > longest) return 0
  const key = keyOf(spelling)
  for (let slot = key & (slots - 1); keys[slot] !== 0; slot = (slot + 1) & (slots - 1)) {
    if (keys[slot] === key) return numbers[slot] ?? 0
  }
  return 0
}

function spellingOf(word: string): number {
  let hash = fnvBasis
  for (let i = 0; i < word.length; i += 1) hash = fnvStep(hash, word.charCodeAt(i))
  return hash
}

function insert(hash: number, number: number): void {
  let slot = hash & (slots - 1)
  while (keys[slot] !== 0) slot = (slot + 1) & (slots - 1)
  keys[slot] = hash
  numbers[slot] = number
}
