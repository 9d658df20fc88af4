import Type from 'typebox'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../kernel/http/answer/accept.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'
import {
  Framework,
  FrameworkFilter,
  type FrameworkFormat,
  FrameworkImport,
  frameworkFormats,
  includes,
  ListedFramework,
  NewFramework,
} from '../declared/framework-schema.ts'
import { frameworks } from '../declared/framework-tables.ts'
import { errors } from '../errors/errors.ts'
import { exportFramework, oscalType } from '../frameworks/export.ts'
import { changeKnown, frameworkView, listFrameworks } from '../frameworks/frameworks.ts'
import { importFramework } from '../frameworks/import-framework.ts'
import { seeFramework } from '../frameworks/see.ts'
import { liveScores } from '../live/live-terms.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'

const route = routesOf<ComplianceServices>()
const files = [oscalType, 'text/csv'] as const

export const frameworkRoutes = [
  route.get('/frameworks', {
    permission: 'compliance:read',
    summary: 'List the frameworks',
    query: FrameworkFilter,
    returns: [200, ListedFramework],
    list: { table: frameworks, default: '-created_at' },
    handler: ({ tx, kernel, page, query }) => listFrameworks(kernel, tx, { page, filter: query }),
  }),
  route.post('/frameworks', {
    permission: 'compliance:write',
    summary: 'Import, adopt, publish or archive a framework',
    description:
      '`oscal`: a catalog, a profile (with `base_framework_ids`) or a mapping-collection of OSCAL 1.x as JSON. `csv`: a table `id,parent,title,statement,weight`. `json`: `{groups, controls}`. `known`: an `action` on a framework that is here; `publish` and `archive` need `compliance:admin`. Nothing is fetched. With `dry_run` nothing is stored.',
    body: NewFramework,
    bodyLimit: 32 * 1_048_576,
    returns: [201, FrameworkImport],
    audit: 'compliance.framework.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      apiErrors.validation,
      apiErrors.notFound,
      authErrors.forbidden,
      errors.documentUnknown,
      errors.documentInvalid,
      errors.versionExists,
      errors.unresolved,
      errors.notChangeable,
      errors.unknownRelation,
    ],
    handler: async (context) => {
      const { kernel, actor, body: input } = context
      const scope = scopeOf(context)
      const { row, imported, diff, warnings } =
        input.source === 'known'
          ? {
              ...{ imported: null, diff: null, warnings: [] },
              row: await kernel.db.tenant(scope, (tx) => changeKnown(kernel, tx, { actor, input })),
            }
          : await importFramework(kernel, { scope, input })
      const framework =
        row === null
          ? null
          : frameworkView(
              row,
              await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => liveScores(tx, [row], kernel.clock.now())),
            )
      return new Answer({
        ...{ framework, imported, diff, warnings: [...warnings], dry_run: input.dry_run ?? false },
      })
    },
  }),
  route.get('/frameworks/{framework_id}', {
    permission: 'compliance:read',
    summary: 'See a framework, or export it',
    description: `With \`Accept: ${oscalType}\` or \`text/csv\` it is a file; \`format\` says which: an OSCAL catalog (default), the tenant's selection as a profile, the mappings that touch it, or the platform as a component.`,
    query: strictObject({
      include: Type.Optional(includeOf(...includes)),
      format: Type.Optional(oneOf(...frameworkFormats)),
    }),
    returns: [200, Framework],
    files,
    ownTransactions: true,
    errors: [apiErrors.notFound, errors.formatUnavailable],
    handler: async (context) => {
      const { kernel, params, query } = context
      const scope = { ...scopeOf(context), readOnly: true }
      const form = acceptedForm(context.request.header('accept'), ['application/json', ...files])
      if (form === 'application/json')
        return kernel.db.tenant(scope, async (tx) =>
          seeFramework(kernel, tx, {
            row: await frameworks.need(tx, params.framework_id),
            include: includedIn(query.include),
          }),
        )
      const row = await kernel.db.tenant(scope, (tx) => frameworks.need(tx, params.framework_id))
      return exportFramework(kernel, { scope, row, format: formatOf(form, query.format) })
    },
  }),
]

/** @throws COMP-022 where the type that is accepted does not have the format */
function formatOf(form: (typeof files)[number], asked: FrameworkFormat | undefined): FrameworkFormat {
  const format = asked ?? (form === 'text/csv' ? 'csv' : 'oscal-catalog')
  if ((format === 'csv') === (form === 'text/csv')) return format
  throw errors.formatUnavailable({
    what: `${format} is not ${form}. Accept ${format === 'csv' ? 'text/csv' : oscalType}.`,
  })
}
