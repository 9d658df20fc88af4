/** Actions of a treatment: made from bodies, due, missed. */
import type { Random } from '../../../kernel/crypto/random.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { errors } from '../errors/errors.ts'
import type { Action, NewAction, NewTreatment, Treatment } from './parts.ts'

/** The treatment as it is stored: actions keep their ids, and a missed deadline is forgotten when it is moved. */
export function treatmentOf(
  random: Pick<Random, 'uuid'>,
  before: Treatment | null,
  { strategy, actions = [] }: NewTreatment,
): Treatment {
  const known = new Map(before?.actions.map((action) => [action.id, action]))
  return { strategy, actions: actions.map((action, i) => actionOf(random, { known, action, i })) }
}

interface Given {
  readonly known: ReadonlyMap<string, Action>
  readonly action: NewAction
  readonly i: number
}

function actionOf(random: Pick<Random, 'uuid'>, { known, action, i }: Given): Action {
  const old = action.id === undefined ? undefined : known.get(action.id)
  if (action.id !== undefined && old === undefined)
    throw errors
      .unknownReference({ what: 'treatment action' })
      .at([{ detail: 'There is no such action.', pointer: `/treatment/actions/${i}/id` }])
  const cost = action.cost ?? null
  const currency = action.currency ?? null
  if ((cost === null) !== (currency === null)) {
    const detail = 'A cost and its currency come together.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `/treatment/actions/${i}/cost` }])
  }
  return {
    id: old?.id ?? random.uuid(),
    title: action.title,
    due_at: action.due_at,
    control_ids: action.control_ids ?? [],
    owner_id: action.owner_id ?? null,
    status: action.status ?? old?.status ?? 'open',
    cost,
    currency,
    missed_at: old?.due_at === action.due_at ? old.missed_at : null,
  }
}

const isWaiting = ({ status, missed_at }: Action): boolean => status === 'open' && missed_at === null

/** The earliest deadline of an open action that has not been told of as missed. */
export function nextDeadline(treatment: Treatment | null): string | null {
  const dates = (treatment?.actions ?? []).filter(isWaiting).map(({ due_at }) => new Date(due_at).toISOString())
  return dates.sort()[0] ?? null
}

/** The treatment with every action marked whose deadline has passed, and those actions. */
export function markMissed(treatment: Treatment, now: string): { treatment: Treatment; missed: readonly Action[] } {
  const isMissed = (action: Action): boolean => isWaiting(action) && Date.parse(action.due_at) <= Date.parse(now)
  const actions = treatment.actions.map((action) => (isMissed(action) ? { ...action, missed_at: now } : action))
  return { treatment: { ...treatment, actions }, missed: treatment.actions.filter(isMissed) }
}

export const openActions = (treatment: Treatment | null): number =>
  (treatment?.actions ?? []).filter(({ status }) => status === 'open').length
