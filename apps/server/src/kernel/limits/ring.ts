/**
 * The sliding window in 61 slots. Sixty slots cover the window; the sixty-first is the one still filling. With sixty a
 * unit taken late in the oldest slot would be forgotten up to one slot too early, and a window could hold 3 % too much.
 */

export const ringSlots = 61

export interface UnitRing {
  readonly kind: 'ring'
  /** Length of a slot in milliseconds: a sixtieth of the window, rounded up so that the ring never covers less. */
  readonly slotMs: number
  readonly slots: Uint32Array
  /** Number of the newest slot since the epoch. */
  newest: number
  /** Number of the slot last charged. */
  charged: number
  total: number
  /** Latest moment this ring was asked about. */
  latest: number
}

/** Length in milliseconds of one slot of a window. */
export const slotLength = (windowMs: number): number => Math.ceil(windowMs / (ringSlots - 1))

/** An empty ring for a window. */
export function createRing(now: number, windowMs: number): UnitRing {
  const slotMs = slotLength(windowMs)
  const newest = Math.floor(now / slotMs)
  return { kind: 'ring', slotMs, slots: new Uint32Array(ringSlots), newest, charged: newest, total: 0, latest: now }
}

/** Turns the ring to `now`, emptying the slots passed over, and returns how many units still count. */
export function ringUsed(ring: UnitRing, now: number): number {
  const slot = Math.floor(now / ring.slotMs)
  const passed = Math.min(slot - ring.newest, ringSlots)
  for (let step = 0; step < passed; step += 1) {
    const index = positiveModulo(slot - step)
    ring.total -= ring.slots[index] ?? 0
    ring.slots[index] = 0
  }
  if (passed > 0) ring.newest = slot
  return ring.total
}

/** Adds `cost` units to the newest slot; the caller has turned the ring and made sure that they fit. */
export function ringCharge(ring: UnitRing, cost: number): void {
  const index = positiveModulo(ring.newest)
  ring.slots[index] = (ring.slots[index] ?? 0) + cost
  ring.total += cost
  ring.charged = ring.newest
}

/** Milliseconds until `excess` units (at most the number counted) have left the ring. */
export function ringWait(ring: UnitRing, now: number, excess: number): number {
  let left = excess
  for (let slot = ring.newest - ringSlots + 1; slot <= ring.newest; slot += 1) {
    left -= ring.slots[positiveModulo(slot)] ?? 0
    if (left <= 0) return (slot + ringSlots) * ring.slotMs - now
  }
  return (ring.newest + ringSlots) * ring.slotMs - now
}

/** When the last counted unit leaves the ring; `now` for an empty one. */
export function ringEmptyAt(ring: UnitRing, now: number): number {
  return ring.total === 0 ? now : (ring.charged + ringSlots) * ring.slotMs
}

// A fake clock near zero has slots before the epoch.
const positiveModulo = (slot: number): number => ((slot % ringSlots) + ringSlots) % ringSlots
