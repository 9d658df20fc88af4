/**
 * The two people it takes to reveal values where the tenant says so: both ask for the same values of the same call, and a
 * tenant with one administrator reveals nothing.
 * Tested in second-person.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import { type Confirmed, confirmation, type Unconfirmed } from '../../../kernel/second-person/second-person.ts'
import type { GatewayServices } from '../services/gateway-services.ts'

/** Null where one person is enough. */
export type Approval = Confirmed | null

interface Asked {
  readonly actor: Actor
  readonly call: RepeatableCall
  /** Of the log row. */
  readonly callId: string
}

/** The approver, or the token for the second person. The approval is used up with the act. */
export async function approvalOf(
  { kernel, iam }: Pick<GatewayServices, 'kernel' | 'iam'>,
  tx: Tx,
  { actor, call, callId }: Asked,
): Promise<Approval | Unconfirmed> {
  const { revealSecondPerson } = await iam.policyRules(tx)
  return revealSecondPerson ? confirmation(kernel, actor, { tenantId: tx.tenantId, call, state: [callId] }) : null
}

interface Wanted {
  readonly callId: string
  readonly placeholders: readonly string[]
  readonly reason: string
}

/** Records the first person's request. */
export async function noteFirstPerson(tx: Tx, { callId, placeholders, reason }: Wanted): Promise<void> {
  await tx.audit('gateway.vault.reveal', {
    target: `request:${callId}`,
    result: 'refused',
    after: { placeholders, waits_for: 'a second person' },
    reason,
  })
}
