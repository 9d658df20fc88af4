import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { listAnomalies } from './anomalies.ts'
import { Anomaly, AnomalyFilter, Baseline, BaselineQuery } from './schema.ts'
import { anomalies } from './tables.ts'
import { readBaseline } from './view.ts'

const route = routesOf<object>()

export const baselineRoutes = [
  route.get('/agents/{agent_id}/baseline', {
    permission: 'aegis:read',
    summary: 'See what is normal for an agent',
    description:
      'By feature, kind of day and hour; amounts are of an hour. Statistical detectors fire after 14 days, 200 calls and 10 values in the bucket; until then `ready` is false. An hour is scored ten minutes after its end.',
    query: BaselineQuery,
    returns: [200, Baseline],
    errors: [apiErrors.notFound],
    handler: ({ tx, params, query }) => readBaseline(tx, params.agent_id, query),
  }),
  route.get('/anomalies', {
    permission: 'aegis:read',
    summary: 'List anomalies of agents',
    description:
      'A burst of ten times the usual is found in the hour, one of three times often not. An anomaly that goes on counts once a day. `label` is set when the alert of the anomaly is resolved.',
    query: AnomalyFilter,
    returns: [200, Anomaly],
    list: { table: anomalies, default: '-created_at' },
    handler: ({ tx, page, query }) => listAnomalies(tx, page, query),
  }),
]
