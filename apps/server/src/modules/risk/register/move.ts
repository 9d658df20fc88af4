/** A move that a person asks for. Tested in register.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import { errors } from '../errors/errors.ts'
import { movesFrom } from '../scoring/states.ts'
import { acceptanceOf, type TwoPersonParts } from './acceptance.ts'
import type { RiskChanges } from './apply-change.ts'
import type { PatchRisk, RiskRow } from './schema.ts'
import { openActions } from './treatment.ts'

export interface Move {
  readonly actor: Actor
  /** The risk with the other changes of the same call. */
  readonly row: RiskRow
  readonly input: PatchRisk
  readonly call: RepeatableCall
}

/** The columns that a move changes. @throws RISK-003, RISK-004, RISK-011, API-001, AUTH-004 */
export async function moveOf(kernel: TwoPersonParts, tx: Tx, { actor, row, input, call }: Move): Promise<RiskChanges> {
  const { status: to, acceptance: given, reason } = input
  if (to === undefined || to === row.status) {
    if (given === undefined) return {}
    throw invalid('An acceptance comes with the status accepted.', '/acceptance')
  }
  refuseIllegal(row, to)
  if (row.status === 'closed' && reason === undefined) throw invalid('Opening a risk again needs a reason.', '/reason')
  if (to !== 'accepted') {
    if (given !== undefined) throw invalid('An acceptance comes with the status accepted.', '/acceptance')
    return { status: to, acceptance: null, acceptance_until: null }
  }
  const acceptance = await acceptanceOf(kernel, tx, { actor, row, given, call })
  return { status: to, acceptance, acceptance_until: acceptance.until }
}

function refuseIllegal(row: RiskRow, to: RiskRow['status']): void {
  const open = openActions(row.treatment)
  const allowed = movesFrom(row.status).filter((state) => state !== 'closed' || open === 0)
  if (allowed.includes(to)) return
  const waits = to === 'closed' && open > 0 ? ` (${open} actions of its treatment are open)` : ''
  throw errors.illegalMove({ from: row.status, to: `${to}${waits}`, allowed: allowed.join(', ') })
}

const invalid = (detail: string, pointer: string) => apiErrors.validation({ what: detail }).at([{ detail, pointer }])
