import { describe, expect, test } from 'vitest'
import type { CallState } from '../pipeline/contract/call-parts.ts'
import { compilePolicies } from '../policy/compile.ts'
import { noFindings } from './call-findings.ts'
import { foundIn, type Note, note, notesOf, placesFound, rulesFound, unshownOf } from './findings.ts'

/** Only the part of the state that holds findings. */
function emptyState(): CallState {
  return { plan: { policy: compilePolicies([]) }, findings: noFindings() } as unknown as CallState
}

const flagged = (rule: string, over: Partial<Note> = {}): Note => ({
  ...{ rule, step: 'content_policy', category: 'content', action: 'flag' },
  ...over,
})

describe('a flood of findings', () => {
  test('shows a hundred rows, and counts all', () => {
    const state = emptyState()
    for (let at = 0; at < 150; at += 1) note(state, flagged('ticket', { count: 2, location: `/messages/${at}` }))
    expect(state.findings.violations).toHaveLength(100)
    expect([notesOf(state), placesFound(state)]).toEqual([150, 300])
  })

  test.each([0, 70, 100])('told at once is told as one after the other, behind %i others', (others) => {
    const [single, whole] = [emptyState(), emptyState()]
    for (const state of [single, whole]) for (let at = 0; at < others; at += 1) note(state, flagged('ticket'))
    for (let at = 0; at < 60; at += 1) note(single, flagged('key', { count: 2 }))
    note(whole, flagged('key', { count: 2, times: 60 }))
    expect(whole).toEqual(single)
  })

  test('hides no kind of finding: what comes late has its row all the same', () => {
    const state = emptyState()
    for (let at = 0; at < 150; at += 1) note(state, flagged('ticket'))
    note(state, flagged('key', { step: 'output_inspection', action: 'block' }))
    expect(state.findings.violations).toHaveLength(100)
    expect(state.findings.violations.at(-1)).toMatchObject({ rule_id: 'key', action: 'block' })
    expect(foundIn(state, 'output_inspection')).toMatchObject([{ rule: 'key', action: 'block', notes: 1 }])
  })

  test('of more kinds than there are rows is known by whoever decides', () => {
    const state = emptyState()
    for (let at = 0; at < 150; at += 1) note(state, flagged(`rule-${at}`))
    expect(state.findings.violations).toHaveLength(100)
    expect(rulesFound(state)).toContain('rule-149')
    expect(foundIn(state, 'content_policy')).toHaveLength(150)
    const unshown = unshownOf(state) ?? []
    expect(unshown).toHaveLength(50)
    expect(unshown.at(-1)).toEqual({
      ...{ rule_id: 'rule-149', step: 'content_policy', category: 'content', action: 'flag', count: 1 },
    })
  })
})
