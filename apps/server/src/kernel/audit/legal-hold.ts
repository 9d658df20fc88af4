/**
 * The legal hold: while it is on, nobody removes an audit log, neither by age nor together with its tenant. Tested in
 * modules/admin/audit-log/retention.test.ts and modules/iam/tenant-life/legal-hold.test.ts.
 */
import Type, { type Static } from 'typebox'
import type { TenantId } from '../access/actor.ts'
import { nullable, strictObject } from '../schema/types.ts'
import { defineSetting } from '../settings/define.ts'
import type { Settings } from '../settings/settings.ts'

const LegalHold = nullable(strictObject({ reason: Type.String({ minLength: 1, maxLength: 500 }) }))
export type LegalHold = Static<typeof LegalHold>

export const auditLegalHold = defineSetting({
  key: 'audit.legal_hold',
  schema: LegalHold,
  default: null,
  scope: 'both',
  description:
    'While it is set retention removes nothing, whatever its age, and no tenant is deleted: the platform’s holds for every ' +
    'tenant and its audit log, a tenant’s for its own.',
  dangerous: true,
})

/** What holds the tenant's audit log now; the platform's counts for every tenant. Null where nothing does. */
export async function legalHoldOf(settings: Pick<Settings, 'get' | 'ready'>, tenantId: TenantId): Promise<LegalHold> {
  // A value that is not read yet would be none.
  await settings.ready()
  return settings.get(auditLegalHold, null) ?? settings.get(auditLegalHold, tenantId)
}
