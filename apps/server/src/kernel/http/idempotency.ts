/**
 * `Idempotency-Key`: the first successful answer to a POST is stored with the change it tells of, in the same
 * transaction, and given again for 24 hours. A crash or a refusal leaves nothing behind, so the key can be used again.
 * Routes that open their own transactions reserve the key first; a reservation whose process died is free after a while.
 * Tested in idempotency.test.ts and in the generated suite.
 */

import type { Actor } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../crypto/digest.ts'
import type { Tx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import { apiErrors } from '../errors/errors.ts'
import type { TenantKeys } from '../keys/port.ts'

const keepMs = 24 * 3_600_000
const abandonedMs = 15 * 60_000
const keyPattern = /^[\x21-\x7e]{1,255}$/

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface IdempotentCall {
  readonly key: string
  readonly route: string
  readonly actor: Actor
  /** Of path, query and body. */
  readonly digest: string
}

interface KeyRow {
  readonly id: string
  readonly body_sha256: string
  readonly status: 'running' | 'done'
  readonly response_status: number | null
  readonly response_headers: Readonly<Record<string, string>> | null
  readonly response_body: Uint8Array | null
}

export interface IdempotencyStore {
  /** Reserves the key, or gives the stored answer. @throws API-011 */
  begin(tx: Tx, call: IdempotentCall): Promise<{ readonly id: string } | StoredAnswer>
  finish(tx: Tx, id: string, answer: StoredAnswer): Promise<void>
  abandon(tx: Tx, id: string): Promise<void>
}

/** @throws API-001 when the header is not 1 to 255 visible ASCII characters. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  if (!keyPattern.test(header))
    throw apiErrors.validation({ what: 'Idempotency-Key must be 1 to 255 visible ASCII characters.' })
  return header
}

/** Identity of requests with one key; keys are for POST alone. */
export function callDigest(path: string, input: { readonly query: unknown; readonly body: unknown }): string {
  return sha256(JSON.stringify([path, input.query, input.body ?? null]))
}

export function createIdempotency(parts: {
  readonly keys: TenantKeys
  readonly clock: Clock
  readonly uuid: () => string
}): IdempotencyStore {
  const { keys, clock } = parts
  const stored = async (tx: Tx, call: IdempotentCall): Promise<StoredAnswer> => {
    const row = await tx.first(sql<KeyRow>`
      select id, body_sha256, status, response_status, response_headers, response_body
      from idempotency_key
      where actor = ${actorKey(call.actor)} and key = ${call.key}`)
    if (row === null || row.status === 'running')
      throw apiErrors.conflict({ what: 'The first request with this Idempotency-Key is still running.' })
    if (row.body_sha256 !== call.digest)
      throw apiErrors.conflict({ what: 'This Idempotency-Key was used with another request.' })
    if (row.response_body === null)
      throw apiErrors.conflict({ what: 'The first answer told of somebody who has been erased since.' })
    const body = Buffer.from(await keys.decrypt(tx.tenantId, answerAddress(row.id), row.response_body)).toString()
    return { status: row.response_status ?? 200, headers: row.response_headers ?? {}, body }
  }

  return {
    begin: async (tx, call) => {
      const id = parts.uuid()
      const now = clock.now()
      const taken = await tx.first(sql<{ id: string }>`
        insert into idempotency_key as held (id, actor, key, route, body_sha256, status, created_at, expires_at)
        values (${id}, ${actorKey(call.actor)}, ${call.key}, ${call.route}, ${call.digest}, 'running',
          ${new Date(now).toISOString()}, ${new Date(now + keepMs).toISOString()})
        on conflict (tenant_id, actor, key) do update
        set id = excluded.id, route = excluded.route, body_sha256 = excluded.body_sha256, status = 'running',
          response_status = null, response_headers = null, response_body = null,
          created_at = excluded.created_at, expires_at = excluded.expires_at
        where held.expires_at <= excluded.created_at
          or (held.status = 'running' and held.created_at <= ${new Date(now - abandonedMs).toISOString()})
        returning id`)
      return taken === null ? stored(tx, call) : { id }
    },
    finish: async (tx, id, answer) => {
      const sealed = await keys.encrypt(tx.tenantId, answerAddress(id), Buffer.from(answer.body))
      await tx.execute(sql`
        update idempotency_key
        set status = 'done', response_status = ${answer.status}, response_headers = ${JSON.stringify(answer.headers)},
          response_body = ${sealed}
        where id = ${id}`)
    },
    abandon: async (tx, id) => {
      await tx.execute(sql`delete from idempotency_key where id = ${id} and status = 'running'`)
    },
  }
}

export interface Forgotten {
  readonly userId: string
  /** Ids of the keys that were theirs. */
  readonly keyIds: readonly string[]
  /** Texts that callers may have made their `Idempotency-Key` from, in lower case. */
  readonly words: readonly string[]
}

/**
 * Answers that somebody got go; of those that others got about them stays that they were given, so that the request is
 * not done again. A key that spells one of the words is replaced; a request repeated with it would be a new one.
 */
export async function forgetAnswers(
  keys: Pick<TenantKeys, 'decrypt'>,
  tx: Tx,
  { userId, keyIds, words }: Forgotten,
): Promise<void> {
  const actors = [`user:${userId}`, ...keyIds.map((id) => `key:${id}`)]
  await tx.execute(sql`delete from idempotency_key where actor = any(${actors}::text[])`)
  await tx.execute(sql`
    update idempotency_key set key = id::text
    where exists (select from unnest(${[...words]}::text[]) as word where strpos(lower(key), word) > 0)`)
  const rows = await tx.query(sql<{ id: string; response_body: Uint8Array }>`
    select id, response_body from idempotency_key where response_body is not null`)
  for (const { id, response_body: sealed } of rows) {
    const body = Buffer.from(await keys.decrypt(tx.tenantId, answerAddress(id), sealed)).toString()
    if (!body.includes(userId)) continue
    await tx.execute(sql`update idempotency_key set response_body = null where id = ${id}`)
  }
}

const answerAddress = (id: string) => ({ table: 'idempotency_key', column: 'response_body', rowId: id })

/** Two callers of one tenant never share a key. */
function actorKey(actor: Actor): string {
  return actor.keyId === null ? `user:${actor.userId}` : `key:${actor.keyId}`
}
