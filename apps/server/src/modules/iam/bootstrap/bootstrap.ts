/**
 * The first tenant and its first administrator, made once in the life of an installation: of many callers at once one
 * succeeds. There is no default account and no default password. Tested in bootstrap.test.ts.
 */
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { Origin, Tx } from '../../../kernel/db/port.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { userActivated } from '../accounts/events.ts'
import { addAccount } from '../accounts/new-account.ts'
import { tenantIdOf } from '../directory/tenant-id.ts'
import { assertPassword } from '../passwords/policy.ts'
import { passwordRules } from '../passwords/rules.ts'
import type { Bootstrap, Bootstrapped } from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { defaultSettings } from '../settings/settings.ts'
import { builtinRoleId, foundTenant } from '../tenants/found-tenant.ts'
import { assertSetupToken, completeSetup, openSetup } from './setup.ts'

interface First {
  readonly tenant: { readonly name: string; readonly slug: string }
  readonly admin: { readonly email: string; readonly display_name?: string | undefined; readonly password: string }
  /** Null when the operator of the machine does it without a token. */
  readonly token: string | null
}

/** @throws AUTH-002, AUTH-003, AUTH-012, IAM-002 */
export function bootstrap(
  services: IamServices,
  ask: { readonly body: Bootstrap; readonly request: RequestInfo },
): Promise<Bootstrapped> {
  const { setup_token: token, tenant, admin } = ask.body
  return makeFirst(services, { tenant, admin, token }, originOf(ask.request, null))
}

/** Makes the first administrator from the configuration; on an installation that has one it does nothing. @throws IAM-002 */
export async function bootstrapUnattended(
  services: IamServices,
  admin: { readonly email: string; readonly password: string },
): Promise<Bootstrapped | null> {
  if (await services.setup.load()) return null
  try {
    return await makeFirst(services, { tenant: { name: 'Default', slug: 'default' }, admin, token: null })
  } catch (error) {
    // Another instance that started at the same time was quicker.
    if (error instanceof ProblemError && error.code === authErrors.alreadySetUp.code) return null
    throw error
  }
}

async function makeFirst(services: IamServices, first: First, origin?: Origin): Promise<Bootstrapped> {
  const { kernel } = services
  const { token, tenant, admin } = first
  // Asked before the hash, so that strangers cannot make us compute.
  await kernel.db.tenant({ tenantId: platformTenant, readOnly: true }, (tx) => assertOpen(services, tx, token))
  const context = [admin.email, tenant.name, tenant.slug]
  const { password } = admin
  const breached = await services.breached.has(password)
  await assertPassword({ password, breached, rules: passwordRules(defaultSettings, false), context })
  const passwordHash = await services.passwords.hash(password)
  const scope = { tenantId: tenantIdOf(kernel.random.uuid()), ...(origin === undefined ? {} : { origin }) }
  return kernel.db.tenant(scope, async (tx) => {
    await tx.lock('iam.setup', 'first_run')
    await assertOpen(services, tx, token)
    await completeSetup(tx, kernel.clock.iso())
    return writeFirst(services, tx, { first, passwordHash })
  })
}

async function assertOpen({ kernel }: IamServices, tx: Tx, token: string | null): Promise<void> {
  if (token === null) await openSetup(tx)
  else await assertSetupToken(tx, token, kernel.clock.now())
}

async function writeFirst(
  services: IamServices,
  tx: Tx,
  { first, passwordHash }: { readonly first: First; readonly passwordHash: string },
): Promise<Bootstrapped> {
  const { tenant, admin } = first
  await foundTenant(services, tx, { ...tenant, parent: null, region: null, settings: {}, quotas: {} })
  const role = 'super_admin'
  const id = await addAccount(services, tx, {
    type: 'human',
    email: admin.email,
    status: 'active',
    roleIds: [await builtinRoleId(tx, role)],
    passwordHash,
    mustChangePassword: false,
    profile: { display_name: admin.display_name ?? null },
    by: null,
  })
  await tx.audit('auth.bootstrap', { target: `tenant:${tx.tenantId}`, after: { tenant, user_id: id, role } })
  await tx.emit(userActivated, `user/${id}`, { user_id: id, actor_id: null, reason: 'bootstrap' })
  return { tenant: { id: tx.tenantId, ...tenant }, user: { id, email: admin.email, role, tenant_id: tx.tenantId } }
}
