/**
 * Acceptance of a risk: for at most twelve months, with a reason; above the tolerance by an administrator of risk with a
 * second person, who repeats the call. Tested in acceptance.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import { isPerson } from '../../../kernel/second-person/people.ts'
import { needSecondPerson } from '../../../kernel/second-person/second-person.ts'
import { errors } from '../errors/errors.ts'
import type { Acceptance, NewAcceptance } from './parts.ts'
import type { RiskRow } from './schema.ts'

export interface AcceptanceAsked {
  readonly actor: Actor
  /** With the other changes of the same call. */
  readonly row: RiskRow
  readonly given: NewAcceptance | undefined
  readonly call: RepeatableCall
}

export type TwoPersonParts = Pick<Kernel, 'clock' | 'platformKeys'>

/** @throws RISK-011, AUTH-004, RISK-004 with `confirm_token` for the second person */
export async function acceptanceOf(kernel: TwoPersonParts, tx: Tx, asked: AcceptanceAsked): Promise<Acceptance> {
  const { actor, row, given } = asked
  if (given === undefined) throw incomplete('An acceptance says until when and why.', '/acceptance')
  const until = new Date(given.until)
  const latest = new Date(kernel.clock.now())
  latest.setUTCFullYear(latest.getUTCFullYear() + 1)
  if (until.getTime() <= kernel.clock.now())
    throw incomplete('The end of an acceptance is in the future.', '/acceptance/until')
  if (until > latest) throw incomplete('An acceptance lasts at most twelve months.', '/acceptance/until')
  const second = row.above_tolerance ? await secondPersonOf(kernel, tx, asked) : null
  return { by: actor.userId, second_person: second, until: until.toISOString(), reason: given.reason }
}

function secondPersonOf(kernel: TwoPersonParts, tx: Tx, { actor, row, call }: AcceptanceAsked): Promise<string> {
  if (!holds(actor.permissions, 'risk:admin')) throw authErrors.forbidden({ permission: 'risk:admin' })
  if (!isPerson(actor)) throw errors.secondPerson({ what: 'This takes two people, and a service account is none.' })
  const what =
    'The risk is above its tolerance: another administrator of risk repeats the call with the confirm_token within 15 minutes.'
  const state = [row.id, row.version, JSON.stringify(row.score)]
  return needSecondPerson(kernel, tx, actor, { call, state, refusal: () => errors.secondPerson({ what }) })
}

const incomplete = (detail: string, pointer: string) =>
  errors.acceptanceIncomplete({ what: detail }).at([{ detail, pointer }])
