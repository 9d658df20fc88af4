/** States of a discovered service and their transitions. */
export const serviceTypes = ['ai_service', 'mcp_server'] as const
export const serviceStatuses = ['discovered', 'under_review', 'sanctioned', 'tolerated', 'banned'] as const
export type ServiceStatus = (typeof serviceStatuses)[number]

const transitions: Readonly<Record<ServiceStatus, readonly ServiceStatus[]>> = {
  discovered: ['under_review'],
  under_review: ['sanctioned', 'tolerated', 'banned'],
  sanctioned: ['under_review'],
  tolerated: ['under_review'],
  banned: ['under_review'],
}

/** The statuses that follow this one. */
export const nextStatuses = (status: ServiceStatus): readonly ServiceStatus[] => transitions[status]

export const mostToleratedDays = 180
