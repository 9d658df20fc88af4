/**
 * Replaces everything that the installation holds by a backup: proven, prepared, then swapped in. Every instance, this
 * one too, is told by the change feed and restarts, because its memory holds the old state. The log of a tenant
 * continues as it was, so that a restore hides nothing; only a damaged log is taken from the backup. Tested in
 * the admin module's replace.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import { platformTenant } from '../access/platform-tenant.ts'
import type { ChainVerifier } from '../audit/verify.ts'
import type { Database } from '../db/port.ts'
import type { Recorders } from '../db/recorders.ts'
import { json, sql } from '../db/sql.ts'
import { createTenantKeys } from '../keys/keys.ts'
import type { TenantKeys } from '../keys/port.ts'
import type { BackupParts } from './backups.ts'
import { type Checked, type CheckInput, type Proven, withProven } from './check.ts'
import { BackupRefused } from './refused.ts'
import type { AuditHead, Preface } from './snapshot.ts'
import { swapIn } from './swap.ts'

/** Topic of the change feed: everything in the database is another one now. */
export const replacedTopic = 'installation.replaced'

export interface Replacing extends BackupParts {
  readonly chain: Pick<ChainVerifier, 'verify'>
  /** Recorders without notification: their records do not exist before the swap. */
  readonly recorders: Recorders
}

/** The state of a backup in a database of its own, before anybody sees it. */
export interface RestoredState {
  readonly db: Database
  readonly tenantKeys: TenantKeys
  readonly preface: Preface
  readonly tenants: readonly TenantId[]
}

export interface Replacement<T extends object> {
  readonly id: string
  /** The job that asked; it is done when the new state is there. */
  readonly job: { readonly id: string; readonly tenantId: TenantId }
  /** Changes what was proven; its answer is for `conclude`. */
  readonly prepare: (state: RestoredState) => Promise<T>
  /** Writes into the new state, in the transaction that makes it; answers the result of the job. */
  readonly conclude: (db: Database, facts: Replaced & T) => Promise<Readonly<Record<string, unknown>>>
  readonly done: (fraction: number) => Promise<void>
}

export interface Replaced extends Checked {
  readonly madeAt: string
  readonly tenants: readonly TenantId[]
  /** Tenants whose log was damaged and is the backup's now. */
  readonly chainsOfBackup: readonly string[]
}

/** @throws BackupRefused; nothing has changed then */
export async function replaceAll<T extends object>(
  parts: Replacing,
  check: CheckInput,
  replacement: Replacement<T>,
): Promise<void> {
  await withProven(check, async (proven) => {
    const { preface, manifest } = proven.loaded
    if (preface.kind !== 'full') throw new BackupRefused('kind', 'it is of one tenant')
    await replacement.done(0.4)
    const state = await stateOf(parts, proven)
    if (!state.tenants.includes(replacement.job.tenantId))
      throw new BackupRefused('tenant', 'it does not know the tenant it was asked from')
    const prepared = await replacement.prepare(state)
    await replacement.done(0.6)
    const chainsOfBackup = await damaged(parts, manifest.audit_heads)
    await replacement.done(0.7)
    const tenants = await tenantsIn(proven.db)
    const facts = { ...proven.checked, madeAt: preface.created_at, tenants, chainsOfBackup, ...prepared }
    await swapIn({
      from: proven.driver,
      into: parts.driver,
      tables: parts.schema.tables,
      recorders: parts.recorders,
      chainsOfBackup,
      jobId: replacement.job.id,
      conclude: (db) => conclude(parts, db, { replacement, facts }),
    })
  })
}

export async function stateOf(parts: BackupParts, { db, loaded }: Proven): Promise<RestoredState> {
  const changes = { on: () => () => undefined }
  const tenantKeys = createTenantKeys({ ...parts, db, changes })
  await tenantKeys.start()
  return { db, tenantKeys, preface: loaded.preface, tenants: await tenantsIn(db) }
}

async function tenantsIn(db: Database): Promise<readonly TenantId[]> {
  const rows = await db.system('tenants of a backup', (tx) =>
    tx.query(sql<{ id: TenantId }>`
      select distinct tenant_id as id from tenant_data_key where tenant_id <> ${platformTenant} order by 1`),
  )
  return rows.map(({ id }) => id)
}

/** A log that is whole and begins with the backup's is the same one, further on. */
async function damaged({ chain }: Replacing, heads: readonly AuditHead[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const { tenant_id: id, size, hash } of heads) {
    const beginning = await chain.verify(id as TenantId, { toSeq: size })
    const isSame = beginning.verified && beginning.head?.size === size && beginning.head.hash === hash
    const rest = isSame ? await chain.verify(id as TenantId, { fromSeq: size + 1 }) : null
    if (rest === null || (!rest.verified && rest.reason !== 'unsealed')) found.push(id)
  }
  return found
}

interface Conclusion<T extends object> {
  readonly replacement: Replacement<T>
  readonly facts: Replaced & T
}

async function conclude<T extends object>(
  { clock }: Replacing,
  db: Database,
  { replacement: { id, job, ...own }, facts }: Conclusion<T>,
): Promise<void> {
  const result = json(await own.conclude(db, facts))
  await db.tenant({ tenantId: job.tenantId }, (tx) =>
    tx.execute(sql`
      update job set status = 'done', progress = 1, lease_until = null, finished_at = ${clock.iso()}, result = ${result}::jsonb
      where id = ${job.id}`),
  )
  await db.tenant({ tenantId: platformTenant }, (tx) => tx.announce(replacedTopic, id))
}
