/**
 * Changes of a connection: its settings, proof of its domains, activation. Activating it, or changing it while it is
 * active, binds it to the rights of that person from then on. Tested in connections.test.ts.
 */
import type { Actor } from '../../../../kernel/access/actor.ts'
import { assertFresh } from '../../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { anyVersion, type Precondition } from '../../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import { type RequestInfo, Versioned } from '../../../../kernel/module/route.ts'
import { change, type Held, hold } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import { tellAdministrators } from '../../mail/administrators.ts'
import type { PatchSsoConnection, SsoConnection } from '../../schemas/sso.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { endSessions } from '../../sessions/sessions.ts'
import { claimDomain, domainName, proveDomain, releaseDomains, withDomains } from '../domains.ts'
import { ssoConnectionActivated } from '../events.ts'
import { type ConnectionRow, ssoConnections } from '../tables.ts'
import { assertMayGive } from './activator.ts'
import { checkConnection } from './check.ts'
import { announceChange, assertRules, connectionResource, ruleColumns } from './connections.ts'
import { providerColumns } from './settings.ts'
import { connectionView } from './views.ts'

export interface ConnectionChange {
  readonly actor: Actor
  readonly request: RequestInfo
  readonly id: string
  readonly body: PatchSsoConnection
  readonly precondition: Precondition
}

/** @throws API-001, API-012, API-013, AUTH-009, IAM-003, IAM-004, IAM-013, IAM-014 */
export async function changeConnection(
  services: IamServices,
  ask: ConnectionChange,
): Promise<Versioned<SsoConnection>> {
  const { kernel } = services
  assertFresh(ask.actor, kernel.clock)
  const scope = { tenantId: ask.actor.tenantId, origin: originOf(ask.request, ask.actor) }
  const seen = await kernel.db.tenant(scope, (tx) => ssoConnections.need(tx, ask.id))
  ask.precondition.expectVersion(seen.version)
  const wanted = await prepared(services, seen, ask)
  return kernel.db.tenant(scope, async (tx) => {
    const held = await hold(tx, connectionResource, { id: ask.id, precondition: anyVersion })
    // The preparation outside of the transaction applies only to the version of the row it read.
    if (held.row.version !== seen.version) throw apiErrors.preconditionFailed()
    await assertRules(tx, wanted)
    if (givesRoles(ask.body) || (wanted.status === 'active' && bindsActor(ask.body)))
      await assertMayGive(tx, ask.actor, wanted)
    return writeConnection(services, tx, { held, wanted, actor: ask.actor })
  })
}

const givesRoles = ({ jit, group_mappings }: PatchSsoConnection): boolean =>
  jit !== undefined || group_mappings !== undefined

/** Whether a change binds the actor: a new name, or `disabled`, gives no rights. */
function bindsActor({ name: _name, status, ...rest }: PatchSsoConnection): boolean {
  return status !== 'disabled' && (status === 'active' || Object.keys(rest).length > 0)
}

/** The row as it is to be; asks the DNS and the identity provider. */
async function prepared(services: IamServices, row: ConnectionRow, ask: ConnectionChange): Promise<ConnectionRow> {
  const { kernel } = services
  const { body, actor } = ask
  const provider =
    body.oidc === undefined && body.saml === undefined
      ? {}
      : await providerColumns(kernel, {
          tenantId: actor.tenantId,
          id: row.id,
          type: row.type,
          oidc: body.oidc,
          saml: body.saml,
          before: row,
        })
  const changed: ConnectionRow = {
    ...row,
    ...provider,
    ...ruleColumns(body),
    name: body.name ?? row.name,
    domains: body.domains === undefined ? row.domains : withDomains(row.domains, body.domains),
    status: body.status ?? row.status,
  }
  if (changed.certificate_expires_at !== row.certificate_expires_at) changed.certificate_warned_at = null
  if (body.status === 'disabled' && row.status === 'draft')
    throw errors.illegalMove({ what: 'single sign-on connection', from: 'draft', to: 'disabled' })
  const proven =
    body.verify_domain === undefined
      ? changed
      : await withProof(services, changed, { actor, domain: body.verify_domain })
  if (proven.status !== 'active' || !bindsActor(body)) return proven
  await assertReady(services, proven)
  return { ...proven, activated_by: actor.userId, activated_by_tenant: actor.homeTenantId }
}

async function withProof(
  services: IamServices,
  row: ConnectionRow,
  { actor, domain }: { readonly actor: Actor; readonly domain: string },
): Promise<ConnectionRow> {
  const name = domainName(domain)
  if (row.domains.every((known) => known.domain !== name)) {
    const detail = 'This domain is not one of the connection.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/verify_domain' }])
  }
  await proveDomain({ kernel: services.kernel, txt: services.txtRecords }, actor.tenantId, name)
  const verified_at = services.kernel.clock.iso()
  return { ...row, domains: row.domains.map((known) => (known.domain === name ? { ...known, verified_at } : known)) }
}

/** @throws IAM-013, IAM-014 */
async function assertReady(services: IamServices, row: ConnectionRow): Promise<void> {
  if (row.domains.every(({ verified_at }) => verified_at === null))
    throw errors.domainNotProven({ what: 'Verify a domain before the connection is activated.' })
  const failed = (await checkConnection(services, row)).steps.find((step) => !step.passed)
  if (failed !== undefined) throw errors.ssoRefused({ what: `${failed.step}: ${failed.detail}` })
}

interface Written {
  readonly held: Held<ConnectionRow>
  readonly wanted: ConnectionRow
  readonly actor: Actor
}

async function writeConnection(services: IamServices, tx: Tx, { held, wanted, actor }: Written) {
  const { kernel } = services
  const { row } = held
  const { id } = row
  await releaseDomains(tx, id, wanted.domains)
  for (const { domain, verified_at } of wanted.domains) if (verified_at !== null) await claimDomain(tx, id, domain)
  const { last_login_at: _login, last_error: _error, last_error_at: _at, ...wish } = wanted
  const { id: _id, tenant_id: _tenant, version: _version, created_at: _made, updated_at: _changed, ...changes } = wish
  const view = (shown: ConnectionRow) => connectionView(kernel, shown)
  const after = await change(kernel, tx, held, {
    action: 'iam.sso_connection.change',
    changes,
    before: view(row),
    after: view,
  })
  if (row.status === 'active' && after.status !== 'active') await endSessionsOf(services, tx, { id, actor })
  await announce(kernel, tx, { row, after, actor })
  return new Versioned(view(after), after.version)
}

/** Ends every session opened over the connection. */
export function endSessionsOf(
  services: IamServices,
  tx: Tx,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<number> {
  return endSessions(services, tx, {
    condition: sql`id in (select session_id from iam_sso_session where connection_id = ${id})`,
    by: actor.userId,
    reason: 'sso_connection_ended',
  })
}

async function announce(
  kernel: Kernel,
  tx: Tx,
  { row, after, actor }: { readonly row: ConnectionRow; readonly after: ConnectionRow; readonly actor: Actor },
): Promise<void> {
  const facts = { connection_id: row.id, actor_id: actor.userId }
  if (after.status === 'active' && row.status !== 'active') {
    const administrator_ids = await tellAdministrators(kernel, tx, { notice: 'sso_changed', about: row.id })
    await tx.emit(ssoConnectionActivated, `sso_connection/${row.id}`, { ...facts, administrator_ids })
    return
  }
  const disabled = row.status === 'active' && after.status === 'disabled'
  await announceChange(kernel, tx, { ...facts, change: disabled ? 'disabled' : 'changed' })
}
