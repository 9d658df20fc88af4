import Type from 'typebox'
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../kernel/http/answer/accept.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { type ReportFormat, reportFormats } from '../declared/report-words.ts'
import { errors } from '../errors/errors.ts'
import { listReports, readFile, seeReport } from '../reports/find.ts'
import { mediaTypes } from '../reports/render.ts'
import { requestReport, sectionsFor } from '../reports/request.ts'
import { NewReport, Report, ReportFilter } from '../reports/schema.ts'
import { titles } from '../reports/sections.ts'
import { reports } from '../reports/tables.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { saveWorkflow } from '../workflows/save.ts'

const route = routesOf<PlatformServices>()
const files = Object.values(mediaTypes)
const formatOf = new Map(Object.entries(mediaTypes).map(([format, type]) => [type, format as ReportFormat]))

export const reportRoutes = [
  route.post('/reports', {
    permission: 'platform:write',
    summary: 'Produce a report, now and on a schedule',
    description:
      'Its sections are facts, read in one snapshot with your rights; what you may not read is left out and named in `omitted`. With `schedule` a workflow is made that repeats it.',
    body: NewReport,
    returns: [201, Report],
    audit: 'platform.report.create',
    rateClass: 'expensive',
    errors: [
      apiErrors.validation,
      errors.reportInvalid,
      errors.cronInvalid,
      errors.versionDiffers,
      errors.definitionInvalid,
      errors.permissionMissing,
    ],
    handler: async ({ tx, services, actor, body, kernel }) => {
      const { schedule, ...input } = body
      if (schedule !== undefined && input.kind === 'custom')
        throw errors
          .reportInvalid({ what: 'A custom report cannot be scheduled. Choose another kind, or write a workflow.' })
          .at([{ detail: 'is not for custom reports', pointer: '/schedule' }])
      const workflow =
        schedule === undefined
          ? null
          : await saveWorkflow(services, tx, {
              actor,
              input: scheduled(input, schedule, {
                id: kernel.random.uuid(),
                reads: readsOf(services, actor, input),
              }),
            })
      const row = await requestReport(services, tx, { actor, input, workflowId: workflow?.id ?? null })
      return seeReport(tx, row.id)
    },
  }),
  route.get('/reports', {
    permission: 'platform:read',
    summary: 'List the reports',
    query: ReportFilter,
    returns: [200, Report],
    list: { table: reports, default: '-created_at' },
    handler: ({ tx, page, query }) => listReports(tx, { page, filter: query }),
  }),
  route.get('/reports/{report_id}', {
    permission: 'platform:read',
    summary: 'See a report, or download a file of it',
    description: `By \`format\`, or an \`Accept\` of ${files.map((type) => `\`${type}\``).join(', ')}, it is the file itself, for whoever may read all its sections. Each file has a SHA-256 and a detached signature.`,
    query: strictObject({ format: Type.Optional(oneOf(...reportFormats)) }),
    returns: [200, Report],
    files,
    ranges: true,
    ownTransactions: true,
    errors: [apiErrors.notFound, authErrors.forbidden, errors.formatMissing, errors.reportNotReady],
    handler: (context) => {
      const { kernel, actor, params, query, request } = context
      const scope = scopeOf(context)
      const form = acceptedForm(request.header('accept'), ['application/json', ...files])
      const format = query.format ?? formatOf.get(form)
      if (format === undefined)
        return kernel.db.tenant({ ...scope, readOnly: true }, (tx) => seeReport(tx, params.report_id))
      return readFile(kernel, { scope, actor, id: params.report_id, format })
    },
  }),
]

/** Permissions of the caller that the sections need, so that each repetition has them too. */
function readsOf(
  services: PlatformServices,
  { permissions }: Pick<Actor, 'permissions'>,
  input: Pick<NewReport, 'kind'>,
) {
  const needed = sectionsFor(services, { kind: input.kind }).map(({ permission }) => permission)
  return [...new Set(needed.filter((permission) => holds(permissions, permission)))]
}

/** A workflow that does nothing but produce the report. */
function scheduled(
  { kind, title, formats }: { kind: keyof typeof titles; title?: string; formats: ReportFormat[] },
  { cron, time_zone: zone }: { cron: string; time_zone?: string },
  { id, reads }: { id: string; reads: string[] },
) {
  return {
    key: `report-${kind.replaceAll('_', '-')}-${id.slice(-12)}`,
    name: title ?? titles[kind],
    declared_permissions: ['platform:write', ...reads],
    definition: {
      trigger: { type: 'schedule' as const, cron, ...(zone === undefined ? {} : { time_zone: zone }) },
      steps: [
        {
          id: 'report',
          type: 'generate_report' as const,
          with: { kind, formats, ...(title === undefined ? {} : { title }) },
        },
      ],
    },
  }
}
