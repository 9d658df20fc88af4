/**
 * The caller: a directory with a key of the kind `scim`, which is valid for nothing else. Its rights are limited to
 * those the owner of the key has at this moment, and never reach platform operators. Tested in scim.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion, type Precondition } from '../../../kernel/http/answer/etag.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { assertDominates, type Grantor } from '../rights/escalation.ts'
import { findSubject, rightsOf, type Subject } from '../rights/subjects.ts'
import type { IamServices } from '../services/iam-services.ts'
import { type ConnectionRow, ssoConnections } from '../sso/tables.ts'
import { users } from '../tables/users.ts'

export interface Directory {
  readonly services: IamServices
  readonly tx: Tx
  readonly request: RequestInfo
  /** The person responsible for the key. */
  readonly ownerId: string
  readonly grantor: Grantor
  /** The connection the key belongs to, if any: whose proven domains people's addresses are in. */
  readonly connection: Pick<ConnectionRow, 'id' | 'domains'> | null
  /** ISO time of the call. */
  readonly now: string
}

export interface CallContext {
  readonly services: IamServices
  readonly tx: Tx
  readonly actor: Actor
  readonly request: RequestInfo
}

/** @throws AUTH-004 for every other credential, and when the key's owner may no longer write identities */
export async function directoryOf({ services, tx, actor, request }: CallContext): Promise<Directory> {
  const key = await tx.first(sql<{ kind: string; sso_connection_id: string | null }>`
    select kind, sso_connection_id from iam_api_key where id = ${actor.keyId}::uuid`)
  if (key?.kind !== 'scim') throw notADirectory()
  const { clock } = services.kernel
  const owner = await findSubject(tx, actor.userId, clock.now())
  const permission = 'iam:write'
  if (owner === null || !holds(rightsOf(owner).permissions, permission)) throw authErrors.forbidden({ permission })
  const grantor = { permissions: rightsOf(owner).permissions, operator: false }
  const connection = key.sso_connection_id === null ? null : await ssoConnections.need(tx, key.sso_connection_id)
  return { services, tx, request, ownerId: actor.userId, grantor, connection, now: clock.iso() }
}

function notADirectory() {
  return authErrors.forbidden({ permission: 'of an API key of the kind scim' })
}

/** The person, if the directory may act on it. @throws API-013, IAM-003 */
export async function touchableSubject({ tx, grantor, services }: Directory, userId: string): Promise<Subject> {
  const subject = await findSubject(tx, userId, services.kernel.clock.now())
  if (subject === null) throw apiErrors.notFound({ what: users.noun })
  assertDominates(grantor, subject)
  return subject
}

/** The directory's `If-Match`: a tag is `W/"7-…"` and names the row's version. */
export function scimPrecondition({ request }: Pick<Directory, 'request'>): Precondition {
  const header = request.header('if-match')
  if (header === undefined || header.trim() === '*') return anyVersion
  const named = header.split(',').map((tag) => /^(?:W\/)?"(\d+)(?:-[^"]*)?"$/.exec(tag.trim())?.[1])
  const expectVersion = (version: number): void => {
    if (!named.includes(String(version))) throw apiErrors.preconditionFailed()
  }
  return { expectVersion }
}
