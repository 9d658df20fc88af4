import type { Tx } from '../../../kernel/db/port.ts'
import { errors } from '../errors/errors.ts'
import type { RiskServices } from './register-parts.ts'
import type { CreateRisk, PatchRisk } from './schema.ts'

/** Refuses owners that are no people of the tenant. @throws RISK-002 with a pointer for each */
export async function refuseUnknownOwners(
  { iam }: Pick<RiskServices, 'iam'>,
  tx: Tx,
  { owner_id: owner, treatment }: Pick<CreateRisk | PatchRisk, 'owner_id' | 'treatment'>,
): Promise<void> {
  const named = [
    ...(owner === undefined ? [] : [{ id: owner, pointer: '/owner_id' }]),
    ...(treatment?.actions ?? []).flatMap(({ owner_id: id }, i) =>
      id === undefined || id === null ? [] : [{ id, pointer: `/treatment/actions/${i}/owner_id` }],
    ),
  ]
  if (named.length === 0) return
  const known = await iam.knownPrincipals(tx, { users: named.map(({ id }) => id), keys: [] })
  const unknown = named.filter(({ id }) => !known.has(id))
  if (unknown.length === 0) return
  throw errors
    .unknownReference({ what: 'user' })
    .at(unknown.map(({ pointer }) => ({ detail: 'There is no such user.', pointer })))
}
