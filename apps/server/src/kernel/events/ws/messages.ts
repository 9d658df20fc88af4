/**
 * The client messages of the stream: their schemas and the one function that reads a frame. Unknown members are ignored,
 * so that an older server bears a newer client; everything else that is not as declared is refused with its code.
 * Tested in messages.test.ts.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { apiErrors } from '../../errors/errors.ts'
import type { ProblemError } from '../../errors/problem.ts'
import { compiledOf } from '../../schema/fits.ts'

const request = Type.Optional(
  Type.Union([Type.String({ maxLength: 100 }), Type.Number()], { description: 'Echoed as `reply_to` in every reply' }),
)
const channel = Type.String({ minLength: 1, maxLength: 200 })
const channels = Type.Array(channel, { minItems: 1, maxItems: 100 })

export const Authenticate = Type.Object({
  type: Type.Literal('authenticate'),
  token: Type.Optional(Type.String({ description: 'Access token or API key' })),
  request,
})
export const Subscribe = Type.Object({
  type: Type.Literal('subscribe'),
  channels: Type.Array(channel, { ...channels, description: 'Names or patterns with `*` at the end' }),
  resume: Type.Optional(
    Type.Union([Type.String({ maxLength: 100 }), Type.Record(Type.String(), Type.String({ maxLength: 100 }))], {
      description: 'Last event id seen, for all channels or by channel; or `earliest`',
    }),
  ),
  durable: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$', description: 'Position kept by the server' }),
  ),
  filter: Type.Optional(Type.Unknown({ description: 'Not supported' })),
  conflate: Type.Optional(Type.Boolean({ description: 'Newest event per subject where the channel allows it' })),
  tenant_id: Type.Optional(Type.String({ format: 'uuid', description: 'Platform operators only' })),
  request,
})
export const Unsubscribe = Type.Object({ type: Type.Literal('unsubscribe'), channels, request })
export const Ack = Type.Object({
  type: Type.Literal('ack'),
  positions: Type.Record(Type.String(), Type.String({ format: 'uuid' }), { maxProperties: 100 }),
  request,
})
export const Ping = Type.Object({
  type: Type.Literal('ping'),
  id: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Number()])),
  request,
})

export type Authenticate = Static<typeof Authenticate>
export type Subscribe = Static<typeof Subscribe>
export type Unsubscribe = Static<typeof Unsubscribe>
export type Ack = Static<typeof Ack>
export type Ping = Static<typeof Ping>
export type ClientMessage = Authenticate | Subscribe | Unsubscribe | Ack | Ping
export type ReplyTo = string | number | undefined

export const clientMessages = {
  authenticate: Authenticate,
  subscribe: Subscribe,
  unsubscribe: Unsubscribe,
  ack: Ack,
  ping: Ping,
} as const

const schemas = new Map<string, TSchema>(Object.entries(clientMessages))

export type ReadMessage =
  | { readonly message: ClientMessage; readonly replyTo: ReplyTo }
  | { readonly problem: ProblemError; readonly replyTo: ReplyTo }

/** Reads one text frame. */
export function readMessage(text: string): ReadMessage {
  const value = parse(text)
  if (value === null) {
    return { problem: apiErrors.malformedFrame({ what: 'A frame is one JSON object.' }), replyTo: undefined }
  }
  const replyTo = replyToOf(value)
  const type = value.type
  const schema = typeof type === 'string' ? schemas.get(type) : undefined
  if (schema === undefined) {
    return { problem: apiErrors.unknownMessage({ what: `Known types: ${[...schemas.keys()].join(', ')}.` }), replyTo }
  }
  if (Array.isArray(value.channels) && value.channels.length > 100) {
    return { problem: apiErrors.tooMany({ what: 'A message names at most 100 channels.' }), replyTo }
  }
  const check = compiledOf(schema)
  if (!check.Check(value)) {
    const [first] = check.Errors(value)
    const what =
      first === undefined ? 'The message is not as declared.' : `${first.instancePath} ${first.message}`.trim()
    return { problem: apiErrors.malformedFrame({ what }), replyTo }
  }
  return { message: value as ClientMessage, replyTo }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return value as Record<string, unknown>
  } catch {
    // Not JSON: the caller refuses the frame with its code, the parser's words would only repeat the input.
    return null
  }
}

function replyToOf(value: Record<string, unknown>): ReplyTo {
  const { request: given } = value
  if (typeof given === 'number') return given
  return typeof given === 'string' && given.length <= 100 ? given : undefined
}
