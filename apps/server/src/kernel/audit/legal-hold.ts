/**
 * The legal hold: while it is on, no audit log is removed, neither by age nor together with its tenant. Tested in
 * modules/admin/audit-log/retention.test.ts and modules/iam/tenant-life/legal-hold.test.ts.
 */
import Type, { type Static } from 'typebox'
import type { TenantId } from '../access/actor.ts'
import { heldMatter } from '../data-registry/holds.ts'
import type { Database } from '../db/port.ts'
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

export interface HoldSources {
  readonly settings: Pick<Settings, 'get' | 'ready'>
  readonly db: Pick<Database, 'read'>
}

/**
 * The legal hold on the tenant's audit log now: the setting, of which the platform's counts for every tenant, or a hold on data.
 * Null where nothing does.
 * @param category of data; null asks for a hold on any of it, which keeps the whole tenant
 */
export async function legalHoldOf(
  { settings, db }: HoldSources,
  tenantId: TenantId,
  category: 'audit' | null,
): Promise<LegalHold> {
  // A value that is not read yet would be none.
  await settings.ready()
  const set = settings.get(auditLegalHold, null) ?? settings.get(auditLegalHold, tenantId)
  if (set !== null) return set
  const [hold] = await db.read(tenantId, heldMatter(category))
  return hold === undefined ? null : { reason: hold.matter }
}
