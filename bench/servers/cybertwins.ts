/** The whole program for cybertwins.mjs, and first the model alone on 100,000 assets and 1,000,000 relations, in processor time. */
import { inPlace } from '../../apps/server/src/kernel/threads/thread-task.ts'
import { analyze } from '../../apps/server/src/modules/cybertwins/analysis/analyze.ts'
import { buildNetwork } from '../../apps/server/src/modules/cybertwins/model/network.ts'
import type { TwinEdge, TwinNode, TwinState } from '../../apps/server/src/modules/cybertwins/model/state.ts'
import { kShortestPaths, probabilityWeights, shortestPaths } from '../../packages/graph/src/index.ts'
import { RandomStream, seedKey } from '../../packages/quant/src/index.ts'
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const [nodes, edges] = [100_000, 1_000_000]
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const model: Record<string, number[]> = {}

function measure<Result>(name: string, round: number, run: () => Result): Result {
  const began = process.cpuUsage()
  const result = run()
  const { user, system } = process.cpuUsage(began)
  // The first round warms the compiler and is not counted.
  if (round >= 0) model[name] = [...(model[name] ?? []), (user + system) / 1_000]
  return result
}

const idOf = (node: number): string => `00000000-0000-4000-8000-${String(node).padStart(12, '0')}`

/** The graph of graph.mjs as assets and relations. */
function largeState(): TwinState {
  const stream = new RandomStream().seek(seedKey('7'), 0, 0)
  const list: TwinEdge[] = []
  for (let edge = 0; edge < edges; edge++) {
    const source = Math.floor(stream.uniform() * nodes)
    const kind = stream.uniform()
    const local = (source + 1 + Math.floor(200 * stream.uniform())) % nodes
    const far = kind < 0.9 ? Math.floor(nodes * stream.uniform() ** 3) : Math.floor(nodes * stream.uniform())
    const p = 0.05 + 0.9 * stream.uniform()
    list.push({
      ...{ id: idOf(edge), from: idOf(source), to: idOf(kind < 0.6 ? local : far), kind: 'network_reach' },
      ...{ technique: null, p_override: p, hours: null, requires: null },
    })
  }
  const assets = Array.from(
    { length: nodes },
    (_, n): TwinNode => ({
      ...{ id: idOf(n), kind: 'host', name: `Host ${n}`, criticality: 3, exposure: 'internal', status: 'active' },
      ...{ crown_jewel: n === nodes - 7, entry_point: n === 1, value: null, capability: null },
      ...{ vulnerabilities: [], controls: [] },
    }),
  )
  return { nodes: assets, edges: list }
}

function measureModel(): void {
  const state = largeState()
  const attacker = { profile: 'criminal', horizonDays: 365 } as const
  for (let round = -1; round < rounds; round++) {
    const net = measure('network of the state', round, () => buildNetwork({ state, attacker, sourceIds: null }))
    const { graph, probabilities } = net.network
    const weights = measure('weights', round, () => probabilityWeights(graph, probabilities))
    measure('most probable path to all', round, () => shortestPaths(graph, weights, [net.attacker]))
    const target = net.numberOf.get(idOf(nodes - 7)) ?? 0
    measure('10 paths', round, () => kShortestPaths(graph, weights, net.attacker, target, 10))
  }
  const inputs = {
    ...{ source_ids: null, target_ids: null, profile: 'criminal', horizon_days: 365, k: 10, order_by: 'probability' },
    ...{ max_overlap: null, costs: [], budget: null, blast_radius_of: null, what_if: [], worlds: 1_024 },
  } as const
  measure('whole analysis in 1,024 worlds', 0, () =>
    analyze({ state, inputs: { ...inputs, costs: [], what_if: [] }, seed: '42' }, inPlace),
  )
}

measureModel()
const { port, token } = await startWholeProgram({ PARAPET_RATE_LIMIT_EXPENSIVE: '100000000' })
answerUsage({ port, token, model })
