/**
 * Replaces everything the installation holds by a proven backup, in one transaction: however it ends, the state is the
 * old or the new one. A restore must not revert these, so they stay: the audit log, which only grows, the newest keys,
 * revocations, the list of backups, and the numbers of events. Nobody else reads or writes meanwhile. Tested in
 * the admin module's backups.test.ts and replace.test.ts.
 */
import { platformTenant } from '../access/platform-tenant.ts'
import { DatabaseError } from '../db/errors.ts'
import { nestedDatabase } from '../db/nested.ts'
import { asOwnerSession, type OwnerRun, script } from '../db/owner.ts'
import type { Database, Driver, Session } from '../db/port.ts'
import type { Recorders } from '../db/recorders.ts'
import { identifier, sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import { BackupRefused } from './refused.ts'
import { insertRows, leftOut, pagesOf, readTypes, type Types } from './rows.ts'
import { unguarded } from './unguarded.ts'

export interface Swap {
  readonly from: Driver
  readonly into: Driver
  readonly tables: readonly Table[]
  readonly recorders: Recorders
  /** Tenants whose audit log is taken from the backup; all others keep theirs. */
  readonly chainsOfBackup: readonly string[]
  /** The job that asked; its row is kept. */
  readonly jobId: string
  /** Writes into the new state, in the same transaction. */
  readonly conclude: (db: Database) => Promise<void>
}

/** Of the audit log: kept, but where the chain is not good any more. */
const auditTables = new Set([
  ...['audit_entry', 'audit_pending', 'audit_seal', 'audit_checkpoint', 'audit_personal'],
  ...['audit_delivery', 'audit_cut'],
])

/** Rows that were there are added again where the backup has none of their key. */
const added = new Set(['tenant_data_key'])

/** Read after the new rows are there; `was_<table>` has what was there before. */
const remembered = ['tenant_data_key', 'event_head', 'event_position', 'job'] as const

const mostAttempts = 3
/** A statement that is running, which ends by itself, was in the way, or waited for us while we waited for it. */
const busy = new Set(['55P03', '40P01'])
/** Values and constraints, by SQLSTATE; everything else is no fault of the backup. */
const content = /^2[23]/

/** @throws BackupRefused for rows the database refuses, DatabaseError */
export async function swapIn(swap: Swap): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await asOwnerSession(swap.into, (run, session) => replaceAll(swap, run, session))
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      if (content.test(error.code)) throw new BackupRefused('rows', `the database refuses one (${error.code})`, error)
      if (!busy.has(error.code) || attempt >= mostAttempts) throw error
    }
  }
}

async function replaceAll(swap: Swap, run: OwnerRun, session: Session): Promise<void> {
  const names = swap.tables.map(({ name }) => identifier(name).text)
  await run(script(`set local lock_timeout = '20s'; set local statement_timeout = 0`))
  await run(script('set local idle_in_transaction_session_timeout = 0'))
  await run(script(`lock table ${names.join(', ')} in access exclusive mode`))
  await unguarded(run, async () => {
    await remember(run)
    await clear(swap, run)
    await copyAll(swap, run)
    await settle(swap, run)
  })
  await swap.conclude(nestedDatabase(swap.into.kind, session, swap.recorders))
}

async function remember(run: OwnerRun): Promise<void> {
  for (const name of remembered)
    await run(script(`create temp table was_${name} on commit drop as select * from ${name}`))
}

async function clear({ tables, chainsOfBackup }: Swap, run: OwnerRun): Promise<void> {
  const gone = tables.filter(({ name, outlivesRestore }) => !outlivesRestore && !auditTables.has(name))
  await run(script(`truncate ${gone.map(({ name }) => identifier(name).text).join(', ')}`))
  for (const name of auditTables)
    await run(sql`delete from ${identifier(name)} where tenant_id = any(${[...chainsOfBackup]}::uuid[])`)
}

async function copyAll(swap: Swap, run: OwnerRun): Promise<void> {
  const types = await readTypes(run)
  await asOwnerSession(swap.from, async (_, from) => {
    for (const table of swap.tables) if (!table.outlivesRestore) await copy(swap, { run, from, table, types })
  })
}

interface Copy {
  readonly run: OwnerRun
  readonly from: Session
  readonly table: Table
  readonly types: Types
}

async function copy({ chainsOfBackup }: Swap, { run, from, table, types }: Copy): Promise<void> {
  const columns = Object.keys(table.row.properties).filter((name) => !leftOut.has(name))
  const place = columns.indexOf('tenant_id')
  const wanted = new Set(chainsOfBackup)
  for await (const page of pagesOf(from, { table: table.name, columns })) {
    const rows = auditTables.has(table.name) ? page.filter((row) => wanted.has(row[place] ?? '')) : page
    await insertRows(run, { table: table.name, columns, types, rows })
  }
}

/** Tenants that are there now; the installation's own has keys only once it keeps a secret. */
const present = sql`(select tenant_id from tenant_data_key union select ${platformTenant}::uuid)`

async function settle({ jobId }: Swap, run: OwnerRun): Promise<void> {
  for (const name of added)
    await run(sql`
      insert into ${identifier(name)} select * from ${identifier(`was_${name}`)}
      where tenant_id in ${present} on conflict do nothing`)
  // Event numbers are never reused: a reader past a number would skip a new event that has it.
  await run(sql`update event_head set position = greatest(position, (select max(position) from was_event_head))`)
  await run(sql`
    insert into event_position as p (tenant_id, channel, sequence)
    select tenant_id, channel, sequence from was_event_position where tenant_id in ${present}
    on conflict (tenant_id, channel) do update set sequence = greatest(p.sequence, excluded.sequence)`)
  await run(sql`update handler_position set owner = null, lease_until = null`)
  // Their workers are gone; the jobs are taken up again.
  await run(sql`update job set lease_until = clock_timestamp() where status = 'running'`)
  await run(sql`insert into job select * from was_job where id = ${jobId} on conflict do nothing`)
  // The owner of the values no longer exists.
  await run(sql`delete from audit_personal where tenant_id not in ${present}`)
}
