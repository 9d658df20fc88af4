/**
 * What loops of the kernel tell modules, inside the transaction in which it happened, so that an event about it exists
 * when it does. The kernel knows no events of its own: who owns one listens. Tested through the administration module.
 */
import type { Tx } from '../db/port.ts'

/** A job that failed as often as its kind allows. */
export interface DeadJob {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  /** The name of the error; its words may name machines. */
  readonly errorClass: string
}

/** A head of an audit chain that was signed and put outside. */
export interface MadeCheckpoint {
  readonly size: number
  readonly headHash: string
}

export interface Notice<T> {
  listen(listener: (tx: Tx, told: T) => Promise<void>): void
  tell(tx: Tx, told: T): Promise<void>
}

export interface Notices {
  readonly jobDied: Notice<DeadJob>
  readonly checkpointMade: Notice<MadeCheckpoint>
}

export function createNotices(): Notices {
  return { jobDied: createNotice(), checkpointMade: createNotice() }
}

function createNotice<T>(): Notice<T> {
  const listeners: ((tx: Tx, told: T) => Promise<void>)[] = []
  return {
    listen: (listener) => void listeners.push(listener),
    tell: async (tx, told) => {
      for (const listener of listeners) await listener(tx, told)
    },
  }
}
