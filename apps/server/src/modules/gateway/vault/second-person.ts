/**
 * The two people it takes to reveal values where the tenant says so: both ask for the same values of the same call, and a
 * tenant with one administrator reveals nothing.
 * Tested in second-person.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { confirmation, type Decision } from '../../../kernel/auth/four-eyes.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { GatewayServices } from '../services/gateway-services.ts'

export interface Approval {
  /** Who asked first; null where one person is enough. */
  readonly approvedBy: string | null
}

export interface MissingApproval {
  readonly missing: { readonly token: string | null }
}

interface Asked {
  readonly actor: Actor
  /** Of the log row. */
  readonly callId: string
  readonly placeholders: readonly string[]
  readonly token: string | null
}

/** Who approved, or the token for the second person, who has to ask for the same. */
export async function approvalOf(
  { kernel, iam }: Pick<GatewayServices, 'kernel' | 'iam'>,
  tx: Tx,
  asked: Asked,
): Promise<Approval | MissingApproval> {
  const { revealSecondPerson } = await iam.policyRules(tx)
  if (!revealSecondPerson) return { approvedBy: null }
  const found = confirmation(kernel, asked.actor, decisionOf(tx.tenantId, asked), asked)
  return found.kind === 'confirmed' ? { approvedBy: found.by } : { missing: found }
}

/** Notes who asked first. */
export async function noteFirstPerson(tx: Tx, asked: Asked & { readonly reason: string }): Promise<void> {
  await tx.audit('gateway.vault.reveal', {
    target: `request:${asked.callId}`,
    result: 'refused',
    after: { placeholders: asked.placeholders, waits_for: 'a second person' },
    reason: asked.reason,
  })
}

/** In which order the placeholders are named does not matter. */
function decisionOf(tenantId: string, { callId, placeholders }: Asked): Decision {
  return { purpose: 'vault-reveal-confirm', tenantId, subject: [callId, ...[...placeholders].sort()] }
}
