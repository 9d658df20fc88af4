/**
 * Password hashes: Argon2id in PHC strings, keyed with a pepper that is not in the database. One verification costs the
 * same whether there is a hash or not. It knows no user and no policy. Tested in hashing.test.ts.
 */
import { hash, parseOptions, verify } from '@node-rs/argon2'
import type { HashQueue } from './queue.ts'

/** OWASP's minimum for Argon2id: memory in KiB, passes, lanes; tag in bytes. */
export const hashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
const saltBytes = 16

export interface Passwords {
  /** PHC string of the password in NFC. @throws API-009 when the hashing queue is full */
  hash(password: string): Promise<string>
  /** Compares with the stored hash, or with one that nothing matches. @throws API-009 when the hashing queue is full */
  verify(stored: string | null, password: string): Promise<boolean>
  /** Whether a stored hash was made with other costs than today's. */
  outdated(stored: string): boolean
}

export interface PasswordParts {
  /** Argon2's secret input, 32 bytes. */
  readonly pepper: Uint8Array
  readonly randomBytes: (length: number) => Uint8Array
  readonly queue: HashQueue
}

export function createPasswords({ pepper, randomBytes, queue }: PasswordParts): Passwords {
  const stranger = unmatchable(randomBytes)
  // NFC and nothing else: the least that makes one spelling of a character equal to the other (RFC 8265).
  const prepared = (password: string): string => password.normalize('NFC')
  return {
    hash: (password) =>
      queue.run(() => hash(prepared(password), { ...hashCost, secret: pepper, salt: randomBytes(saltBytes) })),
    verify: (stored, password) => queue.run(() => verify(stored ?? stranger, prepared(password), { secret: pepper })),
    outdated: (stored) => {
      const made = parseOptions(stored)
      return (
        Object.entries(hashCost).some(([name, value]) => Reflect.get(made, name) !== value) ||
        made.saltLen !== saltBytes
      )
    },
  }
}

/** A well-formed hash of today's cost whose tag is random: no password gives it. */
function unmatchable(randomBytes: (length: number) => Uint8Array): string {
  const base64 = (length: number): string => Buffer.from(randomBytes(length)).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism, outputLen } = hashCost
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(saltBytes)}$${base64(outputLen)}`
}
