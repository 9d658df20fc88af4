/** The life of an approval as a table. Pure. Tested in binding.test.ts. */

export const approvalStatuses = ['pending', 'approved', 'denied', 'expired', 'cancelled', 'consumed'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** How the client of a held call waits for the decision. */
export const waitForms = ['mrtr', 'task', 'sse', 'retry'] as const
export type WaitForm = (typeof waitForms)[number]

export const decisions = ['approve', 'deny'] as const

const moves: Readonly<Record<ApprovalStatus, readonly ApprovalStatus[]>> = {
  pending: ['approved', 'denied', 'expired', 'cancelled'],
  approved: ['consumed', 'expired'],
  ...{ denied: [], expired: [], cancelled: [], consumed: [] },
}

/** Whether an approval in one state may come into the other. */
export const mayMove = (from: ApprovalStatus, to: ApprovalStatus): boolean => moves[from].includes(to)

/** Minutes in which an approved call has to be made. */
export const usableMinutes = 10
