/**
 * Runs a bulk request: each operation in a transaction of its own, as if it were the only one, so that what it leaves in
 * the audit log is what the single call leaves and a fault in one undoes no other. Tested in bulk.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { isUuid } from '../../../kernel/base/uuid.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import type { IamServices } from '../services/iam-services.ts'
import { group, person } from './answers.ts'
import { groupSchema, userSchema } from './attributes.ts'
import { type BulkOperation, type BulkRequest, inOrder, readBulk, resolved } from './bulk.ts'
import { type Directory, directoryOf } from './caller.ts'
import { readDocument } from './document.ts'
import { changeGroup, createGroup, removeGroup } from './groups.ts'
import type { Document } from './match.ts'
import { applyPatch } from './patch.ts'
import { scimForm, scimProblem } from './problems.ts'
import { root } from './resource.ts'
import { noteFailure } from './sync-failures.ts'
import { changePerson, createPerson, removePerson } from './users.ts'

export interface BulkAsk {
  readonly services: IamServices
  readonly actor: Actor
  readonly request: RequestInfo
}

/** Result of an operation. */
interface Outcome {
  readonly status: number
  readonly id: string | null
  readonly version: string | null
  readonly problem: ProblemError | null
}

const responseUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

/**
 * The answer, one entry for each operation that was tried, in the order in which they were sent.
 * @throws API-001, API-005, AUTH-004 for the whole request
 */
export async function runBulk(ask: BulkAsk, body: Document): Promise<Document> {
  const { operations, failOnErrors } = await begun(ask, body)
  const { order, circular } = inOrder(operations)
  const outcomes = new Map<number, Outcome>()
  const ids = new Map<string, string>()
  let faults = 0
  for (const index of order) {
    const operation = operations[index]
    if (operation === undefined || faults >= failOnErrors) break
    const outcome = circular.has(index)
      ? failed(apiErrors.conflict({ what: 'This operation and those it refers to wait for each other.' }))
      : await tried(ask, operation, ids)
    outcomes.set(index, outcome)
    if (outcome.problem !== null) faults += 1
    if (operation.method === 'POST' && operation.bulkId !== null && outcome.id !== null)
      ids.set(operation.bulkId, outcome.id)
  }
  return {
    schemas: [responseUrn],
    Operations: operations.flatMap((operation, index) => {
      const outcome = outcomes.get(index)
      return outcome === undefined ? [] : [told(ask, operation, outcome)]
    }),
  }
}

/** Checks the caller before reading the request, and logs the request before running it. */
function begun({ services, actor, request }: BulkAsk, body: Document): Promise<BulkRequest> {
  const scope = { tenantId: actor.tenantId, origin: originOf(request, actor) }
  return services.kernel.db.tenant(scope, async (tx) => {
    await directoryOf({ services, tx, actor, request })
    const bulk = readBulk(body)
    await tx.audit('iam.scim.bulk', {
      target: `api_key:${actor.keyId}`,
      after: { operations: bulk.operations.length },
    })
    return bulk
  })
}

const failed = (problem: ProblemError): Outcome => ({ status: problem.status, id: null, version: null, problem })

/** Nothing that goes wrong with one operation may lose what the caller must know of those before it. */
async function tried(ask: BulkAsk, operation: BulkOperation, ids: ReadonlyMap<string, string>): Promise<Outcome> {
  const missing = operation.refersTo.find((bulkId) => !ids.has(bulkId))
  if (missing !== undefined) return failed(scimProblem('invalidValue', `Nothing was made as bulkId ${missing}.`))
  try {
    return await carriedOut(ask, { ...operation, id: resolved(operation.id, ids), data: resolved(operation.data, ids) })
  } catch (error) {
    noteFailure(ask, error)
    if (error instanceof ProblemError) return failed(error)
    ask.services.kernel.log.error({ err: error, request_id: ask.request.id }, 'a bulk operation failed')
    return failed(apiErrors.internal().causedBy(error))
  }
}

function carriedOut(ask: BulkAsk, operation: BulkOperation): Promise<Outcome> {
  const { services, actor } = ask
  const request = withVersion(ask.request, operation.version)
  return services.kernel.db.tenant({ tenantId: actor.tenantId, origin: originOf(request, actor) }, async (tx) => {
    const directory = await directoryOf({ services, tx, actor, request })
    return operation.type === 'Users' ? userOperation(directory, operation) : groupOperation(directory, operation)
  })
}

/** The call as if it were about this operation alone: its version is what `If-Match` would be. */
function withVersion(request: RequestInfo, version: string | undefined): RequestInfo {
  const { id, path, ip, userAgent, traceparent } = request
  return {
    id,
    path,
    ip,
    userAgent,
    traceparent,
    get signal() {
      return request.signal
    },
    header: (name) => (name === 'if-match' ? version : request.header(name)),
  }
}

async function userOperation(directory: Directory, { method, id, data }: BulkOperation): Promise<Outcome> {
  if (method === 'DELETE') return removed(needId(id, 'user'), (known) => removePerson(directory, known))
  const row =
    method === 'POST'
      ? await createPerson(directory, readDocument(userSchema, data))
      : await changePerson(directory, {
          id: needId(id, 'user'),
          change: method === 'PUT' ? () => readDocument(userSchema, data) : (was) => applyPatch(userSchema, was, data),
        })
  const { headers } = await person(directory, row, {})
  return { status: method === 'POST' ? 201 : 200, id: row.id, version: headers.etag ?? null, problem: null }
}

async function groupOperation(directory: Directory, { method, id, data }: BulkOperation): Promise<Outcome> {
  if (method === 'DELETE') return removed(needId(id, 'group'), (known) => removeGroup(directory, known))
  const row =
    method === 'POST'
      ? await createGroup(directory, readDocument(groupSchema, data))
      : await changeGroup(directory, {
          id: needId(id, 'group'),
          change:
            method === 'PUT' ? () => readDocument(groupSchema, data) : (was) => applyPatch(groupSchema, was, data),
        })
  const { headers } = group(directory, row, {})
  return { status: method === 'POST' ? 201 : 200, id: row.id, version: headers.etag ?? null, problem: null }
}

async function removed(id: string, remove: (id: string) => Promise<void>): Promise<Outcome> {
  await remove(id)
  return { status: 204, id, version: null, problem: null }
}

/** @throws API-013 */
function needId(id: string | null, noun: string): string {
  if (id === null || !isUuid(id)) throw apiErrors.notFound({ what: noun })
  return id.toLowerCase()
}

function told({ services, request }: BulkAsk, operation: BulkOperation, outcome: Outcome): Document {
  const { method, bulkId, type } = operation
  const { status, version, problem } = outcome
  const id = outcome.id ?? (operation.id !== null && isUuid(operation.id) ? operation.id : null)
  const { publicUrl } = services.kernel.config
  return {
    method,
    ...(bulkId === null ? {} : { bulkId }),
    ...(version === null ? {} : { version }),
    ...(id === null ? {} : { location: `${publicUrl}${root}/${type}/${id}` }),
    status: String(status),
    ...(problem === null
      ? {}
      : { response: scimForm.error(problem, { requestId: request.id, path: request.path, publicUrl }).body }),
  }
}
