/**
 * An alert with more hits: counts add up, and lists keep their newest entries. Pure. Tested in merge.test.ts.
 */
import {
  type AlertRow,
  type Entity,
  type Evidence,
  mostEntities,
  mostEvidence,
  mostRequests,
} from './declared/schema.ts'

export interface Hits {
  /** At least 1. */
  readonly count: number
  /** ISO times. */
  readonly firstAt: string
  readonly lastAt: string
  readonly entities: readonly Entity[]
  readonly evidence: readonly Evidence[]
}

export const entityKey = ({ type, id }: Pick<Entity, 'type' | 'id'>): string => `${type}:${id}`

type Merged = Pick<
  AlertRow,
  'count' | 'first_seen' | 'last_seen' | 'entities' | 'entity_keys' | 'evidence' | 'request_ids'
>

/** Fields of a new alert derived from its hits. */
export function mergedHits(hits: Hits): Merged {
  return {
    count: hits.count,
    first_seen: hits.firstAt,
    last_seen: hits.lastAt,
    ...listsOf([], hits),
  }
}

/** Fields of an alert after more hits. */
export function withHits(alert: Merged, hits: Hits): Merged {
  return {
    count: Math.min(2_147_483_647, alert.count + hits.count),
    first_seen: hits.firstAt < alert.first_seen ? hits.firstAt : alert.first_seen,
    last_seen: hits.lastAt > alert.last_seen ? hits.lastAt : alert.last_seen,
    ...listsOf([alert], hits),
  }
}

type Lists = Pick<Merged, 'entities' | 'entity_keys' | 'evidence' | 'request_ids'>

function listsOf(before: readonly Pick<Merged, 'entities' | 'evidence' | 'request_ids'>[], hits: Hits): Lists {
  const entities = newest([...before.flatMap((alert) => alert.entities), ...hits.entities], entityKey, mostEntities)
  const evidence = newest(
    [...before.flatMap((alert) => alert.evidence), ...hits.evidence],
    ({ id }) => id,
    mostEvidence,
  )
  const requests = [
    ...before.flatMap((alert) => alert.request_ids),
    ...hits.evidence.flatMap(({ request_id: id }) => (id === null ? [] : [id])),
  ]
  return {
    entities,
    entity_keys: entities.map(entityKey),
    evidence,
    request_ids: newest(requests, (id) => id, mostRequests),
  }
}

/** The last of each key in the order they came, and of those the last so many. */
function newest<T>(items: readonly T[], keyOf: (item: T) => string, most: number): T[] {
  const kept = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    kept.delete(key)
    kept.set(key, item)
  }
  return [...kept.values()].slice(-most)
}
