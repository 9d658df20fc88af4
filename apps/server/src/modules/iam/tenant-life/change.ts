/**
 * Changes a tenant: its name and settings from inside or above, its quotas and whether it is suspended only from above.
 * A deletion that was scheduled is cancelled by making the tenant active again. Tested in tenant-life.test.ts.
 */

import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { type Held, hold, resource, write } from '../../../kernel/resource/resource.ts'
import { tenantIdOf } from '../directory/tenant-id.ts'
import { errors } from '../errors/errors.ts'
import { childQuotas, mergedQuotas } from '../quotas/quotas.ts'
import type { QuotasPatch, QuotaValues } from '../schemas/quotas.ts'
import { canMoveTenant } from '../schemas/tenant-states.ts'
import type { SettingsPatch, SettingValues } from '../schemas/tenants.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endSessions } from '../sessions/sessions.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { assertStillInside } from '../sign-in/networks.ts'
import { tenants } from '../tables/tenants.ts'
import { assertSettings } from '../tenants/setting-rules.ts'
import { tenantSuspended } from './events.ts'
import type { PatchTenant } from './schema.ts'

export type TenantRow = NonNullable<Awaited<ReturnType<typeof tenants.get>>>

const tenantResource = resource({ table: tenants, kind: 'tenant' })

export interface TenantAsk {
  readonly actor: Actor
  readonly id: string
  readonly origin: NonNullable<TenantScope['origin']>
  readonly precondition: Precondition
}

/** The tenant, held, if the actor may know of it. @throws API-012, API-013 */
export function heldTenant(tx: Tx, { actor, id, precondition }: TenantAsk): Promise<Held<TenantRow>> {
  const visible = actor.operator ? sql`true` : sql`path @> array[${actor.tenantId}::uuid]`
  const there = sql`id = ${id} and status <> 'deleted' and ${visible}`
  return hold(tx, tenantResource, { id: there, precondition })
}

export const isAbove = (actor: Actor, row: TenantRow): boolean =>
  actor.operator || (row.id !== actor.tenantId && row.path.includes(actor.tenantId))

/** Logs in the tenant, then for the caller. @throws API-001, API-012, API-013, AUTH-016, IAM-004, IAM-009, IAM-011 */
export async function changeTenant(
  services: IamServices,
  ask: TenantAsk & { readonly body: PatchTenant },
): Promise<void> {
  const { kernel } = services
  const { actor, id, origin, body } = ask
  assertSettings(body.settings)
  await assertThere(services, ask)
  const change = await kernel.db.tenant({ tenantId: tenantIdOf(id), origin }, async (tx) => {
    const held = await heldTenant(tx, ask)
    const { row } = held
    assertMay(row, ask)
    const quotas = body.quotas === undefined ? row.quotas : await bounded(tx, row, body.quotas)
    await writeTenant(services, tx, { held, body, quotas, actor })
    if (body.settings?.login_allowed_cidrs != null && id === actor.homeTenantId)
      assertStillInside(await settingsOf(tx, id), tx.origin.ip)
    const [before, after] = [row, await tenants.need(tx, id)]
    await tx.audit('iam.tenant.change', {
      target: `tenant:${id}`,
      before,
      after,
      ...(body.status_reason === undefined ? {} : { reason: body.status_reason }),
    })
    return { before, after }
  })
  if (id === actor.tenantId) return
  await kernel.db.tenant({ tenantId: actor.tenantId, origin }, async (tx) => {
    await tx.audit('iam.tenant.change', { target: `tenant:${id}`, before: change.before, after: change.after })
    if (change.after.status === 'suspended' && change.before.status !== 'suspended')
      await tx.emit(tenantSuspended, `tenant/${id}`, told(id, actor, body))
  })
}

/** Asked in the caller's own scope: in that of a tenant that is not there nothing may be opened. @throws API-013 */
export async function assertThere({ kernel }: IamServices, { actor, id }: TenantAsk): Promise<void> {
  const visible = actor.operator ? sql`true` : sql`path @> array[${actor.tenantId}::uuid]`
  const [found] = await kernel.db.read(
    actor.tenantId,
    sql`select 1 as found from iam_tenant where id = ${id} and status <> 'deleted' and ${visible}`,
  )
  if (found === undefined) throw apiErrors.notFound({ what: tenants.noun })
}

const told = (id: string, actor: Actor, { status_reason: reason }: PatchTenant) => ({
  subject_tenant_id: id,
  actor_id: actor.userId,
  reason: reason ?? null,
})

/** @throws AUTH-016, IAM-004, IAM-011 */
function assertMay(row: TenantRow, { actor, body }: { readonly actor: Actor; readonly body: PatchTenant }): void {
  const above = isAbove(actor, row)
  const { status, status_reason: reason, ...rest } = body
  const cancels = row.status === 'pending_deletion' && status === 'active' && Object.keys(rest).length === 0
  if (actor.tenantStatus !== 'active' && !cancels) throw authErrors.tenantSuspended()
  if (reason !== undefined && status === undefined) {
    const detail = 'A reason goes with a change of status.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/status_reason' }])
  }
  if (body.quotas !== undefined && !above) throw errors.hierarchy({ what: 'Quotas are set by the tenant above.' })
  if (status === undefined || status === row.status) return
  if (!cancels && (!above || row.id === actor.homeTenantId))
    throw errors.hierarchy({ what: 'A tenant is suspended, and made active again, from above.' })
  if (!canMoveTenant(row.status, status)) throw errors.illegalMove({ what: 'tenant', from: row.status, to: status })
}

/** @throws IAM-009 for more than the tenant above has left */
async function bounded(tx: Tx, row: TenantRow, patch: QuotasPatch): Promise<QuotaValues> {
  const wanted = mergedQuotas(row.quotas, patch)
  const parent = row.parent_id === null ? null : await tenants.need(tx, row.parent_id)
  if (parent === null) return wanted
  const siblings = await tx.query(sql<{ quotas: QuotaValues }>`
    select quotas from iam_tenant where parent_id = ${parent.id} and id <> ${row.id} and status <> 'deleted'`)
  return childQuotas(
    wanted,
    parent.quotas,
    siblings.map(({ quotas }) => quotas),
  )
}

interface Writing {
  readonly held: Held<TenantRow>
  readonly body: PatchTenant
  readonly quotas: QuotaValues
  readonly actor: Actor
}

/** RFC 7396: null takes a setting back. */
function mergedSettings(own: SettingValues, patch: SettingsPatch): SettingValues {
  return Object.fromEntries(Object.entries({ ...own, ...patch }).filter(([, value]) => value !== null))
}

async function writeTenant(services: IamServices, tx: Tx, { held, body, quotas, actor }: Writing): Promise<void> {
  const { auth } = services.kernel
  const { row } = held
  const status = body.status ?? row.status
  await write(services.kernel, tx, held, {
    name: body.name,
    settings: mergedSettings(row.settings, body.settings ?? {}),
    quotas,
    status,
    status_reason: body.status === undefined ? row.status_reason : (body.status_reason ?? null),
    deletion_scheduled_for: status === 'pending_deletion' ? row.deletion_scheduled_for : null,
  })
  // Rights are held in memory together with the state of their tenant and of those above it.
  const below = await tx.query(sql<{ id: string }>`select id from iam_tenant where path @> array[${row.id}::uuid]`)
  for (const { id } of below) await auth.rightsChanged(tx, `tenant:${id}`)
  if (status === 'suspended' && row.status !== 'suspended')
    await tx.emit(tenantSuspended, `tenant/${row.id}`, told(row.id, actor, body))
  if (body.end_all_sessions !== true) return
  await endSessions(services, tx, { condition: sql`true`, by: actor.userId, reason: 'tenant' })
  await auth.revoke(tx, 'tenant', row.id)
}
