import type { Static } from 'typebox'
import Type from 'typebox'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { Attributes } from '../flags/engine/constraints.ts'
import { type Resolution, tenantAttribute } from '../flags/engine/evaluate.ts'
import { FlagKey } from '../flags/schemas/rules.ts'
import type { AdminServices } from '../services/admin-services.ts'
import type { HeldFlags } from '../services/flag-store.ts'
import { ofrepForm } from './form.ts'
import { readTicket, ticketFor } from './ticket.ts'

const route = routesOf<AdminServices>()

const Context = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 200,
  description: 'Attributes by name; `targetingKey` tells who asks.',
})
const EvaluationBody = Type.Object({ context: Type.Optional(Context) })

const Evaluated = Type.Object({
  key: Type.String(),
  value: Type.Optional(Type.Unknown()),
  variant: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.Object({})),
  errorCode: Type.Optional(Type.String()),
  errorDetails: Type.Optional(Type.String()),
})
type Evaluated = Static<typeof Evaluated>

/** Where a client hears of changes, so that it need not ask again and again. */
const EventStream = Type.Object({
  type: Type.Literal('sse'),
  url: Type.String({ format: 'uri' }),
  inactivityDelaySec: Type.Integer({ description: 'Seconds of inactivity after which a client hangs up.' }),
})

/** Contents of a change notice: accepted but not needed, because every caller gets the full answer. */
const BulkQuery = strictObject({
  flagConfigEtag: Type.Optional(Type.String({ maxLength: 500 })),
  flagConfigLastModified: Type.Optional(Type.String({ maxLength: 100 })),
})

const asking = {
  permission: 'authenticated',
  raw: ofrepForm,
  open: true,
  conditional: true,
  audit: 'admin.flag.evaluate',
  body: EvaluationBody,
  ownTransactions: true,
} as const

export const ofrepRoutes = [
  route.post('/evaluate/flags', {
    ...asking,
    summary: 'Evaluate all flags that may leave, in OpenFeature’s remote protocol',
    description:
      'Only flags with `client_exposed`. Answers 304 to a matching `If-None-Match`. `eventStreams` says where changes are told.',
    query: BulkQuery,
    returns: [200, Type.Object({ flags: Type.Array(Evaluated), eventStreams: Type.Array(EventStream) })],
    errors: [apiErrors.validation],
    handler: async ({ actor, body, services, kernel }) => {
      const { tenantId } = actor
      const held = await services.flags.get(tenantId)
      const context = contextOf(tenantId, body.context)
      services.exposures.asked(tenantId, context)
      const nowMs = kernel.clock.now()
      const flags = [...held.rows.values()]
        .filter(({ client_exposed }) => client_exposed)
        .map(({ key, id, tenant_id: owner }) => {
          const given = held.set.evaluate(key, context, nowMs)
          if (given.variant !== null) services.exposures.served(owner as TenantId, id, given.variant)
          return evaluated(held, key, given)
        })
      // A version of its own: the entity tag is made of it and of the whole body.
      return new Versioned({ flags, eventStreams: [streamFor(kernel, tenantId)] }, 1)
    },
  }),
  route.get('/evaluate/changes', {
    permission: 'public',
    raw: ofrepForm,
    summary: 'Hear when flags have changed, as server-sent events',
    description:
      'The address comes with a bulk evaluation and is good until the end of the next day (UTC). It tells that something has changed and never what.',
    query: strictObject({ ticket: Type.String({ minLength: 1, maxLength: 200 }) }),
    returns: [200, Type.Unknown()],
    files: ['text/event-stream'],
    errors: [apiErrors.validation, authErrors.invalid, apiErrors.tooMany],
    handler: async ({ query: { ticket }, services, kernel, request }) =>
      services.flagChanges.open(readTicket(kernel.platformKeys, ticket, kernel.clock.now()), request.signal),
  }),
  route.post('/evaluate/flags/{flag_key}', {
    ...asking,
    conditional: false,
    summary: 'Evaluate one flag, in OpenFeature’s remote protocol',
    params: { flag_key: FlagKey },
    returns: [200, Evaluated],
    errors: [apiErrors.validation, apiErrors.notFound],
    handler: async ({ actor, params: { flag_key }, body, services, kernel }) => {
      const { tenantId } = actor
      const held = await services.flags.get(tenantId)
      const row = held.rows.get(flag_key)
      if (row === undefined) throw apiErrors.notFound({ what: 'feature flag' })
      const context = contextOf(tenantId, body.context)
      services.exposures.asked(tenantId, context)
      const given = held.set.evaluate(flag_key, context, kernel.clock.now())
      if (given.errorCode !== null) throw refused(given)
      if (given.variant !== null) services.exposures.served(row.tenant_id as TenantId, row.id, given.variant)
      return evaluated(held, flag_key, given)
    },
  }),
]

function streamFor({ config, platformKeys, clock }: Kernel, tenantId: TenantId): Static<typeof EventStream> {
  const ticket = ticketFor(platformKeys, tenantId, clock.now())
  const url = `${config.publicUrl.replace(/\/$/, '')}/ofrep/v1/evaluate/changes?ticket=${ticket}`
  return { type: 'sse', url, inactivityDelaySec: 120 }
}

/** @throws API-001, told as INVALID_CONTEXT */
function contextOf(tenantId: TenantId, given: unknown): Attributes {
  const context: Attributes = { ...(given as Attributes | undefined), [tenantAttribute]: tenantId }
  const key = context.targetingKey
  if (key !== undefined && (typeof key !== 'string' || key.length > 1000))
    throw apiErrors.validation({ what: 'targetingKey must be text of at most 1,000 characters.' })
  return context
}

function refused({ errorCode }: Resolution) {
  return apiErrors
    .validation({ what: 'The flag splits, and the context has nothing to split by.' })
    .withMembers({ errorCode })
}

function evaluated({ rows }: HeldFlags, key: string, given: Resolution): Evaluated {
  if (given.errorCode !== null)
    return { key, errorCode: given.errorCode, errorDetails: 'The context has nothing to split by.' }
  const { value, variant, reason } = given
  return {
    key,
    value,
    ...(variant === null ? {} : { variant }),
    reason,
    metadata: { version: rows.get(key)?.version ?? 0 },
  }
}
