import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { errors } from '../declared/errors.ts'
import { createPipeline, type Pipeline } from '../pipeline/order.ts'
import { complete } from '../policy/defaults.ts'
import type { PolicyDocumentInput } from '../policy/document.ts'
import type { GatewayServices } from '../services/gateway-services.ts'

interface Wanted {
  /** Id or name. */
  readonly policy: string
  readonly version: number
}

interface StoredVersion {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly sha256: string
  readonly document: PolicyDocumentInput
}

/**
 * A pipeline in which one policy stands at another version, published or not, for one call; everything else is as it is
 * for every call. @throws GW-002
 */
export async function pipelineAt(
  { parts }: Pick<GatewayServices, 'parts'>,
  tenantId: TenantId,
  { policy, version }: Wanted,
): Promise<Pipeline> {
  const [stored] = await parts.kernel.db.read(
    tenantId,
    sql<StoredVersion>`
      select p.id, p.name, v.number as version, v.sha256, v.document
      from gateway_policy p
      join gateway_policy_version v on v.policy_id = p.id and v.number = ${version}
      where (p.id::text = ${policy} or p.name = ${policy}) and p.status <> 'archived'`,
  )
  if (stored === undefined) throw errors.policyNotUsable({ policy: `${policy} with version ${version}` })
  const snapshot = await parts.snapshots.get(tenantId)
  const published = snapshot.policies.find(({ id }) => id === stored.id)
  const changed = { ...stored, document: complete(stored.document), bindings: published?.bindings ?? [] }
  const others = snapshot.policies.filter(({ id }) => id !== stored.id)
  const altered = { ...snapshot, policies: [...others, changed], compiled: new Map() }
  return createPipeline({ ...parts, snapshots: { ...parts.snapshots, get: () => altered } })
}
