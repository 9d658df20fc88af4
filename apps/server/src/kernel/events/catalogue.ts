import type { Static, TObject } from 'typebox'
import type { ModuleName } from '../auth/permissions.ts'

/** One channel: its CloudEvents type, payload and delivery facts. `/asyncapi.json`, docs and tests derive from it. */
export interface EventDefinition<S extends TObject = TObject> {
  readonly channel: string
  /** Name after `com.<vendor>.<module>.` */
  readonly type: string
  readonly summary: string
  /** Payload without `tenant_id`, which the kernel adds to every event. */
  readonly schema: S
  /** The newest event per subject may replace unsent older ones. */
  readonly conflatable: boolean
  readonly retentionDays: number
  /** Reading needs `<module>:read` of any of these. */
  readonly readers: readonly ModuleName[]
}

export type EventData<E extends EventDefinition> = Static<E['schema']>

type EventInput<S extends TObject> = Pick<EventDefinition<S>, 'channel' | 'type' | 'summary' | 'schema'> &
  Partial<Pick<EventDefinition<S>, 'conflatable' | 'retentionDays' | 'readers'>>

/** Declares a channel `<module>.<thing>.<past-tense>`; hyphens of module names are underscores there. */
export function defineEvent<S extends TObject>(input: EventInput<S>): EventDefinition<S> {
  const segment = input.channel.split('.')[0] ?? ''
  const owner = segment.replaceAll('_', '-') as ModuleName
  return { conflatable: false, retentionDays: 7, readers: [owner], ...input }
}
