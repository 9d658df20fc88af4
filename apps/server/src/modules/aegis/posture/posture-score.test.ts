import { expect, test } from 'vitest'
import { type PostureInputs, postureScore, weights } from './posture-score.ts'

const nothing: PostureInputs = {
  ...{ agents: null, response: null, threats: null, shadowAi: null },
  ...{ guardrails: null, mcp: null, killSwitchActive: false },
}

test('the weights are those of a whole', () => {
  expect(Object.values(weights).reduce((all, weight) => all + weight, 0)).toBeCloseTo(1, 10)
})

test('nothing measured is a score of 0 with no confidence', () => {
  expect(postureScore(nothing)).toMatchObject({ score: 0, confidence: 0, caps: [] })
})

test('components are calculated from their inputs, and those of missing parts are told by the confidence', () => {
  const { score, confidence, components } = postureScore({
    ...nothing,
    agents: [
      { tier: 1, agents: 2, owned: 2, reviewed: 1, fresh: 0 },
      { tier: 4, agents: 1, owned: 1, reviewed: 1, fresh: 1 },
    ],
    response: { alerts: 10, inTime: 9 },
    threats: { unresolved: 3, critical: 0, pressure: 20 * Math.LN2 },
    shadowAi: { requests: 100, approved: 80, banned: 30 },
  })
  const value = Object.fromEntries(components.map((one) => [one.name, one.value]))
  // (1 × (2 + 1 + 0) ÷ 3 + 4 × 1) ÷ (1 × 2 + 4 × 1) = 5 ÷ 6.
  expect(value).toEqual({
    ...{ agent_governance: 0.8333, guardrail_coverage: 0, mcp_hygiene: 0 },
    ...{ detection_response: 0.9, threat_load: 0.5, shadow_ai: 0.5 },
  })
  expect(confidence).toBe(0.6)
  expect(score).toBe(42.7)
})

test('banned use never counts below nothing', () => {
  const { components } = postureScore({ ...nothing, shadowAi: { requests: 10, approved: 1, banned: 9 } })
  expect(components.find(({ name }) => name === 'shadow_ai')).toMatchObject({ value: 0, has_data: true })
})

test('an unresolved critical alert caps the score at 70, a kill switch at 40', () => {
  const perfect: PostureInputs = {
    ...nothing,
    agents: [{ tier: 2, agents: 1, owned: 1, reviewed: 1, fresh: 1 }],
    response: { alerts: 1, inTime: 1 },
    threats: { unresolved: 0, critical: 0, pressure: 0 },
    shadowAi: { requests: 1, approved: 1, banned: 0 },
  }
  expect(postureScore(perfect)).toMatchObject({ score: 60, caps: [] })
  const critical = { ...perfect, threats: { unresolved: 1, critical: 1, pressure: 0 } }
  expect(postureScore(critical).caps).toEqual([{ reason: 'unresolved_critical', max: 70 }])
  expect(postureScore({ ...critical, killSwitchActive: true })).toMatchObject({
    score: 40,
    caps: [
      { reason: 'unresolved_critical', max: 70 },
      { reason: 'kill_switch_active', max: 40 },
    ],
  })
})

test('guardrail coverage weighs each pair of agent and tool by the tier of the agent', () => {
  const guardrails = [
    { tier: 1, pairs: 4, covered: 4 },
    { tier: 4, pairs: 2, covered: 1 },
  ]
  const { components } = postureScore({ ...nothing, guardrails })
  // (1 × 4 + 4 × 1) ÷ (1 × 4 + 4 × 2) = 8 ÷ 12.
  expect(components.find(({ name }) => name === 'guardrail_coverage')).toMatchObject({ value: 0.6667, has_data: true })
})
