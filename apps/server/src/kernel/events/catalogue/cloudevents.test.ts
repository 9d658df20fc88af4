import { expect, test } from 'vitest'
import { createEventEncoder, toCloudEvent } from './cloudevents.ts'
import type { LoggedEvent } from './logged-event.ts'

const settings = { publicUrl: 'https://parapet.example', vendor: 'acme' }
const event: LoggedEvent = {
  position: 9,
  id: '0190a000-0000-7000-8000-000000000001',
  tenantId: 't',
  channel: 'svc_ai.chat.ended',
  sequence: 42,
  type: 'ChatEnded',
  subject: 'chat-1',
  time: '2026-03-01T12:00:00.000Z',
  data: { tenant_id: 't' },
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  causationDepth: 2,
}

test('the envelope is CloudEvents 1.0 with our extensions', () => {
  expect(toCloudEvent(settings, event)).toEqual({
    specversion: '1.0',
    id: event.id,
    source: 'https://parapet.example/api/v1/svc-ai',
    type: 'com.acme.svc_ai.ChatEnded',
    subject: 'chat-1',
    time: event.time,
    datacontenttype: 'application/json',
    dataschema: 'https://parapet.example/schemas/events/com.acme.svc_ai.ChatEnded/1',
    channel: 'svc_ai.chat.ended',
    sequence: '00000000000000000042',
    causationdepth: 2,
    traceparent: event.traceparent,
    data: { tenant_id: 't' },
  })
})

test('attributes without a value are absent', () => {
  expect(toCloudEvent(settings, { ...event, traceparent: null })).not.toHaveProperty('traceparent')
})

test('an event is encoded once, and apart when it stands for others', () => {
  const encode = createEventEncoder(settings)
  expect(encode(event)).toBe(encode(event))
  expect(JSON.parse(encode(event, 3).toString())).toMatchObject({ conflated: 3 })
})
