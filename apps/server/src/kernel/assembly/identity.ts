/** Identities and their proofs: the keys of tenants, of signatures and of passwords, and sign-in, which uses them. */

import { createAuth } from '../auth/authenticate.ts'
import type { IdentitySource } from '../auth/port.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/load.ts'
import type { Random } from '../crypto/random.ts'
import type { Database } from '../db/port.ts'
import { createKeyAdministration } from '../keys/administration.ts'
import type { KekProvider } from '../keys/kek/load.ts'
import { createKeyUses } from '../keys/key-uses.ts'
import { createTenantKeys } from '../keys/keys.ts'
import { createPeppers } from '../keys/peppers.ts'
import type { PlatformKeys } from '../keys/port.ts'
import { createSigningKeys } from '../keys/signing.ts'
import type { LocalLiveFeed } from '../live/feed.ts'
import type { Logger } from '../observe/log.ts'

interface IdentityInput {
  readonly config: Pick<Config, 'publicUrl'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly kek: Uint8Array
  readonly nextKek?: Uint8Array | null
  readonly kekProvider?: Pick<KekProvider, 'relock'>
  readonly root?: Uint8Array
}

interface IdentityUse {
  readonly db: Database
  readonly live: LocalLiveFeed
  readonly platformKeys: PlatformKeys
  readonly identity: () => IdentitySource
}

/** Each reads its keys when it is started, not here. */
export function identityParts(
  { config, clock, random, log, kek, nextKek = null, kekProvider, root = kek }: IdentityInput,
  { db, live, platformKeys, identity }: IdentityUse,
) {
  const failed = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} failed`)
  const uses = createKeyUses({ db, clock, failed: failed('writing the uses of keys') })
  const shared = { db, clock, random, changes: live, uses }
  const tenantKeys = createTenantKeys({ ...shared, kek, nextKek })
  const signingKeys = createSigningKeys({ ...shared, kek, nextKek, failed: failed('reading signing keys') })
  const peppers = createPeppers({ ...shared, platformKeys, kek, nextKek, failed: failed('reading peppers') })
  const keys = createKeyAdministration({
    ...{ db, kek, nextKek, root, random, tenantKeys, signingKeys, peppers, uses },
    relock: kekProvider?.relock ?? null,
  })
  const auth = createAuth({
    ...shared,
    keys: signingKeys,
    platformKeys,
    identity,
    publicUrl: config.publicUrl,
    failed: failed('reading revocations'),
  })
  return { keyUses: uses, tenantKeys, signingKeys, peppers, keys, auth }
}
