import { randomBytes } from 'node:crypto'

/** A key service that keeps the key which locks ours: it makes, opens and locks anew, and its own key never leaves it. */
export interface KeyService {
  readonly name: 'vault' | 'kms' | 'google-kms' | 'azure-key-vault'
  /** Prefix of a locked text. */
  readonly prefix: string
  /** 32 random bytes and the same under the service's key. @throws KeyServiceError */
  make(): Promise<{ readonly key: Uint8Array; readonly locked: string }>
  /** @throws KeyServiceError */
  unlock(locked: string): Promise<Uint8Array>
  /** The same under the newest version of the service's key. @throws KeyServiceError */
  relock(locked: string): Promise<string>
}

interface Locking extends Pick<KeyService, 'name' | 'prefix' | 'unlock'> {
  lock(key: Uint8Array): Promise<string>
}

/**
 * Of a service that neither makes keys nor locks anew by itself: a key is here for the time that takes, as it is in every
 * running process.
 */
export function lockingService({ lock, unlock, ...named }: Locking): KeyService {
  return {
    ...named,
    unlock,
    make: async () => {
      const key = randomBytes(32)
      return { key, locked: await lock(key) }
    },
    relock: async (locked) => lock(await unlock(locked)),
  }
}

/** Says in words for the operator what the service answered; holds nothing of a key or a token. */
export class KeyServiceError extends Error {
  /** Whether the service said no, and will again. */
  readonly final: boolean
  /** Its answer, where it answered. */
  readonly status: number | null

  constructor(what: string, { final, status = null, cause }: Why) {
    super(what, { cause })
    this.name = 'KeyServiceError'
    this.final = final
    this.status = status
  }
}

interface Why {
  readonly final: boolean
  readonly status?: number | null
  readonly cause?: unknown
}
