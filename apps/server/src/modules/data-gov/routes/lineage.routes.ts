import { apiErrors } from '../../../kernel/errors/errors.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { GraphQuery, LineageBody, LineageGraph, Received, ReceivedBatch } from '../declared/lineage-schema.ts'
import { errors } from '../errors/errors.ts'
import { queryLineage } from '../lineage/query.ts'
import { bodyOf, receiveMany, receiveOne } from '../lineage/receive.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'

const route = routesOf<DataGovServices>()
const mostBytes = 5 * 1_048_576

export const lineageRoutes = [
  route.post('/lineage', {
    permission: 'data-gov:write',
    summary: 'Receive OpenLineage events',
    description:
      'OpenLineage 2-0-2: one RunEvent, JobEvent or DatasetEvent, or a list of up to 1,000, packed with gzip or not. An OpenLineage client needs `OPENLINEAGE_URL`, `OPENLINEAGE_ENDPOINT=api/v1/data-gov/lineage` and an API key as its bearer token. The same event counts once, events may come in any order, and the flows of a job are those of its newest complete run. Of a list, every valid event counts, and `failed_events` names the others.',
    upload: { as: 'memory', mediaTypes: ['application/json'], maxBytes: mostBytes, json: LineageBody },
    returns: [201, Received],
    alternatives: [[200, ReceivedBatch]],
    audit: 'data_gov.lineage.create',
    timeLimitMs: 60_000,
    errors: [apiErrors.validation, errors.eventInvalid, errors.batchRefused],
    handler: async ({ tx, kernel, received }) => {
      const body = bodyOf(received)
      if (Array.isArray(body)) return new Answer(await receiveMany(kernel, tx, body), { status: 200 })
      const answer = await receiveOne(kernel, tx, body)
      return { ...answer, warnings: [...answer.warnings] }
    },
  }),
  route.get('/lineage/graph', {
    permission: 'data-gov:read',
    summary: 'Follow data upstream and downstream, down to the models',
    description:
      '`graph` lists nodes and edges, `impact` counts everything that is reached and names the models and agents among it, `paths` gives up to 5 shortest ways to `to`. Counts by depth are complete also where the list is cut (`truncated`). Datasets that model calls name in `metadata.datasets` lead to the models that were asked.',
    query: GraphQuery,
    returns: [200, LineageGraph],
    errors: [apiErrors.validation, apiErrors.notFound],
    ownTransactions: true,
    handler: async ({ kernel, services, actor, query }) => {
      const began = kernel.clock.now()
      const snapshot =
        query.as_of === undefined
          ? await services.lineage.current(actor.tenantId)
          : await services.lineage.asOf(actor.tenantId, query.as_of)
      const answer = queryLineage(snapshot, query)
      return { ...answer, elapsed_ms: Math.max(0, kernel.clock.now() - began) }
    },
  }),
]
