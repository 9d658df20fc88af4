/**
 * Common parts of the cache's tests: a tenant with a provider on a local port, and calls that may be answered from the
 * cache.
 */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type CacheEntryRow, cacheEntries } from '../cache/kept/tables.ts'
import { onlyPolicy } from './policies.ts'
import { addProvider, ask } from './support.ts'
import { openUpstream, say, type Upstream } from './upstream.ts'

/** The cache is off until a policy turns it on. */
export const cached = { cache: { mode: 'exact' } } as const

export async function tenantWithProvider(world: World, slug: string, upstream: Upstream): Promise<TestTenant> {
  const tenant = await world.tenant(slug)
  await addProvider(tenant.admin, 'local', upstream)
  await onlyPolicy(tenant, cached)
  return tenant
}

export interface CacheWorld {
  readonly world: World
  readonly upstream: Upstream
  readonly tenant: TestTenant
}

/** One world for a file, and before each of its tests a tenant of its own whose provider says hello. */
export function useCacheWorld(slug: string, take: (made: CacheWorld) => void): void {
  let world: World
  let upstream: Upstream
  let number = 0
  beforeAll(async () => {
    world = await openWorld()
    upstream = await openUpstream()
  })
  afterAll(async () => {
    await world?.close()
    await upstream?.close()
  })
  beforeEach(async () => {
    number += 1
    const tenant = await tenantWithProvider(world, `${slug}-${number}`, upstream)
    upstream.reply(say('Hello.'))
    upstream.received.length = 0
    take({ world, upstream, tenant })
  })
}

/** Cache status of a call that has to succeed. */
export async function cacheOf(client: TestClient, content: string, over: object = {}): Promise<string> {
  return expectStatus(await ask(client, content, { cache: undefined, ...over }), 200).body.data.cache
}

export function entriesOf(world: World, { id }: TestTenant): Promise<readonly CacheEntryRow[]> {
  return world.kernel.db.read(
    id,
    sql<CacheEntryRow>`select ${cacheEntries.columns} from gateway_cache_entry order by created_at`,
  )
}

/** Waits for the cache entries that are stored after an answer has left. */
export async function untilKept(world: World, tenant: TestTenant, count: number): Promise<readonly CacheEntryRow[]> {
  for (;;) {
    const found = await entriesOf(world, tenant)
    if (found.length >= count) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A client with an API key of the tenant. */
export async function withKey({ admin }: TestTenant, name: string) {
  const made = expectStatus(await admin.post('/iam/api-keys', { name, scopes: ['gateway:write'] }), 201).body.data
  return { client: admin.with(made.secret), id: made.id as string }
}
