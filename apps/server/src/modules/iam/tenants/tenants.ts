/**
 * Tenants form trees. A tenant sees itself and those below it, an operator sees all; all other tenants do not exist
 * for them. A child is created completely or not at all. Tested in tenants.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import { type RequestInfo, Versioned } from '../../../kernel/module/route.ts'
import { userInvited } from '../accounts/events.ts'
import { addAccount } from '../accounts/new-account.ts'
import { tenantIdOf } from '../directory/tenant-id.ts'
import { errors, exceedsRights } from '../errors/errors.ts'
import { invite } from '../invitations/invitations.ts'
import { childQuotas } from '../quotas/quotas.ts'
import { quotaUsage } from '../quotas/usage.ts'
import { assertCanGrantRoles } from '../rights/escalation.ts'
import type { QuotaValues } from '../schemas/quotas.ts'
import type { CreateTenant, Tenant, TenantFilter, TenantItem } from '../schemas/tenants.ts'
import type { IamServices } from '../services/iam-services.ts'
import { effectiveSettings } from '../settings/settings.ts'
import { settingsStatement } from '../settings/tenant-settings.ts'
import { tenants } from '../tables/tenants.ts'
import { tenantCreated } from './events.ts'
import { builtinRoleId, foundTenant } from './found-tenant.ts'
import { assertSettings } from './setting-rules.ts'

type TenantRow = NonNullable<Awaited<ReturnType<typeof tenants.get>>>

const deepest = 5

/** Which tenants the actor may know of. */
function visibleTo(actor: Actor): SqlPart {
  return actor.operator ? sql`true` : sql`path @> array[${actor.tenantId}::uuid]`
}

export async function listTenants(
  tx: Tx,
  ask: { readonly actor: Actor; readonly filter: TenantFilter; readonly page: PageRequest },
): Promise<Page<TenantItem>> {
  const { filter } = ask
  const where: SqlPart[] = [visibleTo(ask.actor)]
  if (filter.status !== undefined) where.push(sql`status = ${filter.status}`)
  if (filter.parent_id !== undefined) where.push(sql`parent_id = ${filter.parent_id}`)
  if (filter.q !== undefined) {
    const prefix = likePrefix(filter.q)
    where.push(sql`(slug like ${prefix} or lower(name) like ${prefix})`)
  }
  const page = await tenants.page(tx, ask.page, join(where, ' and '))
  return { ...page, items: page.items.map(tenantItem) }
}

function tenantItem(row: TenantRow): TenantItem {
  const { version: _version, deleted_at: _at, ...shown } = row
  return { ...shown, tenant_id: row.id }
}

/**
 * One read after the other and no transaction around them: the last one is in the other tenant's scope, and an embedded
 * database has one connection.
 * @throws API-013 also for a tenant the actor may not know of
 */
export async function seeTenant(
  services: IamServices,
  { actor, id }: { readonly actor: Actor; readonly id: string },
): Promise<Versioned<Tenant>> {
  const { kernel } = services
  const visible = sql<TenantRow>`select ${tenants.columns} from iam_tenant where id = ${id} and ${visibleTo(actor)}`
  const [row] = await kernel.db.read(actor.tenantId, visible)
  if (row === undefined) throw apiErrors.notFound({ what: tenants.noun })
  const above = await kernel.db.read(actor.tenantId, settingsStatement(id))
  const tenant = {
    ...tenantItem(row),
    inherited_settings: effectiveSettings(above.filter((other) => other.id !== id).map(({ settings }) => settings)),
    effective_settings: effectiveSettings(above.map(({ settings }) => settings)),
    usage: await quotaUsage(services, tenantIdOf(row.id), row.quotas),
  }
  return new Versioned(tenant, row.version)
}

export interface TenantWish {
  readonly actor: Actor
  readonly body: CreateTenant
  readonly request: RequestInfo
}

/**
 * Makes a tenant with its invited administrator in one transaction, then tells its parent's log.
 * @throws API-011, IAM-003, IAM-009, IAM-011
 */
export async function createTenant(services: IamServices, { actor, body, request }: TenantWish) {
  const { kernel } = services
  assertFreshSession(actor, kernel.clock)
  const parentId = body.parent_id === undefined ? actor.tenantId : body.parent_id
  if (parentId === null && !actor.operator) throw exceedsRights(['super_admin'])
  assertCanGrantRoles(actor, [{ builtin: 'tenant_admin', permissions: [] }])
  assertSettings(body.settings)
  const origin = originOf(request, actor)
  const tenantId = tenantIdOf(kernel.random.uuid())
  const created = await kernel.db.tenant({ tenantId, origin }, async (tx) => {
    const parent = parentId === null ? null : await parentFor(tx, { actor, parentId })
    const quotas =
      parent === null
        ? (body.quotas ?? {})
        : childQuotas(body.quotas ?? {}, parent.quotas, await siblingQuotas(tx, parent.id))
    const { name, slug, settings = {}, region = null } = body
    await foundTenant(services, tx, { name, slug, settings, quotas, region, parent })
    return inviteAdministrator(services, tx, { actor, email: body.admin_email })
  })
  const informed = tenantIdOf(parentId ?? actor.tenantId)
  await kernel.db.tenant({ tenantId: informed, origin }, async (tx) => {
    await tx.audit('iam.tenant.create', { target: `tenant:${tenantId}`, after: created.tenant })
    await tx.emit(tenantCreated, `tenant/${tenantId}`, { created_tenant_id: tenantId, actor_id: actor.userId })
  })
  return { ...created.tenant, ...created.invitation, administrator_id: created.administratorId }
}

type Parent = Pick<TenantRow, 'id' | 'path' | 'status' | 'quotas'>

/** The parent, held until the child is there. @throws IAM-011 */
async function parentFor(
  tx: Tx,
  { actor, parentId }: { readonly actor: Actor; readonly parentId: string },
): Promise<Parent> {
  const parent = await tx.first(sql<Parent>`
    select id, path, status, quotas from iam_tenant
    where id = ${parentId} and ${visibleTo(actor)}
    for update`)
  if (parent === null) throw errors.hierarchy({ what: 'There is no such parent tenant.' })
  if (parent.status !== 'active') throw errors.hierarchy({ what: 'The parent tenant is not active.' })
  if (parent.path.length >= deepest) throw errors.hierarchy({ what: `Tenants nest at most ${deepest} deep.` })
  return parent
}

async function siblingQuotas(tx: Tx, parentId: string): Promise<readonly QuotaValues[]> {
  const rows = await tx.query(
    sql<{ quotas: QuotaValues }>`select quotas from iam_tenant where parent_id = ${parentId} and status <> 'deleted'`,
  )
  return rows.map((row) => row.quotas)
}

async function inviteAdministrator(
  services: IamServices,
  tx: Tx,
  ask: { readonly actor: Actor; readonly email: string },
) {
  const { actor, email } = ask
  const by = { userId: actor.userId, tenantId: actor.homeTenantId }
  const roleIds = [await builtinRoleId(tx, 'tenant_admin')]
  const administratorId = await addAccount(services, tx, {
    type: 'human',
    email,
    status: 'invited',
    roleIds,
    passwordHash: null,
    mustChangePassword: false,
    profile: {},
    by,
  })
  const invitation = await invite(services, tx, { userId: administratorId, by: actor.userId })
  const tenant = tenantItem(await tenants.need(tx, tx.tenantId))
  await tx.audit('iam.tenant.create', {
    target: `tenant:${tx.tenantId}`,
    after: { ...tenant, administrator_id: administratorId },
  })
  await tx.emit(userInvited, `user/${administratorId}`, { user_id: administratorId, actor_id: actor.userId })
  return { tenant, invitation, administratorId }
}
