import type { CapInput } from './caps.ts'
import { eventKey, type SignalEvent } from './events-penalty.ts'
import { type Evidence, hasEvidence, type SignalInput } from './evidence.ts'
import { instant } from './instant.ts'

/**
 * Evidence to score now, given what was scored before. A signal whose source fell silent, lost its sample, or came
 * back with an older observation keeps its last evidence and goes on ageing; a cap that is no longer reported stays.
 * So withholding or deleting evidence cannot raise a score: only a newer observation can.
 */
export function retainEvidence(before: Evidence, now: Evidence): Evidence {
  return {
    signals: retained<SignalInput>(before.signals, now.signals, newerSignal),
    caps: retained<CapInput>(before.caps, now.caps, (_, cap) => cap),
  }
}

function retained<T extends { readonly id: string }>(
  before: readonly T[],
  now: readonly T[],
  choose: (old: T, fresh: T) => T,
): readonly T[] {
  const known = new Map(before.map((item) => [item.id, item]))
  const chosen = now.map((item) => {
    const old = known.get(item.id)
    known.delete(item.id)
    return old === undefined ? item : choose(old, item)
  })
  return [...chosen, ...known.values()]
}

function newerSignal(old: SignalInput, fresh: SignalInput): SignalInput {
  if (!hasEvidence(old)) return fresh
  if (hasEvidence(fresh) && momentOf(fresh) >= momentOf(old)) return fresh
  return old.events === undefined ? old : { ...old, events: mergedEvents(old.events, fresh.events ?? []) }
}

function momentOf(signal: SignalInput): number {
  return signal.observed_at === null ? Number.NEGATIVE_INFINITY : instant(signal.observed_at)
}

/** Known events stay during a pause of the source; new ones still count, and the newer form of the same one wins. */
function mergedEvents(old: readonly SignalEvent[], fresh: readonly SignalEvent[]): readonly SignalEvent[] {
  const reported = new Set(fresh.map(eventKey))
  return [...fresh, ...old.filter((event) => !reported.has(eventKey(event)))]
}
