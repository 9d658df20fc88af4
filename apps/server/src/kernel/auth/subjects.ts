/**
 * Knowledge of the identity module about subjects and keys, held in memory for at most a minute and dropped the moment
 * it changes. A source that cannot answer is API-009: old knowledge admits no caller. Tested in authenticate.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import { apiErrors } from '../errors/errors.ts'
import { ProblemError } from '../errors/problem.ts'
import type { ChangeSource } from '../live/changes.ts'
import { createFreshCache } from './fresh-cache.ts'
import type { IdentitySource, StoredApiKey, SubjectRights } from './port.ts'
import { revokedTopic } from './revocation.ts'

export interface Subjects {
  start(): void
  stop(): void
  isSetUp(): boolean
  /** @throws API-009 before the installation is set up. */
  source(): IdentitySource
  /** Rights in memory; the subject is `tenant/user`. */
  heldRights(subject: string): SubjectRights | undefined
  heldKey(keyId: string): StoredApiKey | undefined
  /** @throws API-009 */
  rights(subject: string, from: 'memory' | 'source'): SubjectRights | null | Promise<SubjectRights | null>
  key(keyId: string, from: 'memory' | 'source'): StoredApiKey | null | Promise<StoredApiKey | null>
  /** The key's own twelve characters by its row id, of keys used in this process. */
  keyIdOf(rowId: string): string | undefined
}

export const rightsTopic = 'auth.rights'

const longestAgeMs = 60_000
const subjectsHeld = 50_000
const keysHeld = 20_000

function rightsCache(now: Clock['now'], source: () => IdentitySource) {
  return createFreshCache<SubjectRights>({
    capacity: subjectsHeld,
    maxAgeMs: longestAgeMs,
    now,
    load: (subject) => {
      const [tenantId = '', userId = ''] = subject.split('/')
      return answered(source().rights(tenantId as TenantId, userId))
    },
  })
}

/** Notes the id of each key it reads, by the id of its row. */
function keyCache(now: Clock['now'], source: () => IdentitySource, keyIds: Map<string, string>) {
  return createFreshCache<StoredApiKey>({
    capacity: keysHeld,
    maxAgeMs: longestAgeMs,
    now,
    load: async (keyId) => {
      const key = await answered(source().apiKey(keyId))
      if (key !== null) remember(keyIds, key.id, keyId)
      return key
    },
  })
}

export function createSubjects(parts: {
  readonly clock: Pick<Clock, 'now'>
  readonly changes: ChangeSource
  readonly identity: () => IdentitySource
}): Subjects {
  const stops: (() => void)[] = []
  const keyIds = new Map<string, string>()
  const source = (): IdentitySource => {
    const identity = parts.identity()
    if (!identity.isSetUp()) throw apiErrors.unavailable({ what: 'This installation has not been set up yet.' })
    return identity
  }
  const rights = rightsCache(parts.clock.now, source)
  const keys = keyCache(parts.clock.now, source, keyIds)
  const dropKey = (rowId: string): void =>
    keys.dropWhere((_, key) => key.id === rowId || (key.ancestors?.some(({ id }) => id === rowId) ?? false))
  const dropTenants = (tenants: readonly string[]): void =>
    rights.dropWhere((subject) => tenants.some((tenantId) => subject.startsWith(`${tenantId}/`)))
  const dropRights = (key: string, tenantId: string): void => {
    const [kind = '', id = ''] = key.split(':')
    if (kind === 'key') dropKey(id)
    else if (id === '') rights.drop(`${tenantId}/${key}`)
    else dropTenants(kind === 'tenant' ? [tenantId, id] : [tenantId])
  }

  return {
    start: () => {
      stops.push(
        parts.changes.on(rightsTopic, (key, _, tenantId) => dropRights(key, tenantId)),
        parts.changes.on(revokedTopic, (subject, data) => {
          if (data.scope === 'key') dropKey(subject)
        }),
      )
    },
    stop: () => {
      for (const stop of stops.splice(0)) stop()
    },
    isSetUp: () => parts.identity().isSetUp(),
    source,
    heldRights: rights.get,
    heldKey: keys.get,
    rights: (subject, from) => {
      if (from === 'source') rights.drop(subject)
      return rights.get(subject) ?? rights.fetch(subject)
    },
    key: (keyId, from) => {
      if (from === 'source') keys.drop(keyId)
      return keys.get(keyId) ?? keys.fetch(keyId)
    },
    keyIdOf: (rowId) => keyIds.get(rowId),
  }
}

function remember(keyIds: Map<string, string>, rowId: string, keyId: string): void {
  keyIds.delete(rowId)
  keyIds.set(rowId, keyId)
  const oldest = keyIds.size > keysHeld ? keyIds.keys().next().value : undefined
  if (oldest !== undefined) keyIds.delete(oldest)
}

async function answered<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw apiErrors.unavailable({ what: 'Credentials cannot be checked at the moment.' }).causedBy(error)
  }
}
