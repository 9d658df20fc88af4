/**
 * Rows that only mention an erased person, such as prompts of others, which a restore has brought back. They are looked for
 * by the keyed hashes of the ledger in the text of rows and in opened values. The run of the erasure is the mark of the
 * database that this was done: a restored one does not have it, or not as completed. Tested in test/data-gov.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { identifier, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ErasureRow } from '../declared/retention-schema.ts'
import { erasures, runs } from '../declared/retention-tables.ts'
import { isErasable } from '../retention/registry.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { eraseMentions } from './erase.ts'
import { candidatesIn } from './hashed-words.ts'
import { newRun, runAction } from './intake.ts'
import { keysOf, type Mention, opened, type SealedRow, slowly } from './search.ts'

const pageRows = 200

/** Gives how many rows went. */
export async function replayMentions(services: DataGovServices, tenantId: TenantId): Promise<number> {
  const { kernel } = services
  const open = await kernel.db.read(
    tenantId,
    sql<ErasureRow>`
      select ${erasures.columns} from data_gov_erasure erasure
      where certificate_sha256 is not null and not exists (
        select from data_gov_run run where run.id = erasure.run_id and run.status in ('completed', 'partial'))`,
  )
  const [first] = open
  if (first === undefined) return 0
  for (const row of open) await reopen(kernel, tenantId, row)
  const mentions = await mentionsOf(services, tenantId, open)
  // All are noted at one of the runs: a row that mentions two people goes once.
  await eraseMentions(kernel, { tenantId, runId: first.run_id, person: { userIds: [], aliases: [] } }, mentions)
  for (const row of open) await close(kernel, tenantId, row)
  return mentions.reduce((sum, { keys }) => sum + keys.length, 0)
}

const reason = 'Erased before, and erased again after a restore'

/** A crash before the end finds it open again. */
function reopen(kernel: Kernel, tenantId: TenantId, { run_id: id, created_at: at }: ErasureRow): Promise<void> {
  return kernel.db.tenant({ tenantId }, async (tx) => {
    if ((await runs.get(tx, id)) !== null) return
    const row = {
      ...newRun(kernel, tx, id),
      ...{ kind: 'subject_request' as const, request_type: 'erasure' as const, received_at: at, due_at: at, reason },
      status: 'in_progress' as const,
    }
    await runs.insert(tx, row)
  })
}

function close(kernel: Kernel, tenantId: TenantId, { run_id: id }: ErasureRow): Promise<void> {
  return kernel.db.tenant({ tenantId }, async (tx) => {
    const run = await runs.needForUpdate(tx, id)
    const at = run.due_at < kernel.clock.iso() ? run.due_at : kernel.clock.iso()
    await runs.patchVersion(tx, id, { status: 'completed', completed_at: at, reason, sealed_aliases: null })
    await tx.audit(runAction, { target: `data_gov_run:${id}`, after: { status: 'completed', replayed: true } })
  })
}

interface Hashed {
  readonly hashes: ReadonlySet<string>
  readonly lengths: ReadonlySet<number>
}

async function mentionsOf(
  services: DataGovServices,
  tenantId: TenantId,
  ledger: readonly ErasureRow[],
): Promise<readonly Mention[]> {
  const isOld = ledger.some(({ lengths }) => lengths.length === 0)
  const wanted: Hashed = {
    hashes: new Set(ledger.flatMap(({ hashes }) => hashes)),
    lengths: new Set(isOld ? [] : ledger.flatMap(({ lengths }) => lengths)),
  }
  const found: Mention[] = []
  for (const table of services.kernel.tables.filter((one) => isErasable(one) && one.key.length > 0)) {
    const keys = await keysIn(services, tenantId, { table, wanted })
    if (keys.length > 0) found.push({ table, keys })
  }
  return found
}

interface Looking {
  readonly table: Table
  readonly wanted: Hashed
}

interface TextRow {
  readonly keys: readonly string[]
  readonly place: string
  readonly text: string
}

async function keysIn(services: DataGovServices, tenantId: TenantId, { table, wanted }: Looking) {
  const found: (readonly string[])[] = []
  const place = sql`${keysOf(table)}::text`
  for (let after = ''; ; ) {
    const page = await services.kernel.db.tenant({ tenantId, readOnly: true }, async (tx) => {
      await slowly(tx)
      return tx.query(sql<TextRow>`
        select ${keysOf(table)} as keys, ${place} as place, searched::text as text from ${table.from} as searched
        where ${place} > ${after} order by ${place} limit ${pageRows}`)
    })
    for (const row of page) if (await holdsHash(services, tenantId, { text: row.text, wanted })) found.push(row.keys)
    after = page.at(-1)?.place ?? ''
    if (page.length < pageRows) break
  }
  return [...found, ...(await sealedKeysIn(services, tenantId, { table, wanted }))]
}

async function sealedKeysIn(services: DataGovServices, tenantId: TenantId, { table, wanted }: Looking) {
  const { kernel } = services
  const found: (readonly string[])[] = []
  for (const sealed of kernel.sealed.filter((one) => one.table === table.name)) {
    const [column, rowId] = [identifier(sealed.column), identifier(sealed.rowId ?? 'id')]
    for (let after = ''; ; ) {
      const page = await kernel.db.read(
        tenantId,
        sql<SealedRow>`
          select ${keysOf(table)} as keys, ${rowId}::text as place, ${column} as value from ${table.from}
          where ${column} is not null and ${rowId}::text > ${after} order by ${rowId}::text limit ${pageRows}`,
      )
      for (const row of page) {
        const text = await opened(kernel, tenantId, { sealed, row })
        if (await holdsHash(services, tenantId, { text, wanted })) found.push(row.keys)
      }
      after = page.at(-1)?.place ?? ''
      if (page.length < pageRows) break
    }
  }
  return found
}

interface Text {
  readonly text: string
  readonly wanted: Hashed
}

async function holdsHash({ hashOf }: DataGovServices, tenantId: TenantId, { text, wanted }: Text): Promise<boolean> {
  for (const candidate of candidatesIn(text, wanted.lengths))
    if (wanted.hashes.has(await hashOf(tenantId, candidate))) return true
  return false
}
