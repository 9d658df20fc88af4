/**
 * Password hashes made by other systems: PBKDF2, scrypt and Argon2 in PHC strings, verified with the platform's own
 * crypto. They have no pepper and are replaced at the first sign-in. Costs are limited: the importer supplies the hash,
 * and could otherwise demand an hour of work per sign-in. Tested in foreign.test.ts.
 */
import { pbkdf2, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verify } from '@node-rs/argon2'

/** Prefix of a stored foreign hash: an Argon2 hash without it is one of ours, made with our pepper. */
const mark = 'imported:'

const pbkdf2Async = promisify(pbkdf2)
const scryptAsync = (password: string, salt: Uint8Array, ask: { length: number; options: ScryptOptions }) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, ask.length, ask.options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })

interface Hash {
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

export type ForeignHash =
  | (Hash & { readonly kind: 'pbkdf2'; readonly digest: 'sha1' | 'sha256' | 'sha512'; readonly iterations: number })
  | (Hash & { readonly kind: 'scrypt'; readonly logN: number; readonly r: number; readonly p: number })
  | { readonly kind: 'argon2'; readonly phc: string }

/** Upper limits of cost; an import refuses hashes beyond them. Memory in KiB. */
const most = { iterations: 2_000_000, memory: 131_072, passes: 10, lanes: 8 } as const

export const isForeign = (stored: string): boolean => stored.startsWith(mark)

/** The form an imported hash is stored in; null for one that is of no known form or too costly to verify. */
export function storedForeign(phc: string): string | null {
  return readForeign(phc) === null ? null : `${mark}${phc}`
}

/** Verifies a stored foreign hash. The password is used as typed, as the other system did. */
export async function verifyForeign(stored: string, password: string): Promise<boolean> {
  const phc = stored.slice(mark.length)
  const hash = readForeign(phc)
  if (hash === null) return false
  if (hash.kind === 'argon2') return verify(hash.phc, password)
  return timingSafeEqual(await derived(hash, password), hash.tag)
}

function derived(hash: Exclude<ForeignHash, { kind: 'argon2' }>, password: string): Promise<Buffer> {
  const { salt, tag } = hash
  if (hash.kind === 'pbkdf2') return pbkdf2Async(password, salt, hash.iterations, tag.byteLength, hash.digest)
  const { logN, r, p } = hash
  // Node counts a little more than the 128 N r bytes of the algorithm.
  const options = { N: 2 ** logN, r, p, maxmem: 2 * 128 * 2 ** logN * r + 1_048_576 }
  return scryptAsync(password, salt, { length: tag.byteLength, options })
}

/** Reads a PHC string (`$algorithm$costs$salt$tag`); null if it is malformed or too costly. */
export function readForeign(phc: string): ForeignHash | null {
  if (phc.length > 1024) return null
  const [before, algorithm = '', ...rest] = phc.split('$')
  if (before !== '') return null
  if (/^argon2(?:id|i|d)$/.test(algorithm)) return readArgon2(phc, rest)
  const [costs = '', salt = '', tag = '', ...more] = rest
  const hash = { salt: bytesIn(salt), tag: bytesIn(tag) }
  if (more.length > 0 || hash.salt === null || hash.tag === null) return null
  const known = { salt: hash.salt, tag: hash.tag }
  return algorithm === 'scrypt' ? readScrypt(costs, known) : readPbkdf2(algorithm, costs, known)
}

const digests = { pbkdf2: 'sha1', 'pbkdf2-sha1': 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' } as const

const isDigest = (name: string): name is keyof typeof digests => Object.hasOwn(digests, name)

function readPbkdf2(algorithm: string, costs: string, hash: Hash): ForeignHash | null {
  const iterations = Number(/^i=(\d{1,9})$/.exec(costs)?.[1] ?? 0)
  if (!isDigest(algorithm) || iterations < 1 || iterations > most.iterations) return null
  return { kind: 'pbkdf2', digest: digests[algorithm], iterations, ...hash }
}

function readScrypt(costs: string, hash: Hash): ForeignHash | null {
  const [logN = 0, r = 0, p = 0] = /^ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})$/.exec(costs)?.slice(1).map(Number) ?? []
  const isTaken = logN >= 1 && r >= 1 && p >= 1 && p <= most.lanes && (2 ** logN * r) / 8 <= most.memory
  return isTaken ? { kind: 'scrypt', logN, r, p, ...hash } : null
}

/** The library reads the rest; here is looked only at what it would cost. */
function readArgon2(phc: string, parts: readonly string[]): ForeignHash | null {
  const [version = '', costs = '', salt = '', tag = '', ...more] = parts
  const [m = 0, t = 0, p = 0] = /^m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})$/.exec(costs)?.slice(1).map(Number) ?? []
  const isTaken = m >= 8 * p && m <= most.memory && t >= 1 && t <= most.passes && p >= 1 && p <= most.lanes
  const isWhole = /^v=(?:16|19)$/.test(version) && bytesIn(salt) !== null && bytesIn(tag) !== null && more.length === 0
  return isTaken && isWhole ? { kind: 'argon2', phc } : null
}

const [fewestBytes, mostBytes] = [8, 128]

/** Base64 without padding, as in PHC strings; null for any other text, or one that is too short or too long. */
function bytesIn(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64')
  const isExact = bytes.toString('base64').replaceAll('=', '') === text
  return isExact && bytes.byteLength >= fewestBytes && bytes.byteLength <= mostBytes ? bytes : null
}
