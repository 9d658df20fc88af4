import Type from 'typebox'
import { expect, test } from 'vitest'
import { defineEvent } from '../catalogue/catalogue.ts'
import { asyncApiDocument } from './asyncapi.ts'

const event = defineEvent({
  channel: 'risk.score.changed',
  type: 'ScoreChanged',
  summary: 'A score changed.',
  schema: Type.Object({ score: Type.Number() }),
})
const document = asyncApiDocument({
  events: [event],
  publicUrl: 'https://parapet.example',
  vendor: 'acme',
  version: '1.2.3',
})

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : references(inner)))
}
const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document)

test('every reference leads somewhere', () => {
  const all = references(document)
  expect(all.length).toBeGreaterThan(40)
  expect(all.filter((reference) => resolve(reference) === undefined)).toEqual([])
})

test('an event is described with its type, its envelope and tenant_id in its data', () => {
  expect(resolve('#/components/messages/risk_score_changed')).toMatchObject({
    name: 'com.acme.risk.ScoreChanged',
    payload: {
      required: expect.arrayContaining(['specversion', 'id', 'source', 'type', 'sequence']),
      properties: {
        type: { const: 'com.acme.risk.ScoreChanged' },
        data: { required: expect.arrayContaining(['score', 'tenant_id']) },
      },
    },
  })
})

test('the five client messages are received and answered', () => {
  for (const name of ['authenticate', 'subscribe', 'unsubscribe', 'ack', 'ping']) {
    expect(resolve(`#/operations/${name}`)).toMatchObject({ action: 'receive', reply: { messages: expect.any(Array) } })
  }
})

test('a reply channel message is one of its channel (AsyncAPI 3.0, Operation Reply Object)', () => {
  const used = references((document.operations as Record<string, unknown>) ?? {}).filter((r) =>
    r.includes('/messages/'),
  )
  expect(used.every((reference) => reference.startsWith('#/channels/'))).toBe(true)
})
