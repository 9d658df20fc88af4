import { expect, test } from 'vitest'
import { type AgentState, agentStates, keepsApproved, stateAfter, transitions } from './states.ts'

test('every way from draft to active passes a review, and nothing leaves retired', () => {
  const reach = (from: AgentState, without: string): ReadonlySet<AgentState> => {
    const seen = new Set<AgentState>([from])
    for (const state of seen)
      for (const transition of transitions) {
        const to = transition === without ? null : stateAfter(state, transition)
        if (to !== null) seen.add(to)
      }
    return seen
  }
  expect(reach('draft', 'none')).toEqual(new Set(agentStates))
  expect(reach('draft', 'approve').has('active')).toBe(false)
  expect(reach('draft', 'submit').has('active')).toBe(false)
  expect(transitions.map((transition) => stateAfter('retired', transition))).toEqual(transitions.map(() => null))
})

test('a working agent keeps its approved version while a new one is reviewed', () => {
  expect(agentStates.filter(keepsApproved)).toEqual(['active', 'quarantined'])
  for (const state of agentStates.filter(keepsApproved))
    for (const transition of ['submit', 'approve', 'reject'] as const) expect(stateAfter(state, transition)).toBe(state)
})
