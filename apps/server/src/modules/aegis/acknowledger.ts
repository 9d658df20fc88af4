/**
 * Hands in what this instance has to acknowledge. Promises that a note is tried again until the database has taken it;
 * enforcing never waits for it. Tested in acknowledger.test.ts.
 */
import type { Enforced } from './propagation.ts'

export interface Acknowledger {
  /** Hands these in, and with them what failed before. */
  handIn(enforced: readonly Enforced[]): Promise<void>
}

export function createAcknowledger(write: (enforced: Enforced) => Promise<void>): Acknowledger {
  const open = new Set<Enforced>()
  return {
    handIn: async (enforced) => {
      for (const one of enforced) open.add(one)
      for (const one of open) {
        // Taken out first: another hand-in at the same time must not write it again.
        open.delete(one)
        try {
          await write(one)
        } catch (error) {
          open.add(one)
          throw error
        }
      }
    },
  }
}
