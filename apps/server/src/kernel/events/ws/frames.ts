/**
 * The server's control frames: their schemas, and how one is written, plainly or as a CloudEvent for clients that chose
 * the `cloudevents.json` subprotocol. Events themselves are not made here. Tested in connection.test.ts.
 */

import Type, { type Static } from 'typebox'
import type { Actor } from '../../access/actor.ts'
import { listPermissions } from '../../access/permissions.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../crypto/random.ts'
import type { ProblemError } from '../../errors/problem.ts'
import type { EnvelopeSettings } from '../catalogue/cloudevents.ts'
import type { StreamLimits } from './limits.ts'
import type { ReplyTo } from './messages.ts'

const eventId = Type.String({ format: 'uuid' })
const maybeId = Type.Union([eventId, Type.Null()])
const instant = Type.String({ format: 'date-time' })
const replyTo = Type.Optional(Type.Union([Type.String(), Type.Number()]))
const names = Type.Array(Type.String())

export const controlFrames = {
  authenticated: Type.Object({
    type: Type.Literal('authenticated'),
    connection_id: Type.String({ format: 'uuid' }),
    tenant_id: Type.String({ format: 'uuid' }),
    user_id: Type.String({ format: 'uuid' }),
    permissions: names,
    expires_at: Type.Union([instant, Type.Null()]),
    server_time: instant,
    limits: Type.Object({
      max_channels: Type.Integer(),
      max_message_bytes: Type.Integer(),
      messages_per_second: Type.Number(),
    }),
    reply_to: replyTo,
  }),
  subscribed: Type.Object({
    type: Type.Literal('subscribed'),
    channels: names,
    patterns: names,
    rejected: Type.Array(Type.Object({ channel: Type.String(), error_code: Type.String(), detail: Type.String() })),
    positions: Type.Record(Type.String(), maybeId),
    reply_to: replyTo,
  }),
  unsubscribed: Type.Object({
    type: Type.Literal('unsubscribed'),
    channels: names,
    reason: Type.Union([Type.Literal('requested'), Type.Literal('permission_lost'), Type.Literal('channel_retired')]),
    reply_to: replyTo,
  }),
  replay_started: Type.Object({
    type: Type.Literal('replay_started'),
    channel: Type.String(),
    from: maybeId,
    to: maybeId,
    count: Type.Integer(),
  }),
  replay_completed: Type.Object({
    type: Type.Literal('replay_completed'),
    channel: Type.String(),
    from: maybeId,
    to: maybeId,
    count: Type.Integer(),
  }),
  gap: Type.Object({
    type: Type.Literal('gap'),
    channel: Type.String(),
    requested_event_id: maybeId,
    oldest_event_id: maybeId,
    reason: Type.Union([Type.Literal('expired'), Type.Literal('unknown')]),
  }),
  lagging: Type.Object({
    type: Type.Literal('lagging'),
    channel: Type.String(),
    behind: Type.Integer(),
    last_event_id: maybeId,
  }),
  token_expiring: Type.Object({
    type: Type.Literal('token_expiring'),
    expires_at: instant,
    expires_in_ms: Type.Integer(),
  }),
  acknowledged: Type.Object({ type: Type.Literal('acknowledged'), channels: names, reply_to: replyTo }),
  error: Type.Object({
    type: Type.Literal('error'),
    error_code: Type.String(),
    title: Type.String(),
    detail: Type.String(),
    fatal: Type.Boolean(),
    reply_to: replyTo,
  }),
  pong: Type.Object({
    type: Type.Literal('pong'),
    id: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    server_time: instant,
    reply_to: replyTo,
  }),
  going_away: Type.Object({ type: Type.Literal('going_away'), reconnect_after_ms: Type.Integer() }),
} as const

type Frames = typeof controlFrames
export type ControlFrame = { [K in keyof Frames]: Static<Frames[K]> }[keyof Frames]

/** The client's own facts, sent when its token was accepted. */
export function authenticatedFrame(
  connection: { readonly id: string },
  identity: { readonly actor: Actor; readonly expiresAt: number | null },
  told: { readonly clock: Pick<Clock, 'iso'>; readonly limits: StreamLimits; readonly replyTo: ReplyTo },
): ControlFrame {
  const { actor, expiresAt } = identity
  return {
    type: 'authenticated',
    connection_id: connection.id,
    tenant_id: actor.tenantId,
    user_id: actor.userId,
    permissions: listPermissions(actor.permissions),
    expires_at: expiresAt === null ? null : new Date(expiresAt * 1_000).toISOString(),
    server_time: told.clock.iso(),
    limits: {
      max_channels: told.limits.channelsPerConnection,
      max_message_bytes: told.limits.messageBytes,
      messages_per_second: told.limits.messagesPerSecond,
    },
    ...replyMember(told.replyTo),
  }
}

export function errorFrame(problem: ProblemError, replyTo: ReplyTo, fatal: boolean): ControlFrame {
  return {
    type: 'error',
    error_code: problem.code,
    title: problem.title,
    detail: problem.message,
    fatal,
    ...replyMember(replyTo),
  }
}

export function replyMember(replyTo: ReplyTo): { readonly reply_to?: string | number } {
  return replyTo === undefined ? {} : { reply_to: replyTo }
}

export interface FrameWriterParts extends EnvelopeSettings {
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'uuid'>
}

export type FrameWriter = (frame: ControlFrame) => string

export const writePlainly: FrameWriter = (frame) => JSON.stringify(frame)

/** Every control frame as `com.<vendor>.stream.<Name>`, as the CloudEvents WebSocket binding asks. */
export function cloudEventWriter(parts: FrameWriterParts): FrameWriter {
  return (frame) =>
    JSON.stringify({
      specversion: '1.0',
      id: parts.random.uuid(),
      source: `${parts.publicUrl}/ws`,
      type: `com.${parts.vendor}.stream.${pascal(frame.type)}`,
      time: parts.clock.iso(),
      datacontenttype: 'application/json',
      data: frame,
    })
}

/** `replay_started` becomes `ReplayStarted`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
