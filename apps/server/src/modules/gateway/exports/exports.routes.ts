import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../declared/errors.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { createExport, downloadExport, pathOf, readExport } from './exports.ts'
import { NewExport, RequestExport } from './formats/schema.ts'

const route = routesOf<GatewayServices>()

export const exportRoutes = [
  route.post('/requests/export', {
    permission: 'gateway:admin',
    summary: 'Export logged calls to a file',
    description:
      'The filters are those of the list. The file is made in the background from the calls that have ended by now; `Location` tells of its progress. Files are kept for seven days, those with content for one.',
    body: NewExport,
    returns: [201, RequestExport],
    audit: 'gateway.requests.export',
    rateClass: 'expensive',
    whileSuspended: true,
    errors: [errors.payloadNotRetained],
    handler: async ({ tx, actor, body, kernel }) => {
      const made = await createExport(kernel, tx, { actor, body })
      return new Answer(made, { location: pathOf(made.id) })
    },
  }),
  route.get('/requests/exports/{export_id}', {
    permission: 'gateway:admin',
    summary: 'Read how far an export is',
    returns: [200, RequestExport],
    errors: [apiErrors.notFound],
    handler: ({ tx, params }) => readExport(tx, params.export_id),
  }),
  route.get('/requests/exports/{export_id}/content', {
    permission: 'gateway:admin',
    summary: 'Download the file of an export',
    description:
      'Every download is an audit entry. `Repr-Digest` is that of the whole file; parts of it are served by `Range`.',
    returns: [200, Type.String({ contentMediaType: 'application/octet-stream' })],
    files: ['application/gzip', 'application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet'],
    ranges: true,
    rateClass: 'expensive',
    errors: [apiErrors.notFound, apiErrors.conflict],
    ownTransactions: true,
    handler: (context) =>
      downloadExport(context.kernel, scopeOf(context), { id: context.params.export_id, actor: context.actor }),
  }),
]
