import { fnv1a } from '../../text/fnv.ts'
import { wordClusters } from './word-clusters.ts'

const shortest = 2
const longest = 20

// Open addressing over 24,000 words: a lookup costs no substring.
const slots = 1 << 16
const keys = new Uint32Array(slots)
const numbers = new Uint16Array(slots)

/** Never 0, which marks a free slot. */
const hashOf = (text: string, start: number, end: number): number => fnv1a(text, start, end) || 1

wordClusters.split('\n').forEach((line, index) => {
  for (const word of line.split(' ')) insert(hashOf(word, 0, word.length), index + 1)
})

/** Number of the cluster a lower-case ASCII word belongs to, from 1; 0 for any other text. */
export function clusterOf(text: string, start: number, end: number): number {
  if (end - start < shortest || end - start > longest) return 0
  const hash = hashOf(text, start, end)
  for (let slot = hash & (slots - 1); keys[slot] !== 0; slot = (slot + 1) & (slots - 1)) {
    if (keys[slot] === hash) return numbers[slot] ?? 0
  }
  return 0
}

function insert(hash: number, number: number): void {
  let slot = hash & (slots - 1)
  while (keys[slot] !== 0) slot = (slot + 1) & (slots - 1)
  keys[slot] = hash
  numbers[slot] = number
}
