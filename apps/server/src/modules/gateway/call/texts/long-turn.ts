import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters or bytes from which decoding or copying noticeably delays other calls. */
const long = 262_144

/** Gives other calls their turn between two steps over a long text; at once for any other. */
export async function afterLong(length: number): Promise<void> {
  if (length > long) await nextTurn()
}
