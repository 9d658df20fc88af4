/**
 * Proves that a backup can be restored: loads it into an embedded database of its own, in memory, and looks at what is
 * there. Promises that the running database is not touched. Tested in backup.test.ts.
 */
import { createChainVerifier } from '../audit/verify.ts'
import type { TenantId } from '../auth/actor.ts'
import type { SigningKeys } from '../crypto/port.ts'
import { openPglite } from '../db/adapters/pglite.ts'
import { createDatabase } from '../db/database.ts'
import { asOwner, script } from '../db/owner.ts'
import type { Driver } from '../db/port.ts'
import type { Schema } from '../db/prepare.ts'
import { identifier, sql } from '../db/sql.ts'
import type { Clock } from '../kernel.ts'
import { BackupRefused, type Loaded, loadBackup } from './load.ts'
import { isSigned } from './signature.ts'

export interface CheckInput {
  readonly lines: AsyncIterable<string>
  readonly schema: Schema
  readonly clock: Pick<Clock, 'iso' | 'after' | 'now'>
  readonly keys: Pick<SigningKeys, 'verify'>
}

export interface Checked {
  readonly tables: number
  readonly rows: number
  /** Chains that were recomputed. */
  readonly chains: number
}

/** @throws BackupRefused that names the check: row counts, foreign keys, row-level security, audit chains, signature */
export async function checkBackup(input: CheckInput): Promise<Checked> {
  const driver = await openPglite({ dataDir: null })
  try {
    // What the schema declares, row-level security with it, is checked when it is loaded.
    const loaded = await loadBackup({ ...input, driver })
    if (!isSigned(input.keys, loaded)) throw new BackupRefused('signature', 'it is not signed by this installation')
    await checkReferences(driver, loaded)
    await checkRows(driver, loaded)
    const chains = await checkChains(driver, input, loaded)
    const { parts } = loaded.manifest
    return { tables: parts.length, rows: parts.reduce((sum, { rows }) => sum + rows, 0), chains }
  } finally {
    await driver.close()
  }
}

async function checkRows(driver: Driver, { manifest }: Loaded): Promise<void> {
  for (const { table, rows } of manifest.parts) {
    const count = await countOf(driver, `select count(*)::int as count from ${identifier(table).text}`)
    // A migration that came after the backup may add rows of its own, never take any.
    if (count < rows) throw new BackupRefused('rows', `${table} has ${count} rows, not ${rows}`)
  }
}

async function countOf(driver: Driver, text: string): Promise<number> {
  const [row] = await asOwner(driver, (run) => run(script(text)))
  return Number(row?.count)
}

/** They were not looked at while rows came in; each is asked for rows that point nowhere. */
async function checkReferences(driver: Driver, { preface }: Loaded): Promise<void> {
  const references = await asOwner(driver, (run) => run(foreignKeys))
  for (const { name, child, parent, pairs, filled } of references) {
    // A tenant's backup has no rows of the tenants around it.
    if (preface.kind === 'tenant' && parent === 'iam_tenant') continue
    const lost = await countOf(
      driver,
      `select count(*)::int as count from ${child} c where ${filled} and not exists (select from ${parent} p where ${pairs})`,
    )
    if (lost > 0) throw new BackupRefused('foreign keys', `${lost} rows of ${child} break ${name}`)
  }
}

const foreignKeys = sql`
  select f.conname as name, f.conrelid::regclass::text as child, f.confrelid::regclass::text as parent,
    (select string_agg(format('p.%I = c.%I', b.attname, a.attname), ' and ')
     from unnest(f.conkey, f.confkey) as k(child, parent)
     join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.child
     join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.parent) as pairs,
    (select string_agg(format('c.%I is not null', a.attname), ' and ')
     from unnest(f.conkey) as k(child) join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.child) as filled
  from pg_constraint f
  where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.conparentid = 0
  order by 1`

async function checkChains(driver: Driver, { clock, keys }: CheckInput, { manifest }: Loaded): Promise<number> {
  const nothing = (): never => {
    throw new TypeError('a check leaves no records')
  }
  const recorders = { audit: nothing, event: nothing, job: nothing, change: nothing }
  const chain = createChainVerifier({ db: createDatabase({ driver, recorders }), clock, keys })
  for (const { tenant_id: tenantId, size, hash } of manifest.audit_heads) {
    const report = await chain.verify(tenantId as TenantId, { toSeq: size })
    const good = report.verified && report.head?.size === size && report.head.hash === hash
    if (!good) throw new BackupRefused('audit chains', `that of ${tenantId}: ${report.reason ?? 'another head'}`)
  }
  return manifest.audit_heads.length
}
