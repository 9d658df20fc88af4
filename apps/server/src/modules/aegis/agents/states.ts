/** The life of an agent as a table. Pure. Tested in states.test.ts. */

export const agentStates = ['draft', 'in_review', 'approved', 'active', 'quarantined', 'retired'] as const
export type AgentState = (typeof agentStates)[number]

export const transitions = ['submit', 'approve', 'reject', 'activate', 'quarantine', 'release', 'retire'] as const
export type Transition = (typeof transitions)[number]

type Moves = Readonly<Record<Transition, Readonly<Partial<Record<AgentState, AgentState>>>>>

/**
 * An agent that works stays in its state while a new version of its declaration is submitted, approved or rejected: until
 * then the approved one counts.
 */
const moves: Moves = {
  submit: { draft: 'in_review', active: 'active', quarantined: 'quarantined' },
  approve: { in_review: 'approved', active: 'active', quarantined: 'quarantined' },
  reject: { in_review: 'draft', active: 'active', quarantined: 'quarantined' },
  activate: { approved: 'active' },
  quarantine: { active: 'quarantined' },
  release: { quarantined: 'active' },
  retire: { draft: 'retired', in_review: 'retired', approved: 'retired', active: 'retired', quarantined: 'retired' },
}

/** The state that the transition leads to; null for one that the table does not have. */
export function stateAfter(from: AgentState, transition: Transition): AgentState | null {
  return moves[transition][from] ?? null
}

/** Whether an agent in this state has an approved declaration that a change must not replace unreviewed. */
export const keepsApproved = (state: AgentState): boolean => state === 'active' || state === 'quarantined'
