/**
 * Turns a declared route into a Fastify handler: credential, tenant, permission, rate limit, validation, transaction,
 * audit, idempotency, envelope, entity tag. Everything that can be made before the first request is made here, once.
 * It knows no module. Tested in route.test.ts and, for every declared route, by the generated suite.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { exactJson } from '../base/exact-json.ts'
import { sha256 as digest } from '../crypto/digest.ts'
import type { OpenTx, Origin, Tx } from '../db/port.ts'
import { authErrors } from '../errors/errors.ts'
import {
  Answer,
  isBodiless,
  PageFileAnswer,
  type ReceivedBytes,
  StreamAnswer,
  type UploadedFile,
  Versioned,
} from '../module/route.ts'
import { assertDecodable, paramChecks } from '../schema/path-params.ts'
import { lazySerializer } from '../schema/serializers.ts'
import { bodyReader, queryReader } from '../schema/validators.ts'
import { admission } from './admission.ts'
import { dataOf, envelope } from './answer/envelope.ts'
import { etagOf } from './answer/etag.ts'
import { type Call, CallOrigin } from './call.ts'
import { RouteCall } from './context.ts'
import { callDigest, readIdempotencyKey, type StoredAnswer } from './idempotency.ts'
import { beginPage, type ListWalk, listAnswer, listQuery, withNextCursor } from './list.ts'
import type { HttpParts, PlacedRoute } from './parts.ts'
import { answerSender, asReplay } from './send.ts'

export interface CompiledRoute {
  /** Admission: before the body is read, so that a caller without a credential cannot make us read it. */
  admit(call: Call): undefined | Promise<undefined>
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

interface Input {
  readonly params: Readonly<Record<string, string>>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly upload: UploadedFile | null
  readonly received: ReceivedBytes | null
  readonly walk: ListWalk | null
}

export function compileRoute(placed: PlacedRoute, parts: HttpParts): CompiledRoute {
  const { route, path } = placed
  const { kernel } = parts
  const read = inputReader(placed, parts)
  const finish = answerWriter(placed, parts)
  const send = answerSender(parts, route)
  const readOnly = route.method === 'GET'
  const origin = (call: Call): Origin => new CallOrigin(call, readOnly)

  // A route that never asks for its transaction does not pay for one.
  const inTransaction = async (call: Call, input: Input): Promise<Finished> => {
    const { actor } = call
    if (actor === null) throw authErrors.missing()
    let opened: OpenTx | null = null
    const tx = (): OpenTx => {
      opened ??= kernel.db.open({ tenantId: actor.tenantId, origin: origin(call), route: path, readOnly })
      return opened
    }
    try {
      const finished = await (readOnly ? answered(call, tx, input) : changed(call, tx(), input))
      await (opened as OpenTx | null)?.commit()
      return finished
    } catch (error) {
      await (opened as OpenTx | null)?.rollback()
      throw error
    }
  }

  const answered = async (call: Call, tx: () => Tx, input: Input): Promise<Finished> => ({
    answer: finish(call, await route.handler(new RouteCall(placed, { kernel, call, tx, input })), input),
    replayed: false,
  })

  const changed = async (call: Call, tx: OpenTx, input: Input): Promise<Finished> => {
    const held = await reserve(tx, call, input)
    if (held !== null && 'status' in held)
      return replay(held, new RouteCall(placed, { kernel, call, tx: () => tx, input }))
    const result = await route.handler(new RouteCall(placed, { kernel, call, tx: () => tx, input }))
    if (tx.audited === 0) await tx.audit(route.audit ?? path, { target: `${placed.module}:${auditTarget(input)}` })
    const answer = finish(call, result, input)
    if (held !== null) await settle(tx, held.id, answer)
    return { answer, replayed: false }
  }

  const reserve = async (tx: Tx, call: Call, input: Input): Promise<{ readonly id: string } | StoredAnswer | null> => {
    const key = route.method === 'POST' ? readIdempotencyKey(call.header('idempotency-key')) : null
    if (key === null || call.actor === null) return null
    return parts.idempotency.begin(tx, {
      key,
      route: path,
      actor: call.actor,
      digest: callDigest(call.path, uploadedIn(input)),
    })
  }

  const replay = async (answer: StoredAnswer, context: RouteCall): Promise<Finished> => {
    await route.guard?.(context, route.raw === null ? dataOf(answer.body) : JSON.parse(answer.body), answer.headers)
    return { answer, replayed: true }
  }

  // The handler's own transactions commit before its answer is known here, so the key is held around them.
  const aroundOwnTransactions = async (call: Call, input: Input): Promise<Finished> => {
    const { actor } = call
    const scope = actor === null ? null : { tenantId: actor.tenantId, origin: origin(call) }
    const wanted = scope !== null && route.method === 'POST' && call.header('idempotency-key') !== undefined
    const held = wanted ? await kernel.db.tenant(scope, (tx) => reserve(tx, call, input)) : null
    if (held !== null && 'status' in held) return replay(held, new RouteCall(placed, { kernel, call, tx: null, input }))
    try {
      const answer = finish(call, await route.handler(new RouteCall(placed, { kernel, call, tx: null, input })), input)
      if (held !== null && scope !== null) await kernel.db.tenant(scope, (tx) => settle(tx, held.id, answer))
      return { answer, replayed: false }
    } catch (error) {
      if (held !== null && scope !== null) await kernel.db.tenant(scope, (tx) => parts.idempotency.abandon(tx, held.id))
      throw error
    }
  }

  // A stream cannot be given again, so its key is free for another try.
  const settle = (tx: Tx, id: string, answer: StoredAnswer | StreamAnswer): Promise<void> =>
    answer instanceof StreamAnswer ? parts.idempotency.abandon(tx, id) : parts.idempotency.finish(tx, id, answer)

  const finished = async (call: Call, input: Input): Promise<Finished> => {
    const { answer, replayed } = route.ownTransactions
      ? await aroundOwnTransactions(call, input)
      : await inTransaction(call, input)
    return { answer: replayed ? asReplay(answer) : answer, replayed }
  }

  const withUpload = async (request: FastifyRequest, reply: FastifyReply, input: Input): Promise<FastifyReply> => {
    const { call } = request
    const { answer } = await parts.uploads.receive(route, request, ({ body, file, received }) => {
      call.isRead = true
      return finished(call, { ...input, body, upload: file, received })
    })
    return send(reply, call, answer)
  }

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { call } = request
    const input = read(request, call)
    if (route.upload !== null) return withUpload(request, reply, input)
    call.isRead = true
    return send(reply, call, (await finished(call, input)).answer)
  }
  return { admit: admission(placed, parts), handle }
}

interface Finished {
  readonly answer: StoredAnswer | StreamAnswer
  readonly replayed: boolean
}

/** Two uploads are the same request when the file is the same, however it was sent. */
function uploadedIn({ query, body, upload, received }: Input): { readonly query: unknown; readonly body: unknown } {
  if (received !== null) return { query, body: { mediaType: received.mediaType, sha256: digest(received.content) } }
  if (upload === null) return { query, body }
  const { sha256, mediaType, name } = upload
  return { query, body: [body, { sha256, mediaType, name }] }
}

function auditTarget(input: Input): string {
  return Object.values(input.params).at(-1) ?? '-'
}

function inputReader(placed: PlacedRoute, parts: HttpParts): (request: FastifyRequest, call: Call) => Input {
  const { route, path } = placed
  const querySchema =
    route.list === null
      ? (route.query ?? Type.Object({}, { additionalProperties: false }))
      : listQuery(route.list, route.query)
  const readQuery = queryReader(querySchema)
  const takesBody = route.method !== 'GET' && route.method !== 'DELETE' && route.upload === null
  const readBody = bodyReader(takesBody ? route.body : null)
  const checkParams = paramChecks(path, route.params)
  return (request, call) => {
    const params = request.params as Readonly<Record<string, string>>
    checkParams(params)
    assertDecodable(request.url)
    const query = readQuery(request.query as Readonly<Record<string, unknown>>)
    const body = readBody(route.upload === null ? request.body : undefined)
    if (route.list === null || call.actor === null)
      return { params, query, body, upload: null, received: null, walk: null }
    const walk = beginPage(parts.cursors, { route, path, tenantId: call.actor.tenantId }, query)
    return { params, query: walk.filters, body, upload: null, received: null, walk }
  }
}

function answerWriter(
  placed: PlacedRoute,
  parts: HttpParts,
): (call: Call, result: unknown, input: Input) => StoredAnswer | StreamAnswer {
  const { route } = placed
  const successes = new Map(
    [route.returns, ...route.alternatives].map(([status, schema]) => [
      status,
      lazySerializer(route.list === null ? schema : Type.Array(schema)),
    ]),
  )
  const empty = new Set(
    [route.returns, ...route.alternatives].flatMap((success) => (isBodiless(route.raw, success) ? [success[0]] : [])),
  )
  return (call, result, input) => {
    if (result instanceof PageFileAnswer && input.walk !== null)
      return withNextCursor(result, { walk: input.walk, cursors: parts.cursors })
    if (result instanceof StreamAnswer) return result
    const answer = result instanceof Answer ? (result as Answer<unknown>) : new Answer(result)
    const status = answer.status ?? route.returns[0]
    const serialize = successes.get(status)
    if (serialize === undefined) throw new TypeError(`${placed.path} does not declare that it answers ${status}`)
    if (route.list !== null && input.walk !== null)
      return listAnswer(call, answer, { serialize, walk: input.walk, cursors: parts.cursors })
    if (empty.has(status)) return withoutBody(status, answer)
    const data = route.raw === null ? serialize(answer.data) : exactJson(answer.data)
    const version = answer instanceof Versioned ? answer.version : null
    return {
      status,
      headers: {
        ...(route.raw?.mediaType === undefined ? {} : { 'content-type': `${route.raw.mediaType}; charset=utf-8` }),
        ...(version === null && route.method !== 'GET' ? {} : { etag: etagOf(version, data) }),
        ...answer.headers,
        ...(status === 201 ? { location: answer.location ?? `${call.path}/${idOf(answer.data)}` } : {}),
      },
      body: route.raw === null ? envelope(data, call, answer.meta) : data,
    }
  }
}

function withoutBody(status: number, answer: Answer<unknown>): StoredAnswer {
  if (status === 303 && answer.location === null) throw new TypeError('A 303 without a location leads nowhere')
  return {
    status,
    headers: { ...answer.headers, ...(answer.location === null ? {} : { location: answer.location }) },
    body: '',
  }
}

function idOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : ''
}
