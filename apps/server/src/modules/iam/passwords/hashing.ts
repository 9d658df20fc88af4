/**
 * Password hashes: Argon2id in PHC strings, keyed with a pepper that no table holds and whose id stands beside the
 * hash. One verification costs the same whether there is a hash or not. It knows no user and no policy. Tested in
 * hashing.test.ts.
 */
import { hash, parseOptions, verify } from '@node-rs/argon2'
import type { Peppers } from '../../../kernel/keys/port.ts'
import { isForeign, verifyForeign } from './foreign.ts'
import type { HashQueue } from './queue.ts'

/** Memory in KiB, passes, lanes; tag in bytes. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
  readonly outputLen: number
}

/** OWASP's minimum for Argon2id, and the second recommendation of RFC 9106, section 4. */
export const hashCosts = {
  standard: { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 },
  strong: { memoryCost: 65_536, timeCost: 3, parallelism: 4, outputLen: 32 },
} as const satisfies Record<string, HashCost>
export const hashCost = hashCosts.standard
const saltBytes = 16

export interface Passwords {
  /** PHC string of the password in NFC. @throws API-009 when the hashing queue is full */
  hash(password: string): Promise<string>
  /**
   * Compares with the stored hash, or with one that nothing matches. Where one of other costs does not match, the work of
   * today's is done as well. @throws API-009 when the hashing queue is full
   */
  verify(stored: string | null, password: string): Promise<boolean>
  /** Whether a stored hash was made with other costs or another pepper than today's, or elsewhere. */
  outdated(stored: string): boolean
}

export interface PasswordParts {
  /** Argon2's secret input. */
  readonly peppers: Peppers
  readonly randomBytes: (length: number) => Uint8Array
  readonly queue: HashQueue
  /** Of new hashes; default `standard`. */
  readonly cost?: HashCost
}

export function createPasswords({ peppers, randomBytes, queue, cost = hashCost }: PasswordParts): Passwords {
  const stranger: Read = { pepperId: firstPepper, phc: unmatchable(randomBytes, cost) }
  // NFC and nothing else: the least that makes one spelling of a character equal to the other (RFC 8265).
  const prepared = (password: string): string => password.normalize('NFC')
  const matchesNothing = async (password: string): Promise<false> => {
    await queue.run(() => verify(stranger.phc, prepared(password), { secret: peppers.current().key }))
    return false
  }
  const made = ({ pepperId, phc }: Read): string => (pepperId === firstPepper ? phc : `${mark}${pepperId}:${phc}`)
  return {
    hash: async (password) => {
      const { id: pepperId, key: secret } = peppers.current()
      const options = { ...cost, secret, salt: randomBytes(saltBytes) }
      return made({ pepperId, phc: await queue.run(() => hash(prepared(password), options)) })
    },
    verify: async (stored, password) => {
      if (stored === null) return matchesNothing(password)
      if (isForeign(stored)) return (await queue.run(() => verifyForeign(stored, password))) || matchesNothing(password)
      const { pepperId, phc } = readStored(stored)
      const secret = await peppers.find(pepperId)
      // An unknown pepper: the same work, and no match.
      if (secret === null) return matchesNothing(password)
      const isRight = await queue.run(() => verify(phc, prepared(password), { secret }))
      return isRight || hasCost(phc, cost) ? isRight : matchesNothing(password)
    },
    outdated: (stored) => {
      if (isForeign(stored)) return true
      const { pepperId, phc } = readStored(stored)
      return pepperId !== peppers.current().id || !hasCost(phc, cost) || parseOptions(phc).saltLen !== saltBytes
    },
  }
}

function hasCost(phc: string, cost: HashCost): boolean {
  const options = parseOptions(phc)
  return Object.entries(cost).every(([name, value]) => Reflect.get(options, name) === value)
}

/** Prefix of a hash made with a pepper other than the first: `pepper:2:$argon2id$…`. */
const mark = 'pepper:'
const firstPepper = '0'

interface Read {
  readonly pepperId: string
  readonly phc: string
}

function readStored(stored: string): Read {
  const [, pepperId = firstPepper, phc = stored] = /^pepper:(\d{1,9}):(.+)$/.exec(stored) ?? []
  return { pepperId, phc }
}

/** A well-formed hash of today's cost whose tag is random: no password gives it. */
function unmatchable(randomBytes: (length: number) => Uint8Array, cost: HashCost): string {
  const base64 = (length: number): string => Buffer.from(randomBytes(length)).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism, outputLen } = cost
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(saltBytes)}$${base64(outputLen)}`
}
