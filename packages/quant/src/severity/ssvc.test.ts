import { expect, test } from 'vitest'
import {
  automatableLevels,
  exploitationLevels,
  missionLevels,
  type SsvcInput,
  ssvcDecision,
  technicalImpactLevels,
} from './ssvc.ts'

const inputs: readonly SsvcInput[] = exploitationLevels.flatMap((exploitation) =>
  automatableLevels.flatMap((automatable) =>
    technicalImpactLevels.flatMap((technicalImpact) =>
      missionLevels.map((mission) => ({ exploitation, automatable, technicalImpact, mission })),
    ),
  ),
)

test('the table has 36 rows: 18 track, 4 track*, 10 attend, 4 act (CISA coordinator 2.0.3)', () => {
  const decisions = inputs.map(ssvcDecision)
  const count = (decision: string) => decisions.filter((each) => each === decision).length
  expect([count('track'), count('track*'), count('attend'), count('act')]).toEqual([18, 4, 10, 4])
})

test.each([
  ['none', 'no', 'partial', 'low', 'track'],
  ['none', 'no', 'total', 'high', 'track*'],
  ['none', 'yes', 'total', 'high', 'attend'],
  ['public poc', 'no', 'total', 'medium', 'track*'],
  ['active', 'no', 'total', 'high', 'act'],
  ['active', 'yes', 'partial', 'low', 'attend'],
  ['active', 'yes', 'total', 'high', 'act'],
] as const)('%s, %s, %s, %s: %s', (exploitation, automatable, technicalImpact, mission, decision) => {
  expect(ssvcDecision({ exploitation, automatable, technicalImpact, mission })).toBe(decision)
})

test('a worse decision point never gives a milder decision', () => {
  const order = ['track', 'track*', 'attend', 'act']
  const rank = (input: SsvcInput) => order.indexOf(ssvcDecision(input))
  for (const input of inputs) {
    expect(rank({ ...input, mission: 'high' })).toBeGreaterThanOrEqual(rank(input))
    expect(rank({ ...input, exploitation: 'active' })).toBeGreaterThanOrEqual(rank(input))
    expect(rank({ ...input, technicalImpact: 'total' })).toBeGreaterThanOrEqual(rank(input))
  }
})
