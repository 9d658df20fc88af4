/** Moves of an alert and of a discovered service as the API allows them. Pure. Tested in moves.test.ts. */
const alertMoves: Readonly<Record<string, readonly string[]>> = {
  new: ['triaged', 'suppressed'],
  triaged: ['in_progress'],
  in_progress: ['resolved'],
  resolved: ['closed', 'in_progress'],
  closed: ['in_progress'],
}

const serviceMoves: Readonly<Record<string, readonly string[]>> = {
  discovered: ['under_review'],
  under_review: ['sanctioned', 'tolerated', 'banned'],
  sanctioned: ['under_review'],
  tolerated: ['under_review'],
  banned: ['under_review'],
}

export const movesOfAlert = (status: string): readonly string[] => alertMoves[status] ?? []
export const movesOfService = (status: string): readonly string[] => serviceMoves[status] ?? []

const verbs: Readonly<Record<string, string>> = {
  triaged: 'Acknowledge',
  in_progress: 'Work on it',
  resolved: 'Resolve …',
  closed: 'Close',
  suppressed: 'Suppress …',
  under_review: 'Review',
  sanctioned: 'Sanction …',
  tolerated: 'Tolerate …',
  banned: 'Ban …',
}

export const verbOf = (status: string): string => verbs[status] ?? status
