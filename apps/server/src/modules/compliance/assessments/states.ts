/** States of assessments and the moves between them. Pure. Tested in assessments.test.ts. */
export const statuses = ['draft', 'in_progress', 'in_review', 'completed', 'superseded', 'cancelled'] as const
export type Status = (typeof statuses)[number]

export const actions = ['start', 'run_checks', 'submit', 'return', 'approve', 'cancel'] as const
export type Action = (typeof actions)[number]

const moves: Readonly<Record<Action, Readonly<Partial<Record<Status, Status>>>>> = {
  start: { draft: 'in_progress' },
  run_checks: { in_progress: 'in_progress' },
  submit: { in_progress: 'in_review' },
  return: { in_review: 'in_progress' },
  approve: { in_review: 'completed' },
  cancel: { draft: 'cancelled', in_progress: 'cancelled', in_review: 'cancelled' },
}

/** Where an action leads from a state; null where it leads nowhere. */
export const moveOf = (status: Status, action: Action): Status | null => moves[action][status] ?? null

export const isFinal = (status: Status): boolean =>
  status === 'completed' || status === 'superseded' || status === 'cancelled'
