/** Samples as calls. Those of one session follow each other, so that each has the ones before it as its history. Pure. */
import type { EvaluationContext, GuardedAgent, Step } from '../engine/context.ts'
import type { Item } from './item.ts'
import type { Sample } from './schema.ts'

export interface Sampling {
  readonly tenantId: string
  readonly stage: EvaluationContext['stage']
  readonly agents: ReadonlyMap<string, GuardedAgent>
  readonly userId: string
  readonly nowMs: number
}

export function itemsOfSamples(samples: readonly Sample[], sampling: Sampling): readonly Item[] {
  const histories = new Map<string, Step[]>()
  return samples.map((sample, index) => {
    const key = sample.session ?? `sample-${index}`
    const history = histories.get(key) ?? []
    const item = itemOf(sample, { ...sampling, index, history: [...history] })
    if (sample.tool !== undefined)
      histories.set(
        key,
        [...history, { server: sample.server ?? 'local', tool: sample.tool, atMs: sampling.nowMs }].slice(-100),
      )
    return item
  })
}

interface Place extends Sampling {
  readonly index: number
  readonly history: readonly Step[]
}

function itemOf(sample: Sample, { tenantId, stage, agents, userId, nowMs, index, history }: Place): Item {
  const { server, tool, session, args, text, expected } = sample
  return {
    id: sample.id ?? String(index),
    isAttack: expected === undefined ? null : expected === 'match',
    isBare: false,
    context: {
      ...{ tenantId, stage, history, atMs: nowMs },
      agent: agents.get(sample.agent_id ?? '') ?? null,
      user: { id: userId, department: null },
      server: server === undefined ? null : { slug: server, trust: sample.server_trust ?? 'untrusted', labels: [] },
      tool: tool === undefined ? null : { name: tool, labels: sample.tool_labels ?? [], annotations: {}, pinned: true },
      ...(args === undefined ? {} : { args }),
      ...(text === undefined ? (stage === 'tool' ? {} : { texts: [] }) : { texts: [{ location: '/text', text }] }),
      session: {
        ...{ id: session ?? `sample-${index}`, labels: sample.session_labels ?? [] },
        ...{ calls: history.length, denied: 0, startedMs: nowMs },
      },
      request: { id: null, ip: null, model: null, tags: [] },
    },
  }
}
