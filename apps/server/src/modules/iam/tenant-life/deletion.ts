/**
 * Deletes a tenant after a grace period: its data keys first, so that everything encrypted is gone at once, then its
 * rows, table by table. A tombstone remains with the tenant's id, the seals and checkpoints of its audit log, and the
 * entries in the log of the tenant above. Nothing starts while a legal hold is on. The work can stop anywhere and is
 * resumed. Backups, files of encrypted exports and traffic logs kept elsewhere are not reached; their keys are.
 * Append-only tables (prices, spending, trust scores) keep their rows and the rows they refer to, which the
 * log of the tenant above lists. Tested in tenant-life.test.ts and legal-hold.test.ts.
 */
import { legalHoldOf } from '../../../kernel/audit/legal-hold.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import { DatabaseError } from '../../../kernel/db/errors.ts'
import { identifier, json, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../../kernel/db/table.ts'
import { awaitTurn } from '../../../kernel/db/turn.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { change } from '../../../kernel/resource/resource.ts'
import { tenantIdOf } from '../directory/tenant-id.ts'
import { errors } from '../errors/errors.ts'
import { canMoveTenant } from '../schemas/tenant-states.ts'
import type { IamServices } from '../services/iam-services.ts'
import { tenants } from '../tables/tenants.ts'
import { assertThere, heldTenant, isAbove, type TenantAsk, type TenantRow } from './change.ts'
import { tenantDeleted, tenantDeletionScheduled } from './events.ts'
import type { DeleteTenant } from './schema.ts'

const dayMs = 86_400_000
const defaultGraceDays = 30
const jobKind = 'iam.tenant.delete'

/** @throws API-001, API-012, API-013, AUTH-009, IAM-004, IAM-011, IAM-020 */
export async function scheduleDeletion(services: IamServices, ask: TenantAsk & { readonly query: DeleteTenant }) {
  const { db, clock, auth } = services.kernel
  const { actor, id, origin, query } = ask
  await assertThere(services, ask)
  assertFresh(actor, clock)
  const onHold = (await legalHoldOf(services.kernel, tenantIdOf(id), null)) !== null
  const when = new Date(clock.now() + (query.grace_days ?? defaultGraceDays) * dayMs).toISOString()
  const data = { subject_tenant_id: id, actor_id: actor.userId, deletion_scheduled_for: when }
  const { name, slug } = await db.tenant({ tenantId: tenantIdOf(id), origin }, async (tx) => {
    const held = await heldTenant(tx, ask)
    const { row } = held
    await assertDeletable(tx, row, ask)
    if (onHold) throw errors.legalHold()
    const changes = { status: 'pending_deletion', deletion_scheduled_for: when } as const
    await change(services.kernel, tx, held, {
      action: 'iam.tenant.delete',
      changes,
      before: { status: row.status },
      after: () => changes,
    })
    await auth.rightsChanged(tx, `tenant:${id}`)
    await tx.enqueue({ kind: jobKind, payload: {}, key: id, runAt: Date.parse(when) })
    await tx.emit(tenantDeletionScheduled, `tenant/${id}`, data)
    return row
  })
  if (id !== actor.tenantId) {
    await db.tenant({ tenantId: actor.tenantId, origin }, async (tx) => {
      const after = { deletion_scheduled_for: when }
      await tx.audit('iam.tenant.delete', { target: `tenant:${id}`, before: { name, slug }, after })
      await tx.emit(tenantDeletionScheduled, `tenant/${id}`, data)
    })
  }
  return { id, deleted: false as const, status: 'pending_deletion' as const, deletion_scheduled_for: when }
}

/** @throws API-001, IAM-004, IAM-011 */
async function assertDeletable(
  tx: Parameters<typeof heldTenant>[0],
  row: TenantRow,
  { actor, query }: TenantAsk & { readonly query: DeleteTenant },
): Promise<void> {
  if (query.confirm_slug !== row.slug) {
    const detail = 'Confirm with the slug of the tenant.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '?confirm_slug' }])
  }
  if (!canMoveTenant(row.status, 'pending_deletion'))
    throw errors.illegalMove({ what: 'tenant', from: row.status, to: 'pending_deletion' })
  if (row.id !== actor.tenantId && !isAbove(actor, row))
    throw errors.hierarchy({ what: 'This tenant is not below yours.' })
  const child = await tx.first(
    sql`select 1 as found from iam_tenant where parent_id = ${row.id} and status <> 'deleted' limit 1`,
  )
  if (child !== null) throw errors.hierarchy({ what: 'Tenants below this one have to be deleted first.' })
  const operators = await tx.first(sql`
    select 1 as found from iam_user_role g join iam_role r on r.tenant_id = g.tenant_id and r.id = g.role_id
    where r.builtin = 'super_admin' limit 1`)
  if (operators !== null) throw errors.hierarchy({ what: 'The platform is operated from this tenant.' })
}

/**
 * Tables kept: the job itself, the revocations until every token has ended, and the list of files to
 * remove; none of them identifies a person.
 */
const keptTables = new Set(['job', 'revocation', 'change_feed', 'blob_object'])

/** Runs when the grace is over; does nothing when the deletion was cancelled, put off, or a legal hold came in between. */
export async function deleteTenant(services: IamServices, id: string, signal: AbortSignal): Promise<void> {
  const tenantId = tenantIdOf(id)
  const row = await shred(services, id)
  if (row === null) return
  let tables = services.kernel.tables.filter(
    ({ scope, appendOnly, system, name, data }) =>
      scope === 'tenant' && (!appendOnly || (system && data.category !== 'audit')) && !keptTables.has(name),
  )
  // A table that others point to is emptied after them; each round empties at least one.
  while (tables.length > 0) {
    const left: Table[] = []
    for (const table of tables) {
      signal.throwIfAborted()
      if (!(await emptied(services, tenantId, table))) left.push(table)
    }
    // The remaining rows are referenced by rows that cannot be removed.
    if (left.length === tables.length) break
    tables = left
  }
  await services.kernel.db.system('entries of a deleted tenant', (tx) =>
    tx.execute(sql`
      delete from audit_entry e using audit_seal s
      where e.tenant_id = ${id} and s.tenant_id = e.tenant_id and s.entry_id = e.id`),
  )
  await conclude(
    services,
    row,
    tables.map(({ name }) => name),
  )
}

/** Ends all credentials and destroys the keys, in one step. Null when nothing is to be deleted. */
async function shred({ kernel }: IamServices, id: string): Promise<TenantRow | null> {
  const now = kernel.clock.iso()
  const held = (await legalHoldOf(kernel, tenantIdOf(id), null)) !== null
  return kernel.db.tenant({ tenantId: tenantIdOf(id) }, async (tx) => {
    const row = await tx.first(sql<TenantRow>`select ${tenants.columns} from iam_tenant where id = ${id} for update`)
    if (row === null || row.status === 'deleted') return row?.deleted_at === null ? row : null
    if (row.status !== 'pending_deletion' || row.deletion_scheduled_for === null) return null
    const runAt = held ? kernel.clock.now() + dayMs : Date.parse(row.deletion_scheduled_for)
    if (held || row.deletion_scheduled_for > now) {
      await tx.enqueue({ kind: jobKind, payload: {}, key: id, runAt })
      return null
    }
    await tx.execute(sql`
      update iam_tenant set status = 'deleted', deletion_scheduled_for = null, status_reason = null,
        name = 'Deleted tenant', slug = ${`deleted-${id}`}, region = null, settings = ${json({})}::jsonb,
        quotas = ${json({})}::jsonb, version = version + 1, updated_at = ${now}
      where id = ${id}`)
    await tx.execute(sql`delete from iam_directory where home = ${id}`)
    await tx.execute(sql`delete from iam_sso_directory where home = ${id}`)
    await kernel.auth.rightsChanged(tx, `tenant:${id}`)
    await kernel.auth.revoke(tx, 'tenant', id)
    await kernel.tenantKeys.destroy(tx)
    await tx.audit('iam.tenant.shred', {
      target: `tenant:${id}`,
      before: { status: row.status },
      after: { status: 'deleted' },
    })
    return row
  })
}

const batch = 5_000
/** SQLSTATE of a row that another table still points to. */
const stillNamed = '23503'

/** False when rows of another table have to go first. */
async function emptied({ kernel }: IamServices, tenantId: TenantRow['id'], table: Table): Promise<boolean> {
  const name = identifier(table.name)
  try {
    for (let removed = batch; removed === batch; ) {
      const some = sql`
        delete from ${name}
        where ctid = any(array(select ctid from ${name} where tenant_id = ${tenantId} limit ${batch})) and tenant_id = ${tenantId}`
      // Rows that are only added are removed by the system role alone, as retention does it.
      removed = table.appendOnly
        ? await kernel.db.system('rows of a deleted tenant', (tx) => tx.execute(some))
        : await kernel.db.tenant({ tenantId: tenantIdOf(tenantId) }, async (tx) => {
            // Or what is on its way to another table would arrive there after that one was emptied.
            if (table.movesIn !== null) await tx.execute(awaitTurn(table.movesIn))
            return tx.execute(some)
          })
    }
    return true
  } catch (error) {
    if (error instanceof DatabaseError && error.code === stillNamed) return false
    throw error
  }
}

/** Tells the tenant above, once. */
async function conclude({ kernel }: IamServices, { id, parent_id }: TenantRow, left: readonly string[]): Promise<void> {
  const at = kernel.clock.iso()
  await kernel.db.tenant({ tenantId: tenantIdOf(parent_id ?? id) }, async (tx) => {
    const done = await tx.execute(sql`update iam_tenant set deleted_at = ${at} where id = ${id} and deleted_at is null`)
    if (done === 0 || parent_id === null) return
    await tx.audit('iam.tenant.deleted', {
      target: `tenant:${id}`,
      after: { status: 'deleted', tables_left: left },
    })
    await tx.emit(tenantDeleted, `tenant/${id}`, { subject_tenant_id: id, actor_id: null })
  })
}

const deletion: JobDeclaration<IamServices> = {
  kind: jobKind,
  maxAttempts: 20,
  leaseMs: 5 * 60_000,
  everyMs: null,
  run: ({ tenantId, services, signal }) => deleteTenant(services, tenantId, signal),
}

export const deletionJobs = [deletion]
