import { defineErrors } from '../../../kernel/errors/errors.ts'

interface Said {
  readonly what: string
}

export const errors = defineErrors('RES', {
  modelInvalid: [1, 422, 'Service Model Invalid', (p: Said) => p.what],
  objectiveInconsistent: [2, 422, 'Objective Inconsistent', (p: Said) => p.what],
  scenarioInvalid: [3, 422, 'Scenario Invalid', (p: Said) => p.what],
  notChaostoolkit: [4, 422, 'No Chaos Toolkit Experiment', (p: Said) => p.what],
  unknownReference: [5, 422, 'Unknown Reference', (p: Said) => `The body names a ${p.what} that does not exist.`],
  illegalMove: [
    6,
    409,
    'Illegal Move',
    (p: { from: string; to: string; allowed: string }) =>
      `A scenario does not move from ${p.from} to ${p.to}. Allowed: ${p.allowed}.`,
  ],
  limitExceeded: [7, 422, 'Outside the Limits', (p: Said) => p.what],
  protectedTarget: [
    9,
    403,
    'Protected Target',
    (p: { target: string }) =>
      `No fault may reach ${p.target}. Authentication, audit logs, kill switches and chaos experiments are never touched.`,
  ],
  blocked: [10, 409, 'Experiment Cannot Start', (p: Said) => p.what],
  blastRadius: [11, 422, 'Blast Radius Exceeds the Limits', (p: Said) => p.what],
  wrongState: [
    13,
    409,
    'Wrong State',
    (p: { status: string; action: string }) => `The experiment is ${p.status}; ${p.action} is not possible.`,
  ],
  secondPerson: [14, 403, 'Second Person Required', (p: Said) => p.what],
})
