/**
 * The whole program for data-gov.mjs, on the embedded database. The consent decision on the way of every call and the
 * closure that a question about lineage computes are measured here, without HTTP around them.
 */
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { consentGuard } from '../../apps/server/src/modules/data-gov/consent/guard.ts'
import { createSnapshot } from '../../apps/server/src/modules/data-gov/engine/snapshot.ts'
import { queryLineage } from '../../apps/server/src/modules/data-gov/lineage/query.ts'
import type { DataGovServices } from '../../apps/server/src/modules/data-gov/services/data-gov-services.ts'
import type { GuardedCall } from '../../apps/server/src/modules/gateway/ports/call-guards.ts'
import { answerUsage } from '../usage.mjs'
import { answerHold } from './loop-hold.ts'
import { startWholeProgram } from './whole-program.ts'

const { program, port, token } = await startWholeProgram({
  PARAPET_RATE_LIMIT_EXPENSIVE: '100000000',
  PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
})
const services = program.assembled.modules.servicesOf('data-gov') as DataGovServices

interface Question {
  readonly type: string
  readonly tenantId: TenantId
  readonly person: string
  readonly rounds: number
}

const timed = (run: () => unknown): number => {
  const began = process.hrtime.bigint()
  run()
  return Number(process.hrtime.bigint() - began) / 1e6
}

/** Milliseconds of each decision about a person who is in memory; the first ones warm the compiler. */
async function decisions({ tenantId, person, rounds }: Question) {
  const guard = consentGuard(services)
  const call = { tenantId } as GuardedCall
  const parts = { metadata: { data_subject: person, purpose: 'bench' }, targets: [{ provider: 'mock', model: 'm' }] }
  const read = ((name: keyof typeof parts) => parts[name]) as unknown as Parameters<typeof guard.judge>[1]
  if ((await guard.judge(call, read)).length > 0) throw new Error('the consent of the person is not in force')
  const judge = () => {
    if (guard.judge(call, read) instanceof Promise) throw new Error('the state of the person is not in memory')
  }
  for (let round = 0; round < rounds; round += 1) judge()
  return Array.from({ length: rounds }, () => timed(judge))
}

/** Milliseconds of complete closures from columns all over the graph, both ways in turns. */
async function closures({ tenantId, rounds }: Question) {
  const snapshot = await services.lineage.current(tenantId)
  const columns = snapshot.nodes.filter(({ kind }) => kind === 'column')
  const ask = (round: number) =>
    queryLineage(snapshot, {
      node: columns[(round * 7_919) % columns.length]?.id ?? '',
      direction: round % 2 === 0 ? 'downstream' : 'upstream',
      mode: 'impact',
    })
  for (let round = 0; round < 50; round += 1) ask(round)
  const times = Array.from({ length: rounds }, (_, round) => timed(() => ask(round)))
  const { nodes, edges } = snapshot
  const own = columns.slice(0, 1_000).map(({ key }) => ({ key, level: 'restricted' as const, categories: ['health'] }))
  const labels = Array.from({ length: 20 }, () => {
    const fresh = createSnapshot({ nodes, edges, own })
    return timed(() => fresh.labels())
  })
  return { times, labels, edges: edges.length, nodes: nodes.length }
}

process.on('message', (question: Question) => {
  const answer = { decisions, closures }[question.type as 'decisions' | 'closures']
  if (answer === undefined) return
  void answer(question).then((value) => process.send?.({ type: question.type, value }))
})
answerHold()
answerUsage({ port, token })
