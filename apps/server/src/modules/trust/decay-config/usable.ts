import { apiErrors } from '../../../kernel/errors/errors.ts'
import { escapePointer } from '../../../kernel/schema/json-pointer.ts'
import { errors } from '../declared/errors.ts'
import type { DecayConfig } from '../engine/config.ts'
import { configProblems } from '../engine/config-rules.ts'

/** Refuses a configuration that cannot be scored with. @throws TRUST-001, TRUST-002 */
export function refuseUnusable(config: DecayConfig): void {
  const problems = configProblems(config)
  const [first] = problems
  if (first === undefined) return
  const what = problems.map(({ path, detail }) => `${path}: ${detail}`).join(' ')
  throw problems.some(({ kind }) => kind === 'weights') ? errors.weights({ what }) : errors.decay({ what })
}

/** JSON can say -0, which is no weight, no day and no point. @throws API-001 with the place */
export function refuseNegativeZero(value: unknown, pointer = ''): void {
  if (Object.is(value, -0)) {
    throw apiErrors
      .validation({ what: 'The body was refused.' })
      .at([{ detail: 'Not a number of this kind: -0.', pointer }])
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) refuseNegativeZero(member, `${pointer}/${escapePointer(name)}`)
}
