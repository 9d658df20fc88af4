/** Addresses of cryptocurrencies by their checksums. Tested in find-pii.test.ts. */
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32, bech32m } from '@scure/base'
import { distanceOf, nowhere, type Scan } from '../identifiers/scan.ts'

/** Asked at words of 26 to 90 letters and digits. */
export function recognizeCrypto(scan: Scan, start: number, end: number): void {
  const word = scan.text.slice(start, end)
  const score = scoreOf(scan, word, start, end)
  if (score > 0) scan.found.push({ detector: 'pii', type: 'CRYPTO', start, end, score, rule: 'crypto-address' })
}

function scoreOf(scan: Scan, word: string, start: number, end: number): number {
  if (/^0x[0-9A-Fa-f]{40}$/.test(word)) return ethereum(scan, word, start, end)
  if (/^(?:bc|tb|ltc|bcrt|addr|cosmos)1[02-9ac-hj-np-z]{20,84}$/i.test(word)) return isBech32(word) ? 0.99 : 0
  if (/^[13DLMmn2tAX9r][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(word)) return isBase58Check(word) ? 0.98 : 0
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(word)) return isBase58Check(word) ? 0.98 : 0
  return solana(scan, word, start, end)
}

/** EIP-55: the case of each letter is a bit of the Keccak hash; one case alone carries no checksum. */
function ethereum({ context }: Scan, word: string, start: number, end: number): number {
  const hex = word.slice(2)
  const named =
    distanceOf('wallet', context.before(start)) < distanceOf('hashes', context.before(start), context.after(end))
  if (hex === hex.toLowerCase() || hex === hex.toUpperCase()) return named ? 0.85 : 0.6
  const hash = keccak_256(new TextEncoder().encode(hex.toLowerCase()))
  for (let i = 0; i < 40; i += 1) {
    const nibble = ((hash[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15
    const char = hex[i] ?? ''
    if (/[a-f]/i.test(char) && nibble >= 8 !== (char === char.toUpperCase())) return 0
  }
  return 0.99
}

const isBech32 = (word: string): boolean => {
  const lower = word === word.toUpperCase() ? word.toLowerCase() : word
  return holds(() => bech32.decode(toPrefixed(lower), 120)) || holds(() => bech32m.decode(toPrefixed(lower), 120))
}

// The codec's type asks for a literal with the separator, which the caller has matched.
const toPrefixed = (word: string): `${string}1${string}` => {
  const at = word.lastIndexOf('1')
  return `${word.slice(0, at)}1${word.slice(at + 1)}`
}

/** Version of one or two bytes, hash of twenty, and the first four of its double SHA-256 (Bitcoin base58check). */
function isBase58Check(word: string): boolean {
  const bytes = base58.decode(word)
  if (bytes.length < 25 || bytes.length > 27) return false
  const sum = sha256(sha256(bytes.subarray(0, -4)))
  return bytes.subarray(-4).every((byte, index) => byte === sum[index])
}

function holds(decode: () => unknown): boolean {
  try {
    decode()
    return true
  } catch {
    // The codecs report a wrong checksum by throwing; it only means that the word is something else.
    return false
  }
}

/** 32 bytes in Base58 without a checksum: only words near it tell. */
function solana({ context }: Scan, word: string, start: number, end: number): number {
  if (
    !/^[1-9A-HJ-NP-Za-km-z]{43,44}$/.test(word) ||
    !/\d/.test(word) ||
    !/[a-z][^A-Za-z\n\r\u2028\u2029]*[A-Z]|[A-Z][^A-Za-z\n\r\u2028\u2029]*[a-z]/.test(word)
  )
    return 0
  if (distanceOf('wallet', context.before(start), context.after(end)) >= nowhere) return 0
  return holds(() => base58.decode(word)) && base58.decode(word).length === 32 ? 0.8 : 0
}
