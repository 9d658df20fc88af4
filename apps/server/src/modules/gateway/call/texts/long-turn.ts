import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters or bytes from which decoding or copying noticeably delays other calls. */
const long = 262_144

/** Lets other calls run between two steps on a long text; returns at once for a short one. */
export async function afterLong(length: number): Promise<void> {
  if (length > long) await nextTurn()
}
