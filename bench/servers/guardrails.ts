/** 100 guardrails of a tenant asked about one tool call, without I/O, beside one CEL condition alone; processor time. */

import type { Check } from '../../apps/server/src/modules/aegis/guardrails/declared/checks-schema.ts'
import type { EvaluationContext } from '../../apps/server/src/modules/aegis/guardrails/engine/context.ts'
import { evaluateGuardrails } from '../../apps/server/src/modules/aegis/guardrails/engine/evaluate.ts'
import { type LiveGuardrail, liveSet } from '../../apps/server/src/modules/aegis/guardrails/engine/live-set.ts'
import { answerUsage } from '../usage.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const callsEach = Number(process.env.BENCH_CALLS ?? 2_000)
const wanted = 100

/** Of ten guardrails four are CEL, two schemas, two flows, one a sequence and one a pattern in the arguments. */
function checksOf(n: number): readonly Check[] {
  const schema = { type: 'object', properties: { sum: { type: 'number', maximum: 10_000 + n } }, required: ['to'] }
  const cel = [
    `args.sum > ${10_000 + n} && agent.tier >= 2`,
    `tool.name == "wire" && !("finance-${n}" in agent.tags) && session.denied > ${n}`,
    `server.trust == "untrusted" && glob("wire*", tool.name)`,
    `request.hour < 6 && agent.env == "prod" && args.sum > ${n}.5`,
  ]
  const kinds: readonly Check[] = [
    ...cel.map((expression): Check => ({ type: 'cel', expression })),
    { type: 'json_schema', schema },
    { type: 'json_schema', schema: { ...schema, additionalProperties: true } },
    { type: 'flow', template: 'lethal_trifecta' },
    { type: 'flow', labels_all: [`label-${n}`], tool_labels_any: ['payment'] },
    { type: 'sequence', first: `mail/read-${n}`, next: 'bank/*', within_steps: 20 },
    { type: 'detector', detector: 'pattern', pattern: `project-${n}\\b` },
  ]
  return kinds.slice(n % 10, (n % 10) + 1)
}

/** Half of them are about all calls, the others about agents or servers, most of them not those of the call. */
function targetOf(n: number) {
  if (n % 4 === 1) return { tiers: [(n % 3) + 2] }
  return n % 4 === 3 ? { server_slugs: [n % 8 === 3 ? 'bank' : `server-${n}`] } : {}
}

const rails = Array.from({ length: wanted }, (_, n): LiveGuardrail => {
  const checks = [...checksOf(n)]
  const definition = { target: targetOf(n), checks, action: 'deny' as const, action_config: {} }
  return {
    ...{ id: `rail-${n}`, name: `rail ${n}`, kind: 'tool', version: 1, mode: 'enforce', percent: 100, isBase: false },
    definition: { ...definition, on_error: 'deny', message: null, tags: [] },
  }
})

const context = (n: number): EvaluationContext => ({
  ...{ tenantId: 't', stage: 'tool', atMs: Date.UTC(2026, 0, 1, 12) },
  agent: { id: 'a', tier: 2, autonomy: 3, tags: ['finance'], env: 'prod', dataClasses: ['internal'] },
  user: { id: 'u', department: 'treasury' },
  server: { slug: 'bank', trust: 'reviewed', labels: [] },
  tool: { name: 'wire', labels: ['payment'], annotations: { destructiveHint: true }, pinned: true },
  args: { to: `account-${n}`, sum: 100 + n, note: 'Invoice of October, as agreed by telephone', lines: [1, 2, 3] },
  session: { id: `s-${n}`, labels: ['src:mail/read'], calls: 9, denied: 0, startedMs: 0 },
  history: Array.from({ length: 20 }, (_, step) => ({ server: 'mail', tool: `read-${step + 500}`, atMs: step })),
  request: { id: 'r', ip: '10.0.0.1', model: null, tags: [] },
})

const contexts = Array.from({ length: callsEach }, (_, n) => context(n))
const all = liveSet(rails)
const one = liveSet(rails.slice(0, 1))
const parts = { rates: () => false, monotonic: () => performance.now(), observe: () => {} }

let decided = 0
function throughSet(set: ReturnType<typeof liveSet>): number {
  const before = process.cpuUsage()
  for (const asked of contexts) {
    const evaluation = evaluateGuardrails(set, asked, parts)
    if (!(evaluation instanceof Promise) && evaluation.decision === 'none') decided += 1
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / callsEach
}

const us = { all: [] as number[], one: [] as number[] }
for (let round = -3; round < rounds; round += 1) {
  const [throughAll, throughOne] = [throughSet(all), throughSet(one)]
  if (round < 0) continue
  us.all.push(throughAll)
  us.one.push(throughOne)
}
if (decided !== callsEach * 2 * (rounds + 3)) throw new Error('a guardrail matched a harmless call')

answerUsage({ us, guardrails: wanted, calls: callsEach })
