/**
 * Notices of the kernel's loops to modules, inside the transaction in which it happened, so that an event about it
 * exists when it does. The kernel knows no events of its own: the owner of one fills the port. Tested through the
 * administration module.
 */
import type { Tx } from '../db/port.ts'
import { definePort } from '../module/ports/port.ts'

interface EndedJob {
  readonly id: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** A job that waited or ran and was cancelled by an administrator. */
export type CancelledJob = EndedJob

/** A job that failed as often as its kind allows. */
export interface DeadJob extends EndedJob {
  readonly attempts: number
  /** The name of the error; its words may name machines. */
  readonly errorClass: string
}

/** A head of an audit chain that was signed and put outside. */
export interface MadeCheckpoint {
  readonly size: number
  readonly headHash: string
}

export type Notice<T> = (tx: Tx, told: T) => Promise<void>

export const jobDiedPort = definePort<Notice<DeadJob>>({ name: 'kernel.job_died', cardinality: 'many' })
export const jobCancelledPort = definePort<Notice<CancelledJob>>({ name: 'kernel.job_cancelled', cardinality: 'many' })
export const checkpointMadePort = definePort<Notice<MadeCheckpoint>>({
  name: 'kernel.checkpoint_made',
  cardinality: 'many',
})

/** Tells everybody, one after the other: they share the transaction's one connection. */
export function tellAll<T>(listeners: () => readonly Notice<T>[]): Notice<T> {
  return async (tx, told) => {
    for (const listener of listeners()) await listener(tx, told)
  }
}
