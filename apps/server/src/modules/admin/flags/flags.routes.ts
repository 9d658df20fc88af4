import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf, Versioned } from '../../../kernel/module/route.ts'
import { Deleted, strictObject } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { tenantOfScope } from '../services/scope.ts'
import type { Attributes } from './engine/constraints.ts'
import { tenantAttribute } from './engine/evaluate.ts'
import { createFlag, deleteFlag, needFlag, patchFlag, planPatch } from './flags.ts'
import { impactOf } from './impact.ts'
import { isJson } from './import/imported.ts'
import { importFlags } from './import-run.ts'
import {
  ChangedFlag,
  CreateFlag,
  ExplainedFlag,
  Flag,
  FlagFilter,
  ImportReport,
  OfScope,
  PatchFlag,
  type TraceStep,
} from './schemas/flags.ts'
import { FlagKey } from './schemas/rules.ts'
import { segmentsOf } from './store.ts'
import { flags } from './tables.ts'
import { listFlags, withUse } from './view.ts'

const route = routesOf<AdminServices>()

/** Documents of other systems are long. */
const twoMegabytes = 2_000_000

/** A key, or the id of a flag. */
const params = { flag_key: FlagKey }

export const flagRoutes = [
  route.get('/feature-flags', {
    permission: 'admin:read',
    summary: 'List feature flags with how they are used',
    description:
      'With `scope=platform`, for operators, those that serve every tenant. A tenant’s own flag goes before one of the platform with the same key.',
    query: FlagFilter,
    list: { table: flags, default: 'key' },
    returns: [200, Flag],
    handler: (context) => {
      const { kernel, page, query: filter } = context
      const tenantId = tenantOfScope(context, filter.scope)
      return kernel.db.tenant({ tenantId, readOnly: true }, (tx) => listFlags(kernel, tx, { page, filter }))
    },
  }),
  route.post('/feature-flags', {
    permission: 'admin:write',
    summary: 'Create a feature flag, or import flags of another system',
    description:
      'An import stands alone in the body. It takes over the flags of an Unleash export or of a flagd document, keeps ' +
      'everybody where they are, and says of each flag what became of it.',
    query: OfScope,
    body: CreateFlag,
    bodyLimit: twoMegabytes,
    returns: [201, Type.Union([Flag, ImportReport])],
    audit: 'admin.flag.create',
    errors: [apiErrors.validation, apiErrors.conflict, errors.flagInvalid, errors.flagReference],
    ownTransactions: true,
    handler: (context) => {
      const { kernel, body, query } = context
      const { import: wanted, ...flag } = body
      if (wanted !== undefined && Object.keys(flag).length > 0) throw importAlone()
      return kernel.db.tenant(scopeOf(context, tenantOfScope(context, query.scope)), async (tx) => {
        if (wanted !== undefined) {
          const report: Flag | ImportReport = await importFlags(kernel, tx, wanted)
          return new Answer<Flag | ImportReport>(report, { location: '/api/v1/admin/feature-flags' })
        }
        const row = await createFlag(kernel, tx, flag)
        const [made] = await withUse(kernel, tx, [row])
        return new Versioned<Flag | ImportReport>(made as Flag, row.version)
      })
    },
  }),
  route.get('/feature-flags/{flag_key}', {
    permission: 'admin:read',
    summary: 'Show a feature flag, and with a context why it serves what it serves',
    params,
    query: strictObject({
      ...OfScope.properties,
      explain_for: Type.Optional(Type.String({ minLength: 2, maxLength: 4000, description: 'A context as JSON' })),
    }),
    returns: [200, ExplainedFlag],
    errors: [apiErrors.notFound],
    ownTransactions: true,
    handler: async (asked) => {
      const { kernel, query, services, actor } = asked
      const tenantId = tenantOfScope(asked, query.scope)
      const [row, flag] = await kernel.db.tenant({ tenantId, readOnly: true }, async (tx) => {
        const found = await needFlag(tx, asked.params.flag_key)
        return [found, (await withUse(kernel, tx, [found]))[0]] as const
      })
      if (query.explain_for === undefined) return new Versioned(flag as Flag, row.version)
      // To explain a platform flag, the caller names the tenant.
      const who = query.scope === 'platform' ? {} : { [tenantAttribute]: actor.tenantId }
      const context = { ...contextIn(query.explain_for), ...who }
      const { set } = await services.flags.get(tenantId)
      const trace: TraceStep[] = []
      const given = set.evaluate(row.key, context, kernel.clock.now(), (step) => trace.push(step))
      const { value = null, variant, reason, errorCode } = given
      const explanation = { value, variant, reason, error_code: errorCode, trace }
      return new Versioned({ ...(flag as Flag), explanation }, row.version)
    },
  }),
  route.patch('/feature-flags/{flag_key}', {
    permission: 'admin:write',
    summary: 'Change, enable, disable or archive a feature flag',
    description: 'With `dry_run` nothing is changed and `impact` says who of those who asked lately would be moved.',
    params,
    query: OfScope,
    body: PatchFlag,
    bodyLimit: twoMegabytes,
    returns: [200, ChangedFlag],
    audit: 'admin.flag.update',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      errors.flagInvalid,
      errors.flagReference,
      errors.flagState,
    ],
    ownTransactions: true,
    handler: async (context) => {
      const {
        kernel,
        body,
        services,
        precondition,
        params: { flag_key: name },
      } = context
      const tenantId = tenantOfScope(context, context.query.scope)
      const held = body.dry_run === true ? await services.flags.get(tenantId) : null
      return kernel.db.tenant(scopeOf(context, tenantId), async (tx) => {
        const planned = await planPatch(kernel, tx, { name, input: body, precondition })
        const after = held === null ? await patchFlag(kernel, tx, planned) : planned.after
        const [flag] = await withUse(kernel, tx, [after])
        if (held === null) return new Versioned(flag as Flag, after.version)
        const before = planned.held.row
        const impact = impactOf({
          ...{ before, after },
          others: [...held.rows.values()].filter(({ tenant_id: owner }) => owner === tenantId),
          segments: segmentsOf(kernel.settings, tenantId),
          contexts: services.exposures.recent(tenantId),
          nowMs: kernel.clock.now(),
        })
        return new Versioned({ ...(flag as Flag), impact, dry_run: true }, before.version)
      })
    },
  }),
  route.delete('/feature-flags/{flag_key}', {
    permission: 'admin:admin',
    summary: 'Delete an archived feature flag that no other needs',
    params,
    query: OfScope,
    returns: [200, Deleted],
    audit: 'admin.flag.delete',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.flagState],
    ownTransactions: true,
    handler: (context) => {
      return context.kernel.db.tenant(scopeOf(context, tenantOfScope(context, context.query.scope)), (tx) =>
        deleteFlag(tx, context.params.flag_key, context.precondition),
      )
    },
  }),
]

function importAlone() {
  const detail = 'An import stands alone in the body.'
  return apiErrors.validation({ what: detail }).at([{ detail, pointer: '/import' }])
}

/** @throws API-001 */
function contextIn(text: string): Attributes {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isJson(parsed)) return parsed
  } catch {
    // Said below, like JSON that is no object.
  }
  const detail = 'This must be a JSON object.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '?explain_for' }])
}
