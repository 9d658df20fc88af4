/**
 * Lanes of background work. Work of the long lane runs for seconds to hours and has slots and threads of its own, so
 * that quick work never waits for it. Work of the outside lane waits for other systems and takes hardly any processor, so
 * it has many slots, and one system that answers slowly keeps nothing else waiting.
 */
export const lanes = ['quick', 'outside', 'long'] as const
export type Lane = (typeof lanes)[number]

/**
 * Lanes of threads. Bulk tasks belong to calls and may take a minute: they have a thread of their own too, and the
 * caller does the work in turns where none is free.
 */
export const threadLanes = ['quick', 'bulk', 'long'] as const
export type ThreadLane = (typeof threadLanes)[number]
