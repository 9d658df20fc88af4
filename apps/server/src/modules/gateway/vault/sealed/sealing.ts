/**
 * Redacted values as they are kept: each encrypted for its tenant, call and placeholder under the call's own data key,
 * which is wrapped by the tenant's. Promises that without the wrapped key none of them can be read, and that a policy
 * or a caller that keeps no content keeps no values either. Tested in vault.test.ts.
 */

import type { TenantId } from '../../../../kernel/access/actor.ts'
import { boundTo, open, seal } from '../../../../kernel/crypto/envelope.ts'
import { insertRows } from '../../../../kernel/db/rows.ts'
import { type Insert, sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import { type SealedValue, type VaultRow, vaults } from './tables.ts'

/** The only version of a data key: a call has one and never another. */
const keyVersion = 1
const hourMs = 3_600_000

const keyAddress = (id: string) => ({ table: 'gateway_vault', column: 'wrapped_key', rowId: id })

interface Place {
  readonly tenantId: TenantId
  /** The call. */
  readonly id: string
  readonly placeholder: string
}

const contextOf = ({ tenantId, id, placeholder }: Place): Uint8Array => boundTo('vault', tenantId, id, placeholder)

type Sealer = Pick<Kernel, 'tenantKeys' | 'random' | 'clock'>

/** Null when the policy keeps no values or the call has none. */
export async function vaultRow(
  { tenantKeys, random, clock }: Sealer,
  state: WithFacts & WithPlan,
): Promise<VaultRow | null> {
  const {
    facts,
    plan: { policy },
  } = state
  const { retain_in_vault: retains, vault_ttl_hours: hours } = policy.effective.sensitive_data
  if (!retains) return null
  // Text that callers typed in the form of a placeholder is no redacted value.
  const entries = state.plan.vault.entries().filter(({ type }) => type !== 'LITERAL')
  if (entries.length === 0) return null
  const key = random.bytes(32)
  const { tenantId, id } = facts
  const sealed = entries.map(({ placeholder, type, value }) => ({
    placeholder,
    entity_type: type,
    sealed: Buffer.from(
      seal({
        key,
        keyVersion,
        nonce: random.bytes(12),
        context: contextOf({ tenantId, id, placeholder }),
        plaintext: new TextEncoder().encode(value),
      }),
    ).toString('base64'),
  }))
  return {
    id,
    tenant_id: tenantId,
    user_id: facts.actor.userId,
    wrapped_key: await tenantKeys.encrypt(tenantId, keyAddress(id), key),
    sealed_values: sealed,
    expires_at: new Date(clock.now() + hours * hourMs).toISOString(),
    shredded_at: null,
    created_at: facts.startedAt,
  }
}

/** In the commit of their outcomes. */
export function insertVaults(rows: readonly VaultRow[]): Insert {
  return { insert: sql`vault as (${insertRows(vaults, rows)} on conflict do nothing)` }
}

interface Locked {
  readonly id: string
  readonly wrapped_key: Uint8Array
}

/** Opens values of one call. Not for use inside a transaction. @throws Error when a value was changed or moved */
export async function openValues(
  { tenantKeys }: Pick<Kernel, 'tenantKeys'>,
  tenantId: TenantId,
  vault: Locked & { readonly values: readonly SealedValue[] },
): Promise<readonly string[]> {
  const key = await tenantKeys.decrypt(tenantId, keyAddress(vault.id), vault.wrapped_key)
  return vault.values.map(({ placeholder, sealed }) => {
    const context = contextOf({ tenantId, id: vault.id, placeholder })
    return new TextDecoder().decode(open(key, context, Buffer.from(sealed, 'base64')))
  })
}
