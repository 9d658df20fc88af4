import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../../kernel/http/answer/accept.ts'
import { scopeOf } from '../../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../../kernel/module/route.ts'
import { errors } from '../../errors/errors.ts'
import { PutCatalogEntry, StoredCatalogEntry } from '../catalog/schema.ts'
import { Ingestion, IngestionQuery } from '../declared/ingestion-schema.ts'
import type { ShadowAiParts } from '../declared/parts.ts'
import { ListedService, PatchService, Service, ServiceDetail, ServiceFilter } from '../declared/service-schema.ts'
import { services } from '../declared/tables.ts'
import { ingest } from '../ingestion/ingest.ts'
import { changeService } from '../services/change-service.ts'
import { downloadServices, fileForms, listServices } from '../services/find-services.ts'
import { putEntry } from '../services/put-entry.ts'
import { readService } from '../services/service-detail.ts'

const route = routesOf<{ readonly shadowAi: ShadowAiParts }>()
const mostBytes = 2 * 1_073_741_824

export const shadowAiRoutes = [
  route.post('/shadow-ai/ingestions', {
    permission: 'aegis:write',
    summary: 'Find AI services in a log',
    description:
      'The body is the log, up to 2 GiB unpacked; `Content-Encoding` may pack it. `squid`: native access.log. `combined`: of proxies. `w3c`: extended log file format. `zeek_tsv` and `zeek_json`: conn, dns, http and ssl. `route53`: Resolver query logs. `vpc_flow`: flow logs of Amazon’s VPC. `csv` and `jsonl`: with `columns`. Query strings and the log itself are not kept. More than 20 % unreadable lines refuse the log, and a log that was read before is answered with its first ingestion and 200.',
    query: IngestionQuery,
    upload: {
      as: 'stream',
      mediaTypes: ['text/plain', 'application/octet-stream', 'text/csv', 'application/x-ndjson', 'application/json'],
      maxBytes: mostBytes,
    },
    returns: [201, Ingestion],
    alternatives: [[200, Ingestion]],
    audit: 'aegis.shadow_ai_ingestion.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [errors.unreadable, apiErrors.validation],
    handler: (context) =>
      ingest(context.services.shadowAi, { scope: scopeOf(context), upload: context.upload, query: context.query }),
  }),
  route.get('/shadow-ai/services', {
    permission: 'aegis:read',
    summary: 'List discovered AI services',
    description:
      'With `Accept: text/csv` all services that match are a table, and with `Accept: text/plain` a block list of their hosts in the `format` hosts, pac or rpz; `limit`, `cursor` and `sort` are not asked then.',
    query: ServiceFilter,
    list: { table: services, default: '-created_at' },
    returns: [200, ListedService],
    files: fileForms,
    handler: ({ tx, page, query: filter, request }) => {
      const form = acceptedForm(request.header('accept'), ['application/json', ...fileForms])
      return form === 'application/json' ? listServices(tx, { page, filter }) : downloadServices(tx, { filter, form })
    },
  }),
  route.get('/shadow-ai/services/{shadow_service_id}', {
    permission: 'aegis:read',
    summary: 'See a discovered AI service',
    returns: [200, ServiceDetail],
    errors: [apiErrors.notFound],
    handler: ({ tx, params }) => readService(tx, params.shadow_service_id),
  }),
  route.patch('/shadow-ai/services/{shadow_service_id}', {
    permission: 'aegis:write',
    summary: 'Review, sanction, tolerate or ban a discovered AI service',
    description:
      '`discovered` goes to `under_review`, and that to `sanctioned`, `tolerated` (`until` within 180 days) or `banned`, each with a `reason`; any of them goes back to `under_review`, a toleration by itself when it ends.',
    body: PatchService,
    returns: [200, Service],
    audit: 'aegis.shadow_ai_service.update',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.validation, errors.illegalMove],
    handler: ({ tx, services: { shadowAi }, actor, params, body, precondition }) =>
      changeService(shadowAi, tx, { actor, id: params.shadow_service_id, input: body, precondition }),
  }),
  route.post('/shadow-ai/catalog-entries', {
    permission: 'aegis:admin',
    summary: 'Add or replace a catalog entry of the tenant',
    description:
      'Stored under its `slug`, also over a shipped entry. Hosts are `chat.example.com`, `.example.com` with its subdomains, or `example.com/ai` as a path prefix. Every fact names its source. Discovered services that the entry describes are matched and scored anew; `rematched` counts them.',
    body: PutCatalogEntry,
    returns: [201, StoredCatalogEntry],
    alternatives: [[200, StoredCatalogEntry]],
    audit: 'aegis.catalog_entry.change',
    ownTransactions: true,
    errors: [errors.catalogEntry],
    handler: (context) => putEntry(context.services.shadowAi, { scope: scopeOf(context), input: context.body }),
  }),
]
