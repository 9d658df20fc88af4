/**
 * The two people it takes to reveal values where the tenant says so. Promises that both asked for the same values of the
 * same call, that two sessions of one person are one person, and that a tenant with one administrator reveals nothing.
 * Tested in second-person.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { type Confirmable, makeConfirmToken, readConfirmToken } from '../../../kernel/auth/confirm-token.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { GatewayServices } from '../services/gateway-services.ts'

export interface Approval {
  /** Who asked first; null where one person is enough. */
  readonly approvedBy: string | null
}

interface Asked {
  readonly actor: Actor
  /** Of the log row. */
  readonly callId: string
  readonly placeholders: readonly string[]
  readonly token: string | null
}

/** Null when a second person has to ask for the same. */
export async function approvalOf(
  { kernel, iam }: Pick<GatewayServices, 'kernel' | 'iam'>,
  tx: Tx,
  asked: Asked,
): Promise<Approval | null> {
  const { revealSecondPerson } = await iam.policyRules(tx)
  if (!revealSecondPerson) return { approvedBy: null }
  if (asked.token === null) return null
  const confirmable = { ...confirmableOf(tx.tenantId, asked), nowMs: kernel.clock.now() }
  const first = readConfirmToken(kernel.platformKeys, asked.token, confirmable)
  return first === null || first.by === asked.actor.userId ? null : { approvedBy: first.by }
}

/** What is noted of who asked first, and the token the second person needs. */
export async function askForSecondPerson(
  { kernel }: Pick<GatewayServices, 'kernel'>,
  tx: Tx,
  asked: Asked & { readonly reason: string },
): Promise<string> {
  await tx.audit('gateway.vault.reveal', {
    target: `request:${asked.callId}`,
    result: 'refused',
    after: { placeholders: asked.placeholders, waits_for: 'a second person' },
    reason: asked.reason,
  })
  const confirmable = { ...confirmableOf(tx.tenantId, asked), by: asked.actor.userId }
  return makeConfirmToken(kernel.platformKeys, confirmable, kernel.clock.now())
}

/** In which order the placeholders are named does not matter. */
function confirmableOf(tenantId: string, { callId, placeholders }: Asked): Confirmable {
  return { purpose: 'vault-reveal-confirm', tenantId, subject: [callId, ...[...placeholders].sort()] }
}
