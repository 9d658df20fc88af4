/**
 * The two people it takes to loosen what is live, where the tenant says so: both ask for the same change of the same state
 * of the policy. Tested in policy-four-eyes.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { confirmation, isPerson, mayDecideOn } from '../../../kernel/auth/four-eyes.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../declared/errors.ts'
import type { PolicyRow, PolicyVersionRow } from './schema.ts'

export interface Change {
  readonly row: PolicyRow
  /** All of the change that matters to who is held to what. */
  readonly wanted: object
  readonly token: string | null
}

/** Who asked for the same change before. @throws GW-033 with `confirm_token` for the second person */
export function needSecondPerson(
  kernel: Pick<Kernel, 'clock' | 'platformKeys'>,
  actor: Actor,
  { row, wanted, token }: Change,
): string {
  needPerson(actor)
  const subject = [row.id, String(row.version), canonicalHash(wanted)]
  const decision = { purpose: 'policy-change-confirm', tenantId: row.tenant_id, subject } as const
  const found = confirmation(kernel, actor, decision, { token })
  if (found.kind === 'confirmed') return found.by
  const refused = errors.secondPerson({
    what: 'This takes two people: another administrator repeats the call with the confirm_token within 15 minutes.',
  })
  throw found.token === null ? refused : refused.withMembers({ confirm_token: found.token })
}

/** Whoever writes a version could make a service account too, and have it agree. @throws GW-033 */
export function needPerson(actor: Actor): void {
  if (!isPerson(actor)) throw errors.secondPerson({ what: 'This takes two people, and a service account is none.' })
}

/** A key acts for its owner, so this holds for what the author does by key as well. @throws GW-033 */
export function needOtherThanAuthor(actor: Actor, { author_id: by, created_at }: PolicyVersionRow): void {
  if (by === null || mayDecideOn({ by, atMs: Date.parse(created_at) }, actor)) return
  throw errors.secondPerson({
    what: 'Another person than the author, with an account and credentials of their own, has to publish this version.',
  })
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
