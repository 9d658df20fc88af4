import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { AgentParts } from './parts.ts'
import type { PatchAgent } from './schema.ts'

type People = Pick<PatchAgent, 'owner_user_id' | 'sponsor_user_id'>

/** @throws API-001 with a pointer, for an owner or a sponsor who is no person of the tenant */
export async function refuseUnknownPeople(
  { iam }: Pick<AgentParts, 'iam'>,
  tx: Tx,
  { owner_user_id, sponsor_user_id }: People,
): Promise<void> {
  for (const [pointer, id] of Object.entries({
    '/owner_user_id': owner_user_id,
    '/sponsor_user_id': sponsor_user_id,
  })) {
    if (id === undefined || id === null) continue
    const found = await iam.findPrincipal(tx, id)
    if (found !== null && found.key_id === null && found.type === 'human') continue
    const detail = 'There is no such person.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer }])
  }
}
