/** Calls and guardrails for tests of the engine. */
import type { Check } from '../declared/checks-schema.ts'
import type { Definition } from '../declared/schema.ts'
import type { EvaluationContext } from '../engine/context.ts'
import type { LiveGuardrail } from '../engine/live-set.ts'

/** A tool call of an agent of tier 2. */
export function callOf(over: Partial<EvaluationContext> = {}): EvaluationContext {
  return {
    ...{ tenantId: 't', stage: 'tool', history: [], atMs: Date.UTC(2026, 10, 27, 20), args: { to: 'x', sum: 5 } },
    agent: { id: 'a1', tier: 2, autonomy: 3, tags: ['finance'], env: 'prod', dataClasses: ['internal'] },
    user: { id: 'u1', department: null },
    server: { slug: 'bank', trust: 'reviewed', labels: [] },
    tool: { name: 'wire', labels: ['payment'], annotations: {}, pinned: true },
    session: { id: 's1', labels: [], calls: 1, denied: 0, startedMs: Date.UTC(2026, 10, 27, 19) },
    request: { id: 'r1', ip: '10.1.2.3', model: null, tags: [] },
    ...over,
  }
}

export const always: Check = { type: 'cel', expression: 'true' }
export const cel = (expression: string): Check => ({ type: 'cel', expression })

export function definition(over: Partial<Definition> = {}): Definition {
  return {
    ...{ target: {}, checks: [always], action: 'deny', action_config: {}, on_error: 'deny', message: null, tags: [] },
    ...over,
  }
}

let made = 0

export function live(over: Partial<Definition> = {}, more: Partial<LiveGuardrail> = {}): LiveGuardrail {
  made += 1
  const id = `g${String(made).padStart(4, '0')}`
  return {
    ...{ id, name: `rail ${made}`, kind: 'tool', version: 1, definition: definition(over) },
    ...{ mode: 'enforce', percent: 100, isBase: false, ...more },
  }
}
