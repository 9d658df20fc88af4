/** The steps of a call as rows of a waterfall: all fourteen, those that did not run as well. Pure. Tested in steps.test.ts. */
export interface Step {
  readonly n: number
  readonly name: string
  readonly decision: string
  readonly ms: number
  readonly budget_ms: number
  readonly failed: boolean
  readonly findings: number
}

export interface StepRow extends Omit<Step, 'decision'> {
  readonly decision: string
  readonly ran: boolean
  /** Position and length in the time of all steps, 0 to 1. */
  readonly from: number
  readonly share: number
}

/** In the order in which they run. */
export const stepNames = [
  'admission',
  'kill_switch',
  'policy_resolution',
  'rate_and_budget',
  'normalization',
  'injection_detection',
  'sensitive_data',
  'content_policy',
  'cache_lookup',
  'routing',
  'upstream_call',
  'output_inspection',
  'restoration',
  'audit_and_accounting',
] as const

/** @param steps those that ran, as the API has them */
export function stepRows(steps: readonly Step[]): readonly StepRow[] {
  const total = steps.reduce((sum, { ms }) => sum + ms, 0)
  let passed = 0
  return stepNames.map((name, index) => {
    const step = steps.find(({ n }) => n === index + 1)
    if (step === undefined) return absent(index + 1, name)
    const row = { ...step, ran: true, from: total === 0 ? 0 : passed / total, share: total === 0 ? 0 : step.ms / total }
    passed += step.ms
    return row
  })
}

const absent = (n: number, name: string): StepRow => ({
  n,
  name,
  decision: 'skipped',
  ms: 0,
  budget_ms: 0,
  failed: false,
  findings: 0,
  ran: false,
  from: 0,
  share: 0,
})
