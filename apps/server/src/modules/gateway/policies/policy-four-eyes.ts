/**
 * The two people it takes to loosen what is live, where the tenant says so. Promises that both asked for the same change
 * of the same state of the policy, that two credentials of one person are one person, and that a service account is
 * none. Tested in policy-four-eyes.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { makeConfirmToken, readConfirmToken } from '../../../kernel/auth/confirm-token.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../declared/errors.ts'
import type { PolicyRow } from './schema.ts'

export interface Change {
  readonly row: PolicyRow
  /** All of the change that matters to who is held to what. */
  readonly wanted: object
  readonly token: string | null
}

/** Who asked for the same change before. @throws GW-025 with `confirm_token` for the second person */
export function needSecondPerson(
  { clock, platformKeys }: Pick<Kernel, 'clock' | 'platformKeys'>,
  actor: Actor,
  { row, wanted, token }: Change,
): string {
  needPerson(actor)
  const subject = [row.id, String(row.version), canonicalHash(wanted)]
  const confirmable = { purpose: 'policy-change-confirm', tenantId: row.tenant_id, subject } as const
  const nowMs = clock.now()
  const first = token === null ? null : readConfirmToken(platformKeys, token, { ...confirmable, nowMs })
  if (first !== null && first.by !== actor.userId) return first.by
  throw errors
    .policyTransition({
      what: 'This takes two people: another administrator repeats the call with the confirm_token within 15 minutes.',
    })
    .withMembers({ confirm_token: makeConfirmToken(platformKeys, { ...confirmable, by: actor.userId }, nowMs) })
}

/** Whoever writes a version could make a service account too, and have it agree. @throws GW-025 */
export function needPerson(actor: Actor | null): void {
  if (actor?.agentId !== undefined)
    throw errors.policyTransition({ what: 'This takes two people, and a service account is none.' })
}

/** Whether somebody could be held to less: policies only add up, so binding one to more tightens. */
export function loosens(before: PolicyRow, after: PolicyRow): boolean {
  if (before.status !== 'published') return false
  if (after.status === 'archived') return true
  if (after.bindings.some(({ kind }) => kind === 'tenant')) return false
  return before.bindings.some(
    ({ kind, value }) => !after.bindings.some((kept) => kept.kind === kind && kept.value === value),
  )
}
