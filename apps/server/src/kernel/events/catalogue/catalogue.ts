import Type, { type Static, type TObject } from 'typebox'
import type { ModuleName } from '../../access/permissions.ts'

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
  /** Messages go to current listeners and are not logged: there is no order, no replay and no handler. */
  readonly live: boolean
  /** Reading needs `<module>:read` of any of these. */
  readonly readers: readonly ModuleName[]
}

export type EventData<E extends EventDefinition> = Static<E['schema']>

type EventInput<S extends TObject> = Pick<EventDefinition<S>, 'channel' | 'type' | 'summary' | 'schema'> &
  Partial<Pick<EventDefinition<S>, 'conflatable' | 'retentionDays' | 'live' | 'readers'>>

/** Declares a channel `<module>.<thing>.<past-tense>`; hyphens of module names are underscores there. */
export function defineEvent<S extends TObject>(input: EventInput<S>): EventDefinition<S> {
  const segment = input.channel.split('.')[0] ?? ''
  const owner = segment.replaceAll('_', '-') as ModuleName
  return { conflatable: false, retentionDays: input.live === true ? 0 : 7, live: false, readers: [owner], ...input }
}

/**
 * The eight channels that every installation has, whatever modules it runs: a client written from the specification
 * subscribes to them all. A module that emits one declares its payload, which takes the place of the entry here.
 */
export const fixedChannels: readonly EventDefinition[] = [
  ['trust.score.updated', 'ScoreUpdated'],
  ['gateway.request.completed', 'RequestCompleted'],
  ['gateway.request.blocked', 'RequestBlocked'],
  ['aegis.agent.anomaly', 'AgentAnomaly'],
  ['aegis.kill_switch.activated', 'KillSwitchActivated'],
  ['compliance.assessment.completed', 'AssessmentCompleted'],
  ['risk.score.changed', 'ScoreChanged'],
  ['platform.notification.created', 'NotificationCreated'],
].map(([channel = '', type = '']) =>
  defineEvent({ channel, type, summary: 'One of the eight fixed channels.', schema: Type.Object({}) }),
)
