/**
 * Connections to identity providers: made as drafts, listed with their health, deleted. Secrets are write-only;
 * a person cannot set up more than their own rights. Changes are in changes.ts. Tested in
 * connections.test.ts.
 */
import type { Actor } from '../../../../kernel/access/actor.ts'
import { assertFresh } from '../../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../../kernel/db/sql.ts'
import { insertStatement, type Page, type PageRequest } from '../../../../kernel/db/table.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { EventData } from '../../../../kernel/events/catalogue/catalogue.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import { create, newRow, resource } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import { tellAdministrators } from '../../mail/administrators.ts'
import type { CreateSsoConnection, SsoConnection, SsoConnectionFilter, SsoRules } from '../../schemas/sso.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { withDomains } from '../domains.ts'
import { ssoConnectionChanged } from '../events.ts'
import { type ConnectionRow, ssoConnections, ssoDirectory } from '../tables.ts'
import { assertMayGive } from './activator.ts'
import { providerColumns } from './settings.ts'
import { connectionView } from './views.ts'

export const connectionResource = resource({ table: ssoConnections, kind: 'sso_connection' })

export async function listConnections(
  kernel: Kernel,
  tx: Tx,
  ask: { readonly filter: SsoConnectionFilter; readonly page: PageRequest },
): Promise<Page<SsoConnection>> {
  const where: SqlPart[] = [sql`true`]
  if (ask.filter.type !== undefined) where.push(sql`type = ${ask.filter.type}`)
  if (ask.filter.status !== undefined) where.push(sql`status = ${ask.filter.status}`)
  const page = await ssoConnections.page(tx, ask.page, join(where, ' and '))
  return { ...page, items: page.items.map((row) => connectionView(kernel, row)) }
}

export interface ConnectionWish {
  readonly actor: Actor
  readonly request: RequestInfo
  readonly body: CreateSsoConnection
}

/** @throws API-001, AUTH-009, IAM-003, IAM-013 */
export async function createConnection(
  services: IamServices,
  { actor, request, body }: ConnectionWish,
): Promise<SsoConnection> {
  const { kernel } = services
  assertFresh(actor, kernel.clock)
  const { tenantId } = actor
  const stamps = newRow(kernel, actor)
  const { id } = stamps
  const provider = await providerColumns(kernel, {
    tenantId,
    id,
    type: body.type,
    oidc: body.oidc,
    saml: body.saml,
    before: null,
  })
  const row: ConnectionRow = {
    ...stamps,
    ...fresh,
    ...provider,
    name: body.name,
    type: body.type,
    domains: withDomains([], body.domains ?? []),
    ...ruleColumns(body),
  }
  return kernel.db.tenant({ tenantId, origin: originOf(request, actor) }, async (tx) => {
    await assertRules(tx, row)
    await assertMayGive(tx, actor, row)
    const view = connectionView(kernel, row)
    await create(tx, connectionResource, row, { action: 'iam.sso_connection.create', after: () => view })
    await tx.execute(
      insertStatement(ssoDirectory.from, { kind: 'connection', name: id, home: tenantId, connection_id: id }),
    )
    await announceChange(kernel, tx, { connection_id: id, change: 'created', actor_id: actor.userId })
    return view
  })
}

const fresh = {
  status: 'draft',
  enforced: false,
  break_glass_user_ids: [],
  jit_enabled: false,
  default_role_ids: [],
  group_mappings: [],
  link_policy: 'never',
  required_acr: [],
  required_amr: [],
  second_factor_acr: [],
  email_trusted: false,
  activated_by: null,
  activated_by_tenant: null,
  certificate_warned_at: null,
  last_login_at: null,
  last_error: null,
  last_error_at: null,
} satisfies Partial<ConnectionRow>

/** Rules that are a column of the same name. */
const plainRules = [
  'enforced',
  'break_glass_user_ids',
  'group_mappings',
  'link_policy',
  'required_acr',
  'required_amr',
  'second_factor_acr',
  'email_trusted',
] as const satisfies readonly (keyof SsoRules)[]

/** The columns of the rules a body names. */
export function ruleColumns(body: SsoRules): Partial<ConnectionRow> {
  const { jit } = body
  const named = [
    ...plainRules.map((name) => [name, body[name]]),
    ['jit_enabled', jit?.enabled],
    ['default_role_ids', jit?.default_role_ids],
  ]
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

/** Rules that hold between fields. @throws API-001, IAM-013 */
export async function assertRules(tx: Tx, row: ConnectionRow): Promise<void> {
  if (row.type === 'saml' && row.required_amr.length > 0)
    throw errors.ssoRefused({ what: 'SAML names no authentication methods; require contexts in required_acr.' })
  if (row.enforced && row.break_glass_user_ids.length === 0)
    throw errors.ssoRefused({ what: 'Name an account for emergencies before single sign-on is enforced.' })
  const able = await tx.query(sql<{ id: string }>`
    select id from iam_user
    where id = any(${row.break_glass_user_ids}::uuid[]) and type = 'human' and status = 'active' and password_hash is not null`)
  const unable = row.break_glass_user_ids.findIndex((id) => able.every((user) => user.id !== id))
  if (unable === -1) return
  const detail = 'There is no such active user with a password.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `/break_glass_user_ids/${unable}` }])
}

type Change = Omit<EventData<typeof ssoConnectionChanged>, 'administrator_ids'>

/** Notifies all account administrators of the tenant of a change to a way to sign in. */
export async function announceChange(kernel: Kernel, tx: Tx, change: Change): Promise<void> {
  const about = change.connection_id
  const administrator_ids = await tellAdministrators(kernel, tx, { notice: 'sso_changed', about })
  await tx.emit(ssoConnectionChanged, `sso_connection/${change.connection_id}`, { ...change, administrator_ids })
}
