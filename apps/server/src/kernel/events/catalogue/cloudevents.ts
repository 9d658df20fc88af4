/**
 * The envelope of every event that leaves the installation: CloudEvents 1.0.2 in JSON with the extensions `channel`,
 * `sequence`, `traceparent` and `causationdepth`. It is made once per event and shared by all receivers.
 * Tested in cloudevents.test.ts.
 */

import type { EventDefinition } from './catalogue.ts'
import type { LoggedEvent } from './logged-event.ts'

export interface EnvelopeSettings {
  /** Without a slash at the end. */
  readonly publicUrl: string
  /** `[a-z0-9]+` */
  readonly vendor: string
}

export interface CloudEvent {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly dataschema: string
  readonly channel: string
  readonly sequence: string
  readonly causationdepth: number
  readonly traceparent?: string
  /** Number of older events this one replaces. */
  readonly conflated?: number
  readonly data: Readonly<Record<string, unknown>>
}

/** `com.<vendor>.<module>.<Type>`; underscores of the channel's module stay, because hyphens are no identifier. */
export function cloudEventType(vendor: string, event: Pick<EventDefinition, 'channel' | 'type'>): string {
  return `com.${vendor}.${moduleSegment(event.channel)}.${event.type}`
}

/** Where the schema of a type is published. */
export function dataSchemaUrl(publicUrl: string, type: string): string {
  return `${publicUrl}/schemas/events/${type}/1`
}

export function toCloudEvent(settings: EnvelopeSettings, event: LoggedEvent, conflated = 0): CloudEvent {
  const type = cloudEventType(settings.vendor, event)
  const source = `${settings.publicUrl}/api/v1/${moduleSegment(event.channel).replaceAll('_', '-')}`
  return {
    specversion: '1.0',
    id: event.id,
    source,
    type,
    subject: event.subject,
    time: event.time,
    datacontenttype: 'application/json',
    dataschema: dataSchemaUrl(settings.publicUrl, type),
    channel: event.channel,
    sequence: String(event.sequence).padStart(20, '0'),
    causationdepth: event.causationDepth,
    ...(event.traceparent === null ? {} : { traceparent: event.traceparent }),
    ...(conflated > 0 ? { conflated } : {}),
    data: event.data,
  }
}

/** Encodes each event once per process; the bytes are shared by every socket and must not be changed. */
export function createEventEncoder(settings: EnvelopeSettings): (event: LoggedEvent, conflated?: number) => Buffer {
  const encoded = new WeakMap<LoggedEvent, Buffer>()
  return (event, conflated = 0) => {
    if (conflated > 0) return Buffer.from(JSON.stringify(toCloudEvent(settings, event, conflated)))
    const known = encoded.get(event)
    if (known !== undefined) return known
    const bytes = Buffer.from(JSON.stringify(toCloudEvent(settings, event)))
    encoded.set(event, bytes)
    return bytes
  }
}

function moduleSegment(channel: string): string {
  return channel.split('.', 1)[0] ?? channel
}
