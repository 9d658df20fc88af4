import type { StepRecord } from '../../schemas/request.ts'

/** The last step, which its own record tells of as far as it can. */
export const recordingStep = { n: 14, name: 'audit_and_accounting', budgetMs: 5 } as const

interface Recorded extends Pick<StepRecord, 'n' | 'name'> {
  readonly budgetMs: number
}

type Did = Pick<StepRecord, 'decision' | 'ms' | 'failed' | 'findings'>

/** Record of a step. Made here only: of records of several shapes every reader pays for each. */
export function stepRecord({ n, name, budgetMs }: Recorded, { decision, ms, failed, findings }: Did): StepRecord {
  return { n, name, decision, ms, budget_ms: budgetMs, failed, findings }
}

/** The record of a step that went on after it was made. */
export function stepGoneOn(record: StepRecord, more: Partial<Did>): StepRecord {
  const { n, name, budget_ms: budgetMs } = record
  const { decision = record.decision, ms = record.ms, failed = record.failed, findings = record.findings } = more
  return stepRecord({ n, name, budgetMs }, { decision, ms, failed, findings })
}
