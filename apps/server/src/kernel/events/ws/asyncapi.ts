/**
 * The AsyncAPI 3.0.0 description of the stream, derived from the event catalogue and the protocol's schemas: it
 * describes exactly the declared messages. From the server's point of view: it receives client messages and sends
 * control frames and events. Tested in asyncapi.test.ts.
 */
import Type, { type TSchema } from 'typebox'
import type { EventDefinition } from '../catalogue/catalogue.ts'
import { cloudEventType, dataSchemaUrl } from '../catalogue/cloudevents.ts'
import { controlFrames, pascal } from './frames.ts'
import { clientMessages } from './messages.ts'

export interface AsyncApiInput {
  readonly events: readonly EventDefinition[]
  readonly publicUrl: string
  readonly vendor: string
  readonly version: string
}

type Json = Readonly<Record<string, unknown>>

/** Replies by client message; a message not listed has none but `error`. */
const replies: Readonly<Record<keyof typeof clientMessages, readonly (keyof typeof controlFrames)[]>> = {
  authenticate: ['authenticated', 'error'],
  subscribe: ['subscribed', 'error'],
  unsubscribe: ['unsubscribed', 'error'],
  ack: ['acknowledged', 'error'],
  ping: ['pong', 'error'],
}

export function asyncApiDocument(input: AsyncApiInput): Json {
  const url = new URL(input.publicUrl)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parapet event stream',
      version: input.version,
      description:
        'One WebSocket for all events: authenticate, subscribe, read CloudEvents 1.0.2. Per tenant and channel events ' +
        'come in order and at least once; `resume` continues behind the last event seen.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      stream: {
        host: url.host,
        protocol: url.protocol === 'https:' ? 'wss' : 'ws',
        security: [{ $ref: '#/components/securitySchemes/token' }, { $ref: '#/components/securitySchemes/apiKey' }],
      },
    },
    channels: { stream: streamChannel(), ...Object.fromEntries(input.events.map(eventChannel)) },
    operations: {
      ...clientOperations(),
      ...controlOperation(),
      ...Object.fromEntries(input.events.map(eventOperation)),
    },
    components: components(input),
  }
}

const streamAddress = '/ws'
const serverRef = [{ $ref: '#/servers/stream' }]

function streamChannel(): Json {
  const names = [...Object.keys(clientMessages), ...Object.keys(controlFrames)]
  return {
    address: streamAddress,
    title: 'Control protocol',
    servers: serverRef,
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
  }
}

function eventChannel(event: EventDefinition): [string, Json] {
  const id = channelId(event)
  const channel = {
    address: streamAddress,
    title: event.channel,
    description: `${event.summary} Read with ${event.readers.map((module) => `\`${module}:read\``).join(' or ')}.`,
    servers: serverRef,
    messages: { [id]: { $ref: `#/components/messages/${id}` } },
    bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
    'x-conflatable': event.conflatable,
    'x-retention-days': event.retentionDays,
    'x-readers': event.readers,
  }
  return [id, channel]
}

function clientOperations(): Json {
  const entries = Object.entries(replies).map(([name, answers]) => {
    const operation = {
      action: 'receive',
      channel: { $ref: '#/channels/stream' },
      summary: `The client sends \`${name}\``,
      messages: [{ $ref: `#/channels/stream/messages/${name}` }],
      reply: {
        channel: { $ref: '#/channels/stream' },
        messages: answers.map((answer) => ({ $ref: `#/channels/stream/messages/${answer}` })),
      },
    }
    return [name, operation]
  })
  return Object.fromEntries(entries)
}

/** Frames the server sends of its own accord. */
function controlOperation(): Json {
  const answers = new Set<string>(Object.values(replies).flat())
  const unasked = Object.keys(controlFrames).filter((name) => !answers.has(name) || name === 'error')
  const messages = unasked.map((name) => ({ $ref: `#/channels/stream/messages/${name}` }))
  const summary = 'The server tells about the connection'
  return { control: { action: 'send', channel: { $ref: '#/channels/stream' }, summary, messages } }
}

function eventOperation(event: EventDefinition): [string, Json] {
  const id = channelId(event)
  const channel = { $ref: `#/channels/${id}` }
  const messages = [{ $ref: `#/channels/${id}/messages/${id}` }]
  return [`send_${id}`, { action: 'send', channel, summary: event.summary, messages }]
}

function components(input: AsyncApiInput): Json {
  const client = Object.entries(clientMessages).map(([name, schema]) => [name, plainMessage(name, schema)])
  const control = Object.entries(controlFrames).map(([name, schema]) => [name, plainMessage(name, schema)])
  const events = input.events.map((event) => [channelId(event), eventMessage(input, event)])
  return {
    messages: Object.fromEntries([...client, ...control, ...events]),
    messageTraits: { cloudEvent: cloudEventTrait },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Or in the `authenticate` message' },
      apiKey: { type: 'httpApiKey', in: 'header', name: 'X-API-Key', description: 'Or in the `authenticate` message' },
    },
  }
}

function plainMessage(name: string, schema: TSchema): Json {
  return { name, title: pascal(name), payload: plain(schema) }
}

const cloudEventTrait = {
  contentType: 'application/cloudevents+json',
  externalDocs: { url: 'https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md' },
}

function eventMessage(input: AsyncApiInput, event: EventDefinition): Json {
  const type = cloudEventType(input.vendor, event)
  return {
    name: type,
    title: event.type,
    summary: event.summary,
    traits: [{ $ref: '#/components/messageTraits/cloudEvent' }],
    payload: plain(envelopeSchema(event, type, dataSchemaUrl(input.publicUrl, type))),
  }
}

/** The envelope with this event's constants and data. */
function envelopeSchema(event: EventDefinition, type: string, dataschema: string): TSchema {
  const uuid = Type.String({ format: 'uuid' })
  const data = Type.Object({ ...event.schema.properties, tenant_id: uuid })
  return Type.Object({
    specversion: Type.Literal('1.0'),
    id: uuid,
    source: Type.String({ format: 'uri' }),
    type: Type.Literal(type),
    subject: Type.String(),
    time: Type.String({ format: 'date-time' }),
    datacontenttype: Type.Literal('application/json'),
    dataschema: Type.Literal(dataschema),
    channel: Type.Literal(event.channel),
    sequence: Type.String({ pattern: '^[0-9]{20}$' }),
    causationdepth: Type.Integer({ minimum: 0 }),
    traceparent: Type.Optional(Type.String()),
    conflated: Type.Optional(Type.Integer({ minimum: 1 })),
    data,
  })
}

/** Schemas carry marks of their library that are not part of the document. */
function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema))
}

/** Names of channels contain dots, which references would have to escape in some tools. */
function channelId(event: EventDefinition): string {
  return event.channel.replaceAll('.', '_')
}
