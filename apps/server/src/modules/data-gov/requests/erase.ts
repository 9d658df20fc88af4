/**
 * Erases a person: accounts by IAM, rows by the locators of the registry, and rows with personal content of others that
 * mention the person. A legal hold is part of each deleting statement. Every count is stored with its deletion, so that an
 * interrupted erasure goes on and counts right. Tested in erasure.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { identifier, join, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ResultLine, RunRow } from '../declared/retention-schema.ts'
import { runs } from '../declared/retention-tables.ts'
import { isErasable } from '../retention/registry.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { type Mention, slowly } from './search.ts'

export interface Person {
  readonly userIds: readonly string[]
  readonly aliases: readonly string[]
}

export interface Erasing {
  readonly tenantId: TenantId
  readonly runId: string
  readonly person: Person
}

/** Accounts, then rows that are the person's. */
export async function eraseOwned(services: DataGovServices, erasing: Erasing): Promise<void> {
  const { kernel, iam } = services
  const { tenantId, runId, person } = erasing
  for (const userId of person.userIds)
    await kernel.db.tenant({ tenantId }, async (tx) => {
      const removed = await iam.erasePerson(tx, userId)
      if (removed !== null) await noteResults(tx, runId, { ...removed, iam_user: 1 })
    })
  const blobs: string[] = []
  for (const table of kernel.tables.filter(isErasable)) {
    const condition = kernel.dataRegistry.locate(table.name, person, 'owned')
    if (condition === null || table.name === 'iam_user') continue
    const gone = await kernel.db.tenant({ tenantId }, async (tx) => {
      await slowly(tx)
      const named = await blobsOf(tx, table, sql`(${condition}) and ${notHeld(table)}`)
      const count = await tx.execute(sql`delete from ${table.from} where (${condition}) and ${notHeld(table)}`)
      for (const id of named) await kernel.blobs.release(tx, id)
      if (count > 0) await noteResults(tx, runId, { [table.name]: count })
      return named
    })
    blobs.push(...gone)
  }
  for (const id of blobs) await kernel.blobs.discard(tenantId, id)
}

async function blobsOf(tx: Tx, { blobs, from }: Table, condition: ReturnType<typeof sql>): Promise<readonly string[]> {
  const found: string[] = []
  for (const column of blobs) {
    const rows = await tx.query(sql<{ id: string }>`
      select ${identifier(column)} as id from ${from} where ${identifier(column)} is not null and ${condition}`)
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

const batch = 500

/** Rows of erasable tables that mention the person. */
export async function eraseMentions(
  { db }: Pick<Kernel, 'db'>,
  { tenantId, runId }: Erasing,
  mentions: readonly Mention[],
): Promise<void> {
  for (const { table, keys } of mentions.filter((one) => isErasable(one.table)))
    for (let at = 0; at < keys.length; at += batch)
      await db.tenant({ tenantId }, async (tx) => {
        await slowly(tx)
        const key = join(
          table.key.map((name) => sql`${identifier(name)}::text`),
          ', ',
        )
        const wanted = keys.slice(at, at + batch).map((one) => JSON.stringify(one))
        const count = await tx.execute(sql`
          delete from ${table.from}
          where to_jsonb(array[${key}]::text[]) = any(${wanted}::jsonb[]) and ${notHeld(table)}`)
        if (count > 0) await noteResults(tx, runId, { [table.name]: count })
      })
}

/** Adds to the counts of a run, in the transaction of the deletion. */
export async function noteResults(tx: Tx, runId: string, counts: Readonly<Record<string, number>>): Promise<void> {
  const run = await tx.first(
    sql<Pick<RunRow, 'results'>>`select results from data_gov_run where id = ${runId} for update`,
  )
  const sums = new Map((run?.results ?? []).map(({ table, rows }) => [table, rows]))
  for (const [table, rows] of Object.entries(counts)) sums.set(table, (sums.get(table) ?? 0) + rows)
  const results: ResultLine[] = [...sums].map(([table, rows]) => ({ table, rows }))
  await runs.patchVersion(tx, runId, { results })
}
