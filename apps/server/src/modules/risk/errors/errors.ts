import { defineErrors } from '../../../kernel/errors/errors.ts'

interface Said {
  readonly what: string
}

export const errors = defineErrors('RISK', {
  appetiteOrder: [
    1,
    422,
    'Appetite Out of Order',
    () => 'The appetite must be below the tolerance, and the tolerance below the capacity.',
  ],
  unknownReference: [2, 422, 'Unknown Reference', (p: Said) => `The body names a ${p.what} that does not exist.`],
  illegalMove: [
    3,
    409,
    'Illegal Move',
    (p: { from: string; to: string; allowed: string }) =>
      `A risk does not move from ${p.from} to ${p.to}. Allowed: ${p.allowed}.`,
  ],
  secondPerson: [4, 403, 'Second Person Required', (p: Said) => p.what],
  modelStructure: [5, 422, 'Model Over- or Underdetermined', (p: Said) => p.what],
  distributionInvalid: [6, 422, 'Distribution Invalid', (p: Said) => p.what],
  limitExceeded: [7, 422, 'Outside the Limits', (p: Said) => p.what],
  correlationInvalid: [9, 422, 'Correlation Not Positive Semi-Definite', (p: Said) => p.what],
  tooManySimulations: [
    10,
    409,
    'Too Many Simulations',
    (p: { limit: number }) => `${p.limit} simulations are queued or running. Wait for one or cancel one.`,
  ],
  acceptanceIncomplete: [11, 422, 'Acceptance Incomplete', (p: Said) => p.what],
  alreadyFinished: [12, 409, 'Already Finished', (p: { status: string }) => `The simulation is ${p.status}.`],
  importInvalid: [13, 422, 'Import Content Invalid', (p: Said) => p.what],
  cvssVectorInvalid: [14, 422, 'CVSS Vector Invalid', (p: Said) => p.what],
})
