/**
 * Erasures outlive backups: the ledger stays when a backup takes the place of everything else. At the start of the program,
 * rows that a restore has brought back are looked for by the keyed hashes of their identifiers and erased again, before the
 * program answers. Accounts are IAM's to erase again. Tested in erasure.test.ts and, with a restore, in test/data-gov.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import { identifier, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../../kernel/db/table.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import { keyOf } from '../consent/memory.ts'
import { setStatus } from '../consent/record.ts'
import type { ErasureRow } from '../declared/retention-schema.ts'
import { erasures } from '../declared/retention-tables.ts'
import { isErasable } from '../retention/registry.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { replayMentions } from './replay-mentions.ts'

const pageRows = 1_000

export function createErasureReplay(services: DataGovServices): Activity {
  return {
    name: 'data_gov.erasures',
    start: async () => {
      let rows = 0
      for (const tenantId of await services.kernel.tenants()) rows += await replayErasures(services, tenantId)
      if (rows > 0)
        services.kernel.log.warn({ rows }, 'rows of erased people that a restore had brought back were erased again')
    },
    stop: async () => undefined,
  }
}

/** Gives how many rows went. */
export async function replayErasures(services: DataGovServices, tenantId: TenantId): Promise<number> {
  const { kernel } = services
  const ledger = await kernel.db.read(tenantId, sql<ErasureRow>`select ${erasures.columns} from data_gov_erasure`)
  if (ledger.length === 0) return 0
  const hashes = new Set(ledger.flatMap((row) => row.hashes))
  const userIds = [...new Set(ledger.flatMap(({ user_ids: ids }) => ids))]
  let count = 0
  for (const table of kernel.tables.filter(isErasable)) {
    const aliases = await erasedAliases(services, tenantId, { table, hashes })
    const condition = kernel.dataRegistry.locate(table.name, { userIds, aliases }, 'owned')
    if (condition === null) continue
    count += await kernel.db.tenant({ tenantId }, (tx) =>
      tx.execute(sql`delete from ${table.from} where (${condition}) and ${notHeld(table)}`),
    )
  }
  await restoreStatus(services, tenantId, ledger)
  count += await replayMentions(services, tenantId)
  if (count > 0)
    await kernel.db.tenant({ tenantId }, (tx) =>
      tx.execute(sql`update data_gov_erasure set replayed_at = ${kernel.clock.iso()}`),
    )
  return count
}

interface Aliases {
  readonly table: Table
  readonly hashes: ReadonlySet<string>
}

/** Values of alias columns whose keyed hash is one of the ledger. */
async function erasedAliases(
  { kernel, hashOf }: DataGovServices,
  tenantId: TenantId,
  { table, hashes }: Aliases,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const { column } of table.data.aliases ?? [])
    for (let after = ''; ; ) {
      const name = identifier(column)
      const rows = await kernel.db.read(
        tenantId,
        sql<{ value: string }>`
          select distinct ${name} as value from ${table.from} where ${name} > ${after} order by 1 limit ${pageRows}`,
      )
      for (const { value } of rows) if (hashes.has(await hashOf(tenantId, keyOf(value)))) found.push(value)
      after = rows.at(-1)?.value ?? ''
      if (rows.length < pageRows) break
    }
  return found
}

/** An older state of the ledger of consents would allow what was forbidden since. */
async function restoreStatus(
  { kernel }: DataGovServices,
  tenantId: TenantId,
  ledger: readonly ErasureRow[],
): Promise<void> {
  const ids = ledger.flatMap(({ subject_id: id }) => id ?? [])
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const back = await tx.query(sql<{ id: string }>`
      select id from data_gov_subject where id = any(${ids}::uuid[]) and status <> 'erased'`)
    for (const { id } of back) await setStatus(tx, id, 'erased')
  })
}
