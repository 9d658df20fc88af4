/**
 * Whether the key-encryption key does its work and would be there at the next start: it opens the newest keys that are
 * stored, and where it is kept it still is. Promises to make no file and to tell nothing about the key. Tested in health.test.ts.
 */

import type { Random } from '../../crypto/random.ts'
import { createKeyWrap } from '../../crypto/wrapping.ts'
import type { Database } from '../../db/port.ts'
import { sql } from '../../db/sql.ts'
import type { Finding, HealthCheck } from '../../health/checks.ts'
import { tenantWrapId, tenantWrapKind } from '../keys.ts'
import type { KekProvider, KekState } from './load.ts'

export interface KekCheckParts {
  readonly provider: Pick<KekProvider, 'name' | 'state'>
  readonly kek: Uint8Array
  readonly nextKek: Uint8Array | null
  readonly random: Pick<Random, 'bytes'>
  readonly db: Pick<Database, 'system'>
}

interface Wrapped {
  readonly tenant_id: string
  readonly version: number
  readonly wrapped: Uint8Array
}

export function kekCheck(parts: KekCheckParts): HealthCheck {
  const { provider, kek, nextKek, random, db } = parts
  const wrap = createKeyWrap(kek, random, nextKek)
  const run = async (): Promise<Finding> => {
    const kept = await provider.state(kek)
    const stored = await db.system('health of the key-encryption key', (tx) =>
      tx.query(sql<Wrapped>`select tenant_id, version, wrapped from tenant_data_key order by created_at desc limit 10`),
    )
    for (const { tenant_id: tenant, version, wrapped } of stored)
      wrap.unwrap(tenantWrapKind, tenantWrapId(tenant, version), wrapped)
    const observed = { source: provider.name, kept, keys_opened: stored.length, being_replaced: nextKek !== null }
    return { status: verdicts[kept], observed }
  }
  return { name: 'key_encryption_key', timeoutMs: 20_000, everyMs: 60_000, run }
}

/** Without it, or with another one, the next start could open nothing; a service that is away may be back by then. */
const verdicts: Readonly<Record<KekState, Finding['status']>> = {
  kept: 'pass',
  unreachable: 'warn',
  missing: 'fail',
  another: 'fail',
  refused: 'fail',
}
