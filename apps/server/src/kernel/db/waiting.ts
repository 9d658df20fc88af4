/** Statements of a transaction that travel with its next flush. Tested in transaction.test.ts. */
import type { Result } from './port.ts'
import type { Sql } from './sql.ts'

export interface Waiting {
  readonly statement: Sql<unknown>
  readonly resolve?: (result: Result) => void
  readonly reject?: (error: unknown) => void
}

/** Gives each statement its result. */
export function deliver(batch: readonly Waiting[], results: readonly Result[]): void {
  batch.forEach(({ resolve }, index) => {
    const result = results[index]
    if (result !== undefined) resolve?.(result)
  })
}
