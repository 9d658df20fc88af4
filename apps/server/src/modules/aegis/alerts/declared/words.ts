/** Severities and states of an alert, and the moves between them. Pure. Tested in alert-parts.test.ts. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof severities)[number]

export const alertStatuses = ['new', 'triaged', 'in_progress', 'resolved', 'closed', 'suppressed'] as const
export type AlertStatus = (typeof alertStatuses)[number]

export const resolutions = ['true_positive', 'benign_true_positive', 'false_positive', 'duplicate'] as const
export type Resolution = (typeof resolutions)[number]

export const timelineKinds = ['opened', 'status', 'assignee', 'severity', 'comment', 'sla_breached'] as const

export const slaTimers = ['acknowledge', 'resolve'] as const
export type SlaTimer = (typeof slaTimers)[number]

const moves: Readonly<Record<AlertStatus, readonly AlertStatus[]>> = {
  new: ['triaged', 'suppressed'],
  triaged: ['in_progress'],
  in_progress: ['resolved'],
  resolved: ['closed', 'in_progress'],
  closed: ['in_progress'],
  suppressed: [],
}

/** States that a person may move an alert to. */
export const movesOf = (status: AlertStatus): readonly AlertStatus[] => moves[status]

/** Hits of the same fingerprint are counted in an alert of these states. */
export const openStatuses = ['new', 'triaged', 'in_progress', 'suppressed'] as const satisfies readonly AlertStatus[]

/** States in which somebody has to work on the alert. */
export const unresolvedStatuses = ['new', 'triaged', 'in_progress'] as const satisfies readonly AlertStatus[]
