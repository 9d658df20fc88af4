import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../kernel/http/answer/accept.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import { type AlertServices, changeAlert } from './change-alert.ts'
import { Alert, AlertFilter, ListedAlert, PatchAlert } from './declared/schema.ts'
import { alerts } from './declared/tables.ts'
import { exportAlerts, exportFiles, exportFormats } from './export/export.ts'
import { listAlerts } from './search.ts'
import { alertView } from './view.ts'

const route = routesOf<AlertServices>()

export const alertRoutes = [
  route.get('/alerts', {
    permission: 'aegis:read',
    summary: 'List the alerts',
    query: AlertFilter,
    returns: [200, ListedAlert],
    list: { table: alerts, default: '-created_at' },
    handler: ({ tx, page, query }) => listAlerts(tx, page, query),
  }),
  route.get('/alerts/export', {
    permission: 'aegis:read',
    summary: 'Pull alerts in the order of their changes',
    description:
      'Without a file in `Accept` a page of the list. With `application/x-ndjson`, Detection Findings of the Open Cybersecurity Schema Framework 1.9.0; with `text/plain`, lines of `format` `cef` (CEF:0) or `syslog` (RFC 5424): up to 10,000 alerts, and `X-Next-Cursor` tells the `cursor` of the next pull. An alert comes again after each change; one of the last two seconds may come twice.',
    query: strictObject({
      format: Type.Optional(oneOf(...exportFormats)),
      since: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Changed at this time or later' })),
    }),
    returns: [200, ListedAlert],
    list: { table: { ...alerts, sorts: ['updated_at'] }, default: 'updated_at' },
    files: exportFiles,
    errors: [apiErrors.validation],
    ownTransactions: true,
    handler: (context) => {
      const { kernel, actor, page, query, request } = context
      const { since, format } = query
      const file = acceptedForm(request.header('accept'), ['application/json', ...exportFiles])
      if (file === 'application/json')
        return kernel.db.tenant({ ...scopeOf(context), readOnly: true }, (tx) => listAlerts(tx, page, { since }))
      return exportAlerts(kernel, { tenantId: actor.tenantId, page, since, format, file })
    },
  }),
  route.get('/alerts/{alert_id}', {
    permission: 'aegis:read',
    summary: 'See an alert with its evidence, timeline and related alerts',
    returns: [200, Alert],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params: { alert_id: id } }) => {
      const row = await alerts.need(tx, id)
      return new Versioned(await alertView(tx, row), row.version)
    },
  }),
  route.patch('/alerts/{alert_id}', {
    permission: 'aegis:write',
    summary: 'Move, assign, comment, grade or suppress an alert',
    description:
      '`new` to `triaged` to `in_progress` to `resolved` to `closed`, and from the last two back to `in_progress`. To resolve needs a `resolution` and a `comment`. `suppress` moves a new alert to `suppressed` and lets its rule count hits like it without an alert until `expires_at`, at most 90 days.',
    body: PatchAlert,
    returns: [200, Alert],
    audit: 'aegis.alert.update',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      apiErrors.validation,
      errors.illegalMove,
      errors.resolutionMissing,
    ],
    handler: ({ tx, kernel, services, actor, params: { alert_id: id }, body: input, precondition }) =>
      changeAlert(tx, { kernel, knownPrincipals: services.knownPrincipals, actor, id, input, precondition }),
  }),
]
