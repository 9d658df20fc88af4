import type { Clock } from '../base/clock.ts'
import { type FaultPoint, type Faults, InjectedFault, passSeam } from '../faults/seams.ts'
import { DatabaseUnavailable } from './errors.ts'

/** The seam `database`, with the clock that its delays run on. */
export interface DatabaseSeam {
  readonly faults: Faults
  readonly clock: Pick<Clock, 'after'>
}

/**
 * Gets a session for a tenant through the seam; without a seam, or unarmed, at once. One that is made to fail has never had
 * a connection, so nothing of it is half done. @throws DatabaseUnavailable
 */
export function throughSeam<T>(
  seam: DatabaseSeam | undefined,
  point: FaultPoint & { readonly target: 'transaction' | 'read' },
  acquire: () => Promise<T>,
): Promise<T> {
  const hook = seam?.faults.seams.database
  if (seam === undefined || hook === undefined) return acquire()
  return passSeam(hook, { seam: 'database', ...point, clock: seam.clock }).then(acquire, (error: unknown) => {
    throw error instanceof InjectedFault ? new DatabaseUnavailable(error.message, error) : error
  })
}
