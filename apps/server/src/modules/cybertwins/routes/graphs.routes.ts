import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, StreamAnswer } from '../../../kernel/module/route.ts'
import { Graph, GraphQuery, NewGraph } from '../declared/graph-schema.ts'
import { errors } from '../errors/errors.ts'
import { diffOf } from '../graph/diff.ts'
import { readGraph } from '../graph/read.ts'
import { takeSnapshot } from '../graph/snapshots.ts'
import { stixBundle } from '../graph/stix.ts'
import { headerOf, partOf, partView, statsOf } from '../graph/view.ts'
import type { TwinServices } from '../services/twin-services.ts'

const route = routesOf<TwinServices>()
const stix = 'application/stix+json'

/** An id, or `current`. */
const GraphId = Type.String({
  pattern: '^(current|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
  maxLength: 36,
})

export const graphRoutes = [
  route.post('/graphs', {
    permission: 'cybertwins:write',
    summary: 'Take a snapshot of the graph',
    body: NewGraph,
    returns: [201, Graph],
    audit: 'cybertwins.graph.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [errors.limitExceeded],
    handler: async (context) => {
      const { label } = context.body
      const asked = { trigger: 'manual' as const, ...(label === undefined ? {} : { label }) }
      const { row, state } = await takeSnapshot(context.services, scopeOf(context), asked)
      return { ...headerOf(row), stats: statsOf(state) }
    },
  }),
  route.get('/graphs/{graph_id}', {
    permission: 'cybertwins:read',
    summary: 'See the graph, a part of it, or its difference to another state',
    description:
      '`current` is the state of this moment. `root` with `hops` gives the part around an asset, `kinds` some kinds of assets; probabilities of edges are those for a criminal attacker within a year. `diff_against` answers the differences to an earlier snapshot. `format=stix` answers a bundle of STIX 2.1.',
    params: { graph_id: GraphId },
    query: GraphQuery,
    returns: [200, Graph],
    files: [stix],
    ownTransactions: true,
    errors: [apiErrors.notFound, errors.graphTooLarge, errors.limitExceeded],
    handler: async (context) => {
      const { params, query, services, kernel } = context
      const scope = scopeOf(context)
      const { header, state } = await readGraph(services, scope, params.graph_id)
      if (query.diff_against !== undefined) {
        const other = await readGraph(services, scope, query.diff_against)
        const diff = diffOf(other.state, state, query.diff_against)
        return { ...header, stats: statsOf(state), diff }
      }
      const part = partOf(state, query)
      if (query.format !== 'stix') return { ...header, stats: statsOf(state), ...partView(part, state) }
      const bundle = stixBundle(part, { id: kernel.random.uuid(), at: kernel.clock.iso() })
      return new StreamAnswer(`${stix};version=2.1`, once(bundle))
    },
  }),
]

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
