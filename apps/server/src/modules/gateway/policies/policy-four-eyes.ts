/**
 * Two-person rule for loosening a live policy, where the tenant requires it: both people request the same change of the
 * same state of the policy. Tested in policy-four-eyes.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import { isPerson, needOtherPerson } from '../../../kernel/second-person/people.ts'
import { needSecondPerson } from '../../../kernel/second-person/second-person.ts'
import { errors } from '../declared/errors.ts'
import type { PolicyRow, PolicyVersionRow } from './schema.ts'

interface Repeated {
  readonly row: PolicyRow
  readonly call: RepeatableCall
}

/**
 * The person who requested the same change of the same state before.
 * @throws GW-033 with `confirm_token` for the second person
 */
export function needTwoPeople(
  kernel: Pick<Kernel, 'clock' | 'platformKeys'>,
  tx: Tx,
  actor: Actor,
  { row, call }: Repeated,
): Promise<string> {
  needPerson(actor)
  const what = 'This takes two people: another administrator repeats the call with the confirm_token within 15 minutes.'
  const refusal = () => errors.secondPerson({ what })
  return needSecondPerson(kernel, tx, actor, { call, state: [row.id, row.version], refusal })
}

/** An author of versions could create a service account too, and have it agree. @throws GW-033 */
export function needPerson(actor: Actor): void {
  if (!isPerson(actor)) throw errors.secondPerson({ what: 'This takes two people, and a service account is none.' })
}

/** A key acts for its owner, so this holds for the author's keys as well. @throws GW-033 */
export function needOtherThanAuthor(actor: Actor, { author_id: by, created_at }: PolicyVersionRow): void {
  if (by === null) return
  const what =
    'Another person than the author, with an account and credentials of their own, has to publish this version.'
  needOtherPerson({ by, atMs: Date.parse(created_at) }, actor, () => errors.secondPerson({ what }))
}

/**
 * Whether a caller could end up with fewer restrictions: policies only add up, so binding one to more callers tightens.
 */
export function loosens(before: PolicyRow, after: PolicyRow): boolean {
  if (before.status !== 'published') return false
  if (after.status === 'archived') return true
  if (after.bindings.some(({ kind }) => kind === 'tenant')) return false
  return before.bindings.some(
    ({ kind, value }) => !after.bindings.some((kept) => kept.kind === kind && kept.value === value),
  )
}
