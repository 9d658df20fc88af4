/**
 * Features of a normalized text for the learned scorer: hashed character 5-grams, word 1- to 3-grams and 1- to 3-grams
 * of word clusters. Promises one pass, no allocation per character, and the same buckets on every machine; a change here
 * needs a new `featureVersion`, because a model is only valid for the features it was trained on.
 */
import { fnvBasis, fnvStep } from '../../text/bytes/fnv.ts'
import { clusterOf } from './clusters.ts'

/** Goes into every model file; a model of another version is refused. */
export const featureVersion = 5

export const bucketBits = 18
export const buckets = 1 << bucketBits

/** Features of a text in text order: `buckets[i]` for i below `count`, of which `until[p]` have a position below p. */
export interface FeatureBuffer {
  buckets: Uint32Array
  until: Uint32Array
}

/** Most features a character can end: one of letters, six of a word before it and six of the character itself. */
const mostPerCharacter = 13

/** Room for texts of up to `characters`. */
export function createFeatureBuffer(characters: number): FeatureBuffer {
  return {
    buckets: new Uint32Array(characters * mostPerCharacter + mostPerCharacter),
    until: new Uint32Array(characters + 2),
  }
}

/**
 * Writes the features of a text that fits the buffer and answers how many there are. A run of one repeated or two
 * alternating characters gives no more features after its fifth, so that a flood cannot drown what stands beside it.
 */
export function extractFeatures(text: string, { buckets: out, until }: FeatureBuffer): number {
  // The last five characters, scrambled, and their hash, a polynomial in `base`.
  let [a, b, c, d, e] = [blank, blank, blank, blank, blank]
  let gram = blanks
  let word = 0
  let wordStart = 0
  let spelling = fnvBasis
  let count = 0
  const words = new Int32Array(4)
  const kindOf = kinds
  for (let i = 0; i < text.length; i += 1) {
    until[i] = count
    const unit = text.charCodeAt(i)
    const kind = kindOf[unit] ?? mark
    const code = kind === space ? blank : scrambled(unit)
    if (kind === letter) {
      if (word === 0) {
        wordStart = i
        spelling = fnvBasis
      }
      word = round(word ^ code)
      spelling = fnvStep(spelling, unit)
    } else {
      // A word counts where it is known to end, one character after its last.
      if (word !== 0) count = putWord(out, count, words, word, clusterOf(spelling, i - wordStart))
      word = 0
      if (kind === symbol) count = putWord(out, count, words, round(code), 0)
    }
    gram = (Math.imul(gram, base) + code - Math.imul(a, baseToFifth)) | 0
    a = b
    b = c
    c = d
    d = e
    e = code
    if ((e === d && d === c && c === b) || (e === c && d === b && c === a) || (c === blank && d === blank)) continue
    out[count] = bucketOf(gram)
    count += 1
  }
  if (word !== 0) count = putWord(out, count, words, word, clusterOf(spelling, text.length - wordStart))
  until[text.length] = count
  return count
}

/** One to three words, and one to three clusters of words; `before` remembers two of each, scrambled. */
function putWord(out: Uint32Array, at: number, before: Int32Array, word: number, cluster: number): number {
  const last = scrambled(word)
  const own = cluster === 0 ? last : scrambled(cluster)
  const two = round(round(0x7feb352d ^ (before[1] ?? 0)) ^ last)
  const pair = round(round(0x58f38ded ^ (before[3] ?? 0)) ^ own)
  out[at] = bucketOf(word ^ 0x3c6ef372)
  out[at + 1] = bucketOf(two)
  out[at + 2] = bucketOf(round(two ^ 0x1b873593 ^ (before[0] ?? 0)))
  out[at + 3] = bucketOf(pair)
  out[at + 4] = bucketOf(round(pair ^ 0x3d4d51cb ^ (before[2] ?? 0)))
  if (cluster !== 0) out[at + 5] = bucketOf(round(0x68e31da4 ^ own))
  before[0] = before[1] ?? 0
  before[1] = last
  before[2] = before[3] ?? 0
  before[3] = own
  return at + (cluster === 0 ? 5 : 6)
}

const space = 0
const letter = 1
const symbol = 2
const mark = 3

/** By UTF-16 unit: letters and digits make words; signs of scripts without spaces are words of their own; other marks end a word. */
const kinds = /* @__PURE__ */ buildKinds()

function buildKinds(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (let code = 0; code < table.length; code += 1) table[code] = kindOf(code)
  return table
}

function kindOf(code: number): number {
  if (code === 32 || code === 10 || code === 13 || code === 9) return space
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) ? letter : mark
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2e80)) return mark
  const spaceless = (code >= 0x3041 && code <= 0x9fff) || (code >= 0x0e00 && code <= 0x0eff)
  if (spaceless) return symbol
  return code >= 0x3000 && code <= 0x303f ? mark : letter
}

/** The first half of a round of MurmurHash3 (Austin Appleby, public domain): of the value alone, and different for each. */
function scrambled(value: number): number {
  const k = Math.imul(value, 0xcc9e2d51)
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593)
}

/** The second half, on the hash so far with the scrambled value put in by exclusive or. */
function round(mixed: number): number {
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
}

const blank = /* @__PURE__ */ scrambled(32)
const base = 0x2545f491
const baseToFifth = /* @__PURE__ */ [1, 2, 3, 4].reduce((power) => Math.imul(power, base), base)
const blanks = /* @__PURE__ */ [1, 2, 3, 4, 5].reduce((hash) => (Math.imul(hash, base) + blank) | 0, 0)

function bucketOf(hash: number): number {
  let h = hash ^ (hash >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  return (h ^ (h >>> 13)) >>> (32 - bucketBits)
}
