import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { Delivery, DeliveryFilter, NewDelivery, Queued } from '../declared/delivery-schema.ts'
import { Integration, IntegrationFilter, MadeIntegration, NewIntegration } from '../declared/integration-schema.ts'
import { deliveries, integrations } from '../declared/integration-tables.ts'
import { listDeliveries } from '../deliveries/list.ts'
import { replayDeliveries, testIntegration } from '../deliveries/test-and-replay.ts'
import { errors } from '../errors/errors.ts'
import { listIntegrations } from '../integrations/list.ts'
import { refuseEmpty, saveIntegration } from '../integrations/save.ts'
import { catalog } from '../kinds/catalog.ts'
import type { PlatformServices } from '../services/platform-services.ts'

const route = routesOf<PlatformServices>()

export const integrationRoutes = [
  route.get('/integrations', {
    permission: 'platform:read',
    summary: 'List the integrations',
    description:
      'Credentials are never shown. `versions=true` adds every configuration there was; `catalog=true` puts all kinds with the JSON Schemas of their configuration and credentials in `meta.catalog`. Archived ones are listed by `status=archived`.',
    query: IntegrationFilter,
    returns: [200, Integration],
    list: { table: integrations, default: '-created_at' },
    handler: async ({ tx, kernel, page, query }) => {
      const found = await listIntegrations(tx, { page, filter: query, nowMs: kernel.clock.now() })
      return query.catalog === true ? new Answer(found, { meta: { catalog } }) : found
    },
  }),
  route.post('/integrations', {
    permission: 'platform:admin',
    summary: 'Make an integration, or its next version',
    description:
      'The `name` of an integration that is not archived makes its next version; members that are left out stay. The secret of a webhook is made here and shown in this answer alone; `rotate_secret` replaces it, and the old one signs beside it for `overlap_hours` (24). `archived` erases the credentials and cancels what is not sent yet.',
    body: NewIntegration,
    returns: [201, MadeIntegration],
    audit: 'platform.integration.create',
    ownTransactions: true,
    errors: [apiErrors.validation, errors.versionDiffers, errors.configInvalid, errors.destinationRefused],
    handler: (context) => {
      const { services, actor, body: input } = context
      refuseEmpty(input)
      return saveIntegration(services, { scope: scopeOf(context), actor, input })
    },
  }),
  route.post('/integrations/{integration_id}/deliveries', {
    permission: 'platform:write',
    summary: 'Send a test, or replay deliveries',
    description:
      '`test` sends a message at once and answers with its true outcome, within 15 seconds; 502 where the destination does not take it. `replay` sends again, with the same message ids, `delivery_ids`, everything `since` a time, or `all_dead`; at most 1,000 at a time, the newest first.',
    body: NewDelivery,
    returns: [201, Delivery],
    alternatives: [[202, Queued]],
    audit: 'platform.delivery.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      apiErrors.validation,
      apiErrors.notFound,
      errors.notActive,
      errors.destinationRefused,
      errors.testFailed,
      errors.nothingToReplay,
    ],
    handler: async (context) => {
      const { services, params, body: input } = context
      const asked = { scope: scopeOf(context), integrationId: params.integration_id, input }
      if (input.kind === 'test') return testIntegration(services, asked)
      return new Answer(await replayDeliveries(services, asked), { status: 202 })
    },
  }),
  route.get('/integrations/{integration_id}/deliveries', {
    permission: 'platform:read',
    summary: 'List the deliveries of an integration',
    query: DeliveryFilter,
    returns: [200, Delivery],
    list: { table: deliveries, default: '-created_at' },
    errors: [apiErrors.notFound],
    handler: ({ tx, params, page, query }) =>
      listDeliveries(tx, { integrationId: params.integration_id, page, filter: query }),
  }),
]
