/** The state of a record as it follows from its events. Tested in fold.test.ts. */
import type { ConsentEventRow, ConsentEventWord, ConsentState } from '../declared/consent-schema.ts'

type Told = Pick<ConsentEventRow, 'id' | 'event' | 'occurred_at' | 'created_at'>

const after: Readonly<Record<ConsentEventWord, ConsentState>> = {
  ...{ requested: 'requested', given: 'given', refused: 'refused', withdrawn: 'withdrawn', renewed: 'given' },
  ...{ expired: 'expired', invalidated: 'invalidated', objected: 'objected' },
}

/** Events that need a consent or a basis in force before them. */
const needsGiven: ReadonlySet<ConsentEventWord> = new Set(['withdrawn', 'renewed', 'expired', 'invalidated'])

/** Older first: by the time at which they happened, then by the time at which they were told. */
export function inOrder<E extends Told>(events: readonly E[]): readonly E[] {
  const key = ({ occurred_at: at, created_at: told, id }: Told) => `${at} ${told} ${id}`
  return events.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** The first event that cannot follow those before it; null where all can. */
export function impossibleEvent<E extends Told>(events: readonly E[]): E | null {
  let state: ConsentState | null = null
  for (const one of inOrder(events)) {
    const given = state === 'given' || (state === 'expired' && one.event === 'renewed')
    // A withdrawal that is told twice is no contradiction.
    if (needsGiven.has(one.event) && !given && after[one.event] !== state) return one
    state = after[one.event]
  }
  return null
}

export const stateAfter = (event: ConsentEventWord): ConsentState => after[event]
