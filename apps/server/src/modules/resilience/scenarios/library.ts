/** The built-in scenarios: approved, and a draft again as soon as somebody changes one. Pure. */
import type { FaultBody, ScenarioRow } from '../declared/scenario-schema.ts'

type Entry = Pick<ScenarioRow, 'name' | 'description' | 'kind' | 'faults' | 'failing_services'>

const calls = (kind: FaultBody['kind'], more: Partial<FaultBody> = {}): FaultBody => ({
  seam: 'upstream',
  kind,
  ...more,
})
const failing = (...names: readonly string[]) => names.map((service) => ({ service, at_minutes: 0 }))

export const library: readonly Entry[] = [
  {
    name: 'Provider outage',
    description: 'No connection to any model provider. Routes with other targets fall back; all others fail.',
    ...{ kind: 'outage', faults: [calls('unavailable')], failing_services: failing('provider-*') },
  },
  {
    name: 'Provider slow',
    description: 'Every model call is sent about eight seconds later.',
    kind: 'degradation',
    faults: [calls('latency', { delay_ms: { type: 'lognormal', mean: 8000, sd: 4000 } })],
    failing_services: [],
  },
  {
    name: 'Slow first token',
    description: 'Answers begin about five seconds later and then come at their usual speed.',
    kind: 'degradation',
    faults: [calls('first_token_delay', { delay_ms: { type: 'uniform', low: 4000, high: 6000 } })],
    failing_services: [],
  },
  {
    name: 'Provider rate limited',
    description: 'Providers answer 429 and ask to wait 20 seconds, in their own form of an error.',
    ...{ kind: 'degradation', faults: [calls('rate_limit', { retry_after_seconds: 20 })], failing_services: [] },
  },
  {
    name: 'Provider overloaded',
    description: 'Providers answer 529, in their own form of an error.',
    ...{ kind: 'degradation', faults: [calls('error', { status: 529 })], failing_services: [] },
  },
  {
    name: 'Provider never answers',
    description: 'Calls are taken and never answered, until the time limits of the caller end them.',
    ...{ kind: 'outage', faults: [calls('blackhole')], failing_services: failing('provider-*') },
  },
  {
    name: 'Answers cut off',
    description: 'The connection breaks after five pieces of a streamed answer.',
    ...{ kind: 'degradation', faults: [calls('reset', { after_pieces: 5 })], failing_services: [] },
  },
  {
    name: 'Malformed answers',
    description: 'After three pieces of a streamed answer comes one that is not JSON.',
    ...{ kind: 'degradation', faults: [calls('malformed', { after_pieces: 3 })], failing_services: [] },
  },
  {
    name: 'Model withdrawn by its vendor',
    description: 'Providers answer 404 for every model.',
    ...{ kind: 'outage', faults: [calls('error', { status: 404 })], failing_services: failing('provider-*') },
  },
  {
    name: 'Credentials revoked',
    description: 'Providers refuse every key with 401.',
    ...{ kind: 'security', faults: [calls('error', { status: 401 })], failing_services: failing('provider-*') },
  },
  {
    name: 'Loss of a region',
    description: 'Providers, database and cache of one region are gone at once.',
    kind: 'outage',
    faults: [calls('unavailable'), { seam: 'cache', kind: 'unavailable' }],
    failing_services: failing('provider-*', 'database', 'cache'),
  },
  {
    name: 'Loss of the primary database',
    description: 'Transactions of routes find no database. Sign-in, audit log and kill switches are spared.',
    ...{ kind: 'outage', faults: [{ seam: 'database', kind: 'unavailable' }], failing_services: failing('database') },
  },
  {
    name: 'Loss of the cache',
    description: 'Every value is missed.',
    ...{ kind: 'degradation', faults: [{ seam: 'cache', kind: 'unavailable' }], failing_services: failing('cache') },
  },
  {
    name: 'Loss of the file store',
    description: 'Files can be neither stored nor read.',
    ...{ kind: 'outage', faults: [{ seam: 'blob', kind: 'unavailable' }], failing_services: [] },
  },
  {
    name: 'Partition of the bus',
    description: 'Background work begins 30 seconds late, as behind a partition.',
    kind: 'degradation',
    faults: [{ seam: 'job', kind: 'latency', delay_ms: { type: 'constant', value: 30_000 } }],
    failing_services: failing('bus'),
  },
  {
    name: 'Corrupted backup',
    description: 'The database is lost and its newest copies do not restore. For simulations; lower `restore_success`.',
    ...{ kind: 'data_loss', faults: [], failing_services: failing('database') },
  },
  {
    name: 'Ransomware on the hosts',
    description: 'Database, cache, bus and gateway are lost together. For simulations.',
    ...{ kind: 'security', faults: [], failing_services: failing('database', 'cache', 'bus', 'gateway') },
  },
]
