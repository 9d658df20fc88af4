import type { Tx } from '../../kernel/db/port.ts'
import { defineApi } from '../../kernel/module/module.ts'

export interface TrustApi {
  /** Asks for a new score in the caller's transaction; it is made by a job at once. Requests that come together are one. */
  requestRecalculation(tx: Tx): Promise<void>
}

export const trustApi = defineApi<TrustApi>('trust')
