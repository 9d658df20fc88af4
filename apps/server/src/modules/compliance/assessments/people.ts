import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'

/** @throws API-001 for a user that does not exist */
export async function refuseUnknownUsers({ iam }: ComplianceServices, tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = await iam.knownPrincipals(tx, { users: [...new Set(ids)], keys: [] })
  if (ids.every((id) => known.has(id))) return
  throw apiErrors
    .validation({ what: 'The body names a user that does not exist.' })
    .at([{ detail: 'There is no such user.', pointer: '/assessor_ids' }])
}
