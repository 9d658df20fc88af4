/**
 * Proves that a backup can be restored: loads it into an embedded database of its own and inspects it. Promises that
 * the running database is not touched, and that the caller can use the proven database as long as it holds it. Tested
 * in the admin module's backups.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import { createChainVerifier } from '../audit/verify.ts'
import type { Clock } from '../base/clock.ts'
import { createDatabase } from '../db/database.ts'
import { asOwner } from '../db/owner.ts'
import type { Database, Driver } from '../db/port.ts'
import type { Recorders } from '../db/recorders.ts'
import type { Schema } from '../db/schema/prepare.ts'
import { identifier, sql } from '../db/sql.ts'
import type { SigningKeys } from '../keys/port.ts'
import { type Loaded, loadBackup } from './load.ts'
import { BackupRefused } from './refused.ts'
import { type ScratchParts, withScratch } from './scratch.ts'
import { isSigned } from './signature.ts'

export interface CheckInput {
  readonly lines: AsyncIterable<string>
  readonly schema: Schema
  readonly clock: Pick<Clock, 'iso' | 'after' | 'now'>
  readonly keys: Pick<SigningKeys, 'verify'>
  readonly scratch: ScratchParts
  /** Of the file; null if unknown. */
  readonly bytes: number | null
}

export interface Checked {
  readonly tables: number
  readonly rows: number
  /** Chains that were recomputed. */
  readonly chains: number
}

/** A backup in a database of its own, with every check passed. */
export interface Proven {
  readonly driver: Driver
  /** Keeps no records: the caller records the outcome in the real database. */
  readonly db: Database
  readonly loaded: Loaded
  readonly checked: Checked
}

/** @throws BackupRefused that names the check: row counts, foreign keys, row-level security, audit chains, signature */
export async function checkBackup(input: CheckInput): Promise<Checked> {
  return withProven(input, async ({ checked }) => checked)
}

/** As `checkBackup`; the database is there until `work` ends. */
export async function withProven<T>(input: CheckInput, work: (proven: Proven) => Promise<T>): Promise<T> {
  return withScratch(input.scratch, input.bytes, async (driver) => {
    // The schema's declarations, row-level security included, are checked when they are loaded, and so are foreign
    // keys.
    const loaded = await loadBackup({ ...input, driver })
    if (!isSigned(input.keys, loaded)) throw new BackupRefused('signature', 'it is not signed by this installation')
    const db = createDatabase({ driver, recorders: silent })
    await checkRows(driver, loaded)
    const chains = await checkChains(db, input, loaded)
    const { parts } = loaded.manifest
    const checked = { tables: parts.length, rows: parts.reduce((sum, { rows }) => sum + rows, 0), chains }
    return work({ driver, db, loaded, checked })
  })
}

const nothing = () => sql`select 1`
const silent: Recorders = {
  audit: nothing,
  event: nothing,
  job: nothing,
  cancel: nothing,
  cancelled: nothing,
  change: nothing,
}

async function checkRows(driver: Driver, { manifest }: Loaded): Promise<void> {
  for (const { table, rows } of manifest.parts) {
    const [row] = await asOwner(driver, (run) => run(sql`select count(*)::int as count from ${identifier(table)}`))
    const count = Number(row?.count)
    // A migration that came after the backup may add rows of its own, never take any.
    if (count < rows) throw new BackupRefused('rows', `${table} has ${count} rows, not ${rows}`)
  }
}

async function checkChains(db: Database, { clock, keys }: CheckInput, { manifest }: Loaded): Promise<number> {
  const chain = createChainVerifier({ db, clock, keys })
  for (const { tenant_id: tenantId, size, hash } of manifest.audit_heads) {
    const report = await chain.verify(tenantId as TenantId, { toSeq: size })
    const good = report.verified && report.head?.size === size && report.head.hash === hash
    if (!good) throw new BackupRefused('audit chains', `that of ${tenantId}: ${report.reason ?? 'another head'}`)
  }
  return manifest.audit_heads.length
}
