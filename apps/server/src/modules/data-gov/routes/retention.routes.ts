import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../kernel/http/answer/accept.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { includedIn } from '../../../kernel/schema/include.ts'
import { keyOf } from '../consent/memory.ts'
import {
  NewPolicy,
  NewRun,
  Policy,
  PolicyFilter,
  type PolicyRow,
  Run,
  RunFilter,
} from '../declared/retention-schema.ts'
import { policies, runs } from '../declared/retention-tables.ts'
import { errors } from '../errors/errors.ts'
import { exportFile, exportType, runConditions, runView } from '../requests/find.ts'
import { moveRequest, openRequest, runAction } from '../requests/intake.ts'
import { startPolicyRun } from '../requests/policy-runs.ts'
import { changePolicies, policyAction, policyView } from '../retention/policies.ts'
import { planPolicy } from '../retention/purge.ts'
import { dataCategories } from '../retention/registry.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'

const route = routesOf<DataGovServices>()

class Undone extends Error {
  readonly row: PolicyRow
  constructor(row: PolicyRow) {
    super('a dry run')
    this.row = row
  }
}

export const retentionRoutes = [
  route.post('/retention-policies', {
    permission: 'data-gov:admin',
    summary: 'Set a retention schedule or a legal hold, or end one',
    description:
      'A `schedule` removes rows of data categories past `maximum`; it never goes below the minimum that a table declares. A `legal_hold` keeps the data of categories, of people, or all of it, from every deletion from the commit on. `supersedes` replaces an edition; with `status` `retired` or `released` and a `reason` it ends one. `dry_run` stores nothing.',
    body: NewPolicy,
    returns: [201, Policy],
    audit: policyAction,
    ownTransactions: true,
    errors: [
      apiErrors.validation,
      apiErrors.notFound,
      errors.unknownLabel,
      errors.policyConflict,
      errors.illegalMove,
      errors.belowMinimum,
    ],
    handler: async (context) => {
      const { kernel, actor, body: input } = context
      const scope = scopeOf(context)
      const row = await kernel.db
        .tenant(scope, async (tx) => {
          const made = await changePolicies(kernel, tx, { actor, input })
          if (input.dry_run === true) throw new Undone(made)
          return made
        })
        .catch((error: unknown) => {
          if (error instanceof Undone) return error.row
          throw error
        })
      const affected = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => planPolicy(kernel, tx, row))
      return {
        ...policyView(row),
        affected: affected.map(({ table, category, to_erase: rows }) => ({ table, category, rows })),
      }
    },
  }),
  route.get('/retention-policies', {
    permission: 'data-gov:read',
    summary: 'List retention schedules and legal holds',
    description:
      '`include=registry` adds the data categories of the platform with their tables as `meta.registry`; `include=affected` counts rows past the maximum.',
    query: PolicyFilter,
    returns: [200, Policy],
    list: { table: policies, default: '-created_at' },
    handler: async ({ tx, kernel, page, query }) => {
      const include = includedIn(query.include)
      const found = await policies.page(tx, page, conditions(query))
      const items = []
      for (const row of found.items) {
        const plan = include.has('affected') && row.status === 'active' ? await planPolicy(kernel, tx, row) : null
        items.push({
          ...policyView(row),
          ...(plan === null
            ? {}
            : { affected: plan.map(({ table, category, to_erase: rows }) => ({ table, category, rows })) }),
        })
      }
      const meta = include.has('registry') ? { registry: dataCategories(kernel.dataRegistry) } : {}
      return new Answer({ ...found, items }, { meta })
    },
  }),
  route.post('/retention-runs', {
    permission: 'data-gov:write',
    summary: 'Run retention, or open a request of a data subject and move it on',
    description:
      '`policy` runs schedules (`dry_run` counts); above the setting `data_gov.approval_rows` it waits for a second person. `subject_request` opens a request: `access`, `portability`, `rectification` (with `corrections`), `erasure`, `restriction` or `objection`. With `run_id` an `action` moves one on: `verify_identity`, `approve` (another person), `extend`, `refuse`, `withdraw`, `resume`. Everything but opening a request needs `data-gov:admin`. An erasure ends with a signed certificate that says what a search by other means still found.',
    body: NewRun,
    returns: [201, Run],
    audit: runAction,
    ownTransactions: true,
    errors: [
      apiErrors.validation,
      apiErrors.notFound,
      authErrors.forbidden,
      errors.subjectUnclear,
      errors.held,
      errors.secondPerson,
      errors.drifted,
      errors.illegalMove,
      errors.identityUnverified,
    ],
    handler: async (context) => {
      const { services, actor, body: input } = context
      const asking = { scope: scopeOf(context), actor, input }
      if (input.run_id !== undefined || input.action !== undefined) return runView(await moveRequest(services, asking))
      if (input.kind === undefined)
        throw apiErrors
          .validation({ what: 'The body names neither a kind nor a run.' })
          .at([{ detail: 'This is required.', pointer: '/kind' }])
      const start = input.kind === 'policy' ? startPolicyRun : openRequest
      return runView(await start(services, asking))
    },
  }),
  route.get('/retention-runs', {
    permission: 'data-gov:read',
    summary: 'List retention runs and requests, or download an export',
    description: `With \`id\` and \`Accept: ${exportType}\` it is the export of a request of access or portability, for 14 days; each download is in the audit log and needs \`data-gov:admin\`.`,
    query: RunFilter,
    returns: [200, Run],
    list: { table: runs, default: '-created_at' },
    files: [exportType],
    ownTransactions: true,
    errors: [
      apiErrors.validation,
      apiErrors.notFound,
      authErrors.forbidden,
      errors.exportGone,
      errors.storeUnavailable,
    ],
    handler: async (context) => {
      const { kernel, services, actor, page, query } = context
      const scope = scopeOf(context)
      const form = acceptedForm(context.request.header('accept'), ['application/json', exportType])
      if (form === exportType) return exportFile(kernel, { scope, actor, id: query.id })
      const hash = query.subject === undefined ? null : await services.hashOf(actor.tenantId, keyOf(query.subject))
      const found = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) =>
        runs.page(tx, page, runConditions({ filter: query, hash, now: kernel.clock.iso() })),
      )
      return { ...found, items: found.items.map(runView) }
    },
  }),
]

function conditions({ q, kind, status, category, matter }: PolicyFilter): SqlPart {
  return join(
    [
      sql`true`,
      ...(q === undefined ? [] : [sql`lower(name) like ${likePrefix(q)}`]),
      ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(category === undefined ? [] : [sql`${category}::text = any(categories)`]),
      ...(matter === undefined ? [] : [sql`matter = ${matter}`]),
    ],
    ' and ',
  )
}
