/**
 * Taking factors away and making recovery codes anew: by their owner, fresh, and not below what the tenant demands; or by
 * an administrator who outranks them. Tested in mfa.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { tellCredential } from '../accounts/credential-changes.ts'
import type { UserRow } from '../accounts/status.ts'
import { leave } from '../directory/directory.ts'
import { errors } from '../errors/errors.ts'
import { mailNotice } from '../mail/jobs.ts'
import { forgetCodes, makeCodes, storeCodes } from '../mfa/recovery.ts'
import { isDemanded } from '../mfa/requirement.ts'
import { factors } from '../mfa/tables.ts'
import { findSubject } from '../rights/subjects.ts'
import type { FactorKind } from '../schemas/factor-kinds.ts'
import { homeScope, type IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { users } from '../tables/users.ts'

interface Caller {
  readonly actor: Actor
  readonly request: RequestInfo
}

/** @throws AUTH-009, API-013, IAM-007 for the last factor where one is demanded */
export async function removeOwnFactor(services: IamServices, { actor, request, id }: Caller & { readonly id: string }) {
  const { kernel } = services
  assertFresh(actor, kernel.clock)
  return kernel.db.tenant(homeScope(request, actor), async (tx) => {
    const user = await users.needForUpdate(tx, actor.userId)
    const factor = await factors.get(tx, id)
    if (factor === null || factor.user_id !== user.id) throw apiErrors.notFound({ what: factors.noun })
    const left = await tx.query(
      sql`select id from iam_factor where user_id = ${user.id} and status = 'active' and id <> ${id}`,
    )
    if (left.length === 0 && factor.status === 'active') {
      await assertMayDoWithout(services, tx, user.id)
      if (user.password_needs_factor)
        throw errors.inUse({ what: 'Your password is too short to stand alone. Choose a longer one first.' })
    }
    await assertAnotherWayIn(tx, { user, factorId: id })
    await removeFactors(tx, { userId: user.id, kinds: [factor.kind], id, by: user.id })
    await tx.audit('auth.mfa.remove', { target: `user:${user.id}`, before: { factor_id: id, kind: factor.kind } })
    await mailNotice(services, tx, { notice: 'factor_removed', userId: user.id, to: user.email })
    return { id, deleted: true }
  })
}

async function assertMayDoWithout({ kernel }: IamServices, tx: Tx, userId: string): Promise<void> {
  const [settings, subject] = await Promise.all([
    settingsOf(tx, tx.tenantId),
    findSubject(tx, userId, kernel.clock.now()),
  ])
  if (subject !== null && !isDemanded(settings, subject.permissions)) return
  throw errors.inUse({ what: 'A second factor is demanded here, and this is the last one.' })
}

/** @throws IAM-007 for the only passkey of a person with neither a password nor an identity provider */
async function assertAnotherWayIn(
  tx: Tx,
  { user, factorId }: { readonly user: UserRow; readonly factorId: string },
): Promise<void> {
  if (user.password_hash !== null) return
  const other = await tx.first(sql`
    select 1 as found from iam_factor
    where user_id = ${user.id} and kind = 'passkey' and status = 'active' and id <> ${factorId}
    union all
    select 1 from iam_sso_identity where user_id = ${user.id}
    limit 1`)
  if (other === null) throw errors.inUse({ what: 'This is the only way into this account.' })
}

export interface Removal {
  readonly userId: string
  readonly kinds: readonly FactorKind[]
  /** The user who removes them. */
  readonly by: string
  /** Only this one. */
  readonly id?: string
}

/** Removes a user's factors of these kinds; without any active one left the recovery codes go too. Answers how many. */
export async function removeFactors(tx: Tx, { userId, kinds, id, by }: Removal): Promise<number> {
  const which = id === undefined ? sql`true` : sql`id = ${id}`
  const removed = await tx.query(sql<{ id: string; kind: FactorKind; active: boolean }>`
    delete from iam_factor where user_id = ${userId} and kind = any(${kinds}::text[]) and ${which}
    returning id, kind, status = 'active' as active`)
  for (const factor of removed) if (factor.kind === 'passkey') await leave(tx, 'passkey', factor.id)
  for (const { kind: credential, active } of removed)
    if (active) await tellCredential(tx, { userId, credential, change: 'deleted', by })
  const left = await tx.first(
    sql`select 1 as found from iam_factor where user_id = ${userId} and status = 'active' limit 1`,
  )
  if (left === null) await forgetCodes(tx, userId)
  return removed.length
}

/** @throws AUTH-009, API-011 without a second factor */
export async function renewRecoveryCodes(services: IamServices, { actor, request }: Caller) {
  const { kernel } = services
  assertFresh(actor, kernel.clock)
  if (actor.sessionId === null) throw authErrors.stepUp()
  const { codes, hashes } = await makeCodes(services)
  await kernel.db.tenant(homeScope(request, actor), async (tx) => {
    const user = await users.needForUpdate(tx, actor.userId)
    const factor = await tx.first(
      sql`select 1 as found from iam_factor where user_id = ${user.id} and status = 'active' limit 1`,
    )
    if (factor === null)
      throw apiErrors.conflict({ what: 'Recovery codes stand in for a second factor, and there is none.' })
    await storeCodes(services, tx, { userId: user.id, hashes })
    await tx.audit('auth.mfa.recovery_codes', { target: `user:${user.id}` })
    await tellCredential(tx, { userId: user.id, credential: 'recovery_codes', change: 'updated', by: user.id })
    await mailNotice(services, tx, { notice: 'recovery_codes', userId: user.id, to: user.email })
  })
  return { recovery_codes: [...codes] }
}
