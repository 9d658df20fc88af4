import type { Actor } from '../../kernel/access/actor.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { defineApi } from '../../kernel/module/module.ts'

export interface CompletedAssessment {
  readonly id: string
  readonly status: string
  /** Of each framework, 0 to 100. */
  readonly effectiveness: readonly number[]
}

export interface ComplianceApi {
  /**
   * Assesses adopted frameworks from the results of checks, in the caller's transaction. The caller has checked the rights.
   * @throws API-001 without a framework, COMP-004 for one that is not adopted
   */
  runAssessment(
    tx: Tx,
    actor: Pick<Actor, 'userId'>,
    wanted: { readonly name: string; readonly frameworkIds: readonly string[] },
  ): Promise<CompletedAssessment>
}

export const complianceApi = defineApi<ComplianceApi>('compliance')
