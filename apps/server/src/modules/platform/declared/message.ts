/**
 * A message to another system, in terms that every kind of integration has words for: the event as CloudEvents, and beside
 * it what people read. Made from an event, a notification or a test. Tested in message.test.ts.
 */
import Type, { type Static } from 'typebox'
import { type EnvelopeSettings, toCloudEvent } from '../../../kernel/events/catalogue/cloudevents.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { type Severity, severities, severityOf } from './words.ts'

export const messageKinds = ['event', 'notification', 'report', 'test'] as const
export const messageActions = ['trigger', 'acknowledge', 'resolve'] as const
export type MessageAction = (typeof messageActions)[number]

export const OutgoingMessage = strictObject({
  id: Type.String({ maxLength: 60, description: 'Begins with `msg_` and is the same for every attempt and replay' }),
  kind: oneOf(...messageKinds),
  tenant_id: Uuid,
  time: Timestamp,
  channel: Type.String({ maxLength: 100 }),
  type: Type.String({ maxLength: 200, description: 'CloudEvents type' }),
  subject: Type.String({ maxLength: 200 }),
  severity: oneOf(...severities),
  title: Type.String({ maxLength: 200 }),
  text: Type.String({ maxLength: 4_000 }),
  url: nullable(Type.String({ maxLength: 2_000 })),
  key: Type.String({ maxLength: 255, description: 'The same for everything that is told of one thing' }),
  action: oneOf(...messageActions),
  event: Type.Record(Type.String(), Type.Unknown(), { description: 'CloudEvents 1.0 in the JSON format' }),
})
export type OutgoingMessage = Static<typeof OutgoingMessage>

/** `msg_` and the id without hyphens: Standard Webhooks allows no dot, and receivers compare it as text. */
export const messageId = (uuid: string): string => `msg_${uuid.replaceAll('-', '')}`

export function messageOfEvent(event: LoggedEvent, settings: EnvelopeSettings): OutgoingMessage {
  const id = messageId(event.id)
  const envelope = toCloudEvent(settings, event)
  return {
    id,
    kind: 'event',
    tenant_id: event.tenantId,
    time: event.time,
    channel: event.channel,
    type: envelope.type,
    subject: event.subject.slice(0, 200),
    severity: severityIn(event.data),
    title: titleOf(event),
    text: textOf(event),
    url: consoleUrl(event, settings.publicUrl),
    key: keyOf(event),
    action: actionOf(event),
    event: { ...envelope },
  }
}

export interface OwnMessage {
  readonly id: string
  readonly kind: OutgoingMessage['kind']
  readonly tenantId: string
  readonly at: string
  readonly severity: Severity
  readonly title: string
  readonly text: string
  /** Path within the console. */
  readonly path: string | null
  readonly key: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A notification, a report or a test, in the same form as an event. */
export function messageOfOwn(own: OwnMessage, settings: EnvelopeSettings): OutgoingMessage {
  const [channel, type] =
    own.kind === 'report'
      ? (['platform.report.completed', 'ReportCompleted'] as const)
      : (['platform.notification.created', 'NotificationCreated'] as const)
  const event: LoggedEvent = {
    ...{ id: own.id, tenantId: own.tenantId, channel, type, subject: own.id, time: own.at, data: own.data },
    ...{ position: 0, sequence: 0, traceparent: null, causationDepth: 0 },
  }
  return {
    ...messageOfEvent(event, settings),
    ...{ kind: own.kind, severity: own.severity, title: own.title.slice(0, 200), text: own.text.slice(0, 4_000) },
    url: own.path === null ? null : `${settings.publicUrl.replace(/\/$/, '')}${own.path}`.slice(0, 2_000),
    ...{ key: `${own.tenantId}/${own.key}`.slice(0, 255), action: 'trigger' },
  }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function severityIn(data: LoggedEvent['data']): Severity {
  if (textIn(data.severity) !== null) return severityOf(data.severity)
  return data.direction === 'down' || data.level === 'hard' || data.level === 'block_new' ? 'high' : 'info'
}

function titleOf({ channel, subject, data }: LoggedEvent): string {
  const said = textIn(data.title) ?? textIn(data.name) ?? textIn(data.check_id) ?? textIn(data.reason)
  const words = wordsOf(channel)
  return (said === null ? `${words}: ${subject}` : `${words}: ${said}`).slice(0, 200)
}

/** `aegis.kill_switch.activated` as `Kill switch activated`. */
function wordsOf(channel: string): string {
  const words = channel.split('.').slice(1).join(' ').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const plain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** The members of the event that are texts or numbers, one a line. */
function textOf({ data }: LoggedEvent): string {
  const lines = Object.entries(data).flatMap(([name, value]) =>
    plain(value) && name !== 'tenant_id' && name !== 'title' ? [`${name.replaceAll('_', ' ')}: ${String(value)}`] : [],
  )
  return lines.join('\n').slice(0, 4_000)
}

const consoleUrl = ({ channel, subject }: LoggedEvent, publicUrl: string): string =>
  `${publicUrl.replace(/\/$/, '')}/events/${channel}?subject=${encodeURIComponent(subject)}`.slice(0, 2_000)

/** The object that is opened, moved and closed under one key: the resource of the channel and its subject. */
function keyOf({ tenantId, channel, subject }: LoggedEvent): string {
  const resource = channel.split('.').slice(0, -1).join('.')
  return `${tenantId}/${resource}/${subject}`.slice(0, 255)
}

const resolving = new Set(['deactivated', 'recovered', 'resolved', 'closed', 'completed', 'verified', 'released'])

function actionOf({ channel, data }: LoggedEvent): MessageAction {
  if (resolving.has(channel.split('.').at(-1) ?? '')) return 'resolve'
  if (data.status === 'resolved' || data.status === 'closed' || data.status === 'false_positive') return 'resolve'
  return data.status === 'in_progress' || data.status === 'triaged' ? 'acknowledge' : 'trigger'
}
