import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { Deleted } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import * as schema from '../schemas/credentials.ts'
import type { IamServices } from '../services/iam-services.ts'
import { apiKeys } from '../tables/api-keys.ts'
import { createApiKey } from './api-keys.ts'
import { changeApiKey, revokeApiKey } from './changes.ts'
import { keyDetail, listApiKeys, seeApiKey } from './views.ts'

const route = routesOf<IamServices>()

export const apiKeyRoutes = [
  route.get('/api-keys', {
    permission: 'authenticated',
    summary: 'List one’s own API keys; with iam:read everybody’s',
    query: schema.ApiKeyFilter,
    list: { table: apiKeys, default: '-created_at' },
    returns: [200, schema.ApiKey],
    errors: [authErrors.forbidden],
    handler: ({ kernel, tx, actor, query, page }) =>
      listApiKeys(tx, { actor, filter: query, page, now: kernel.clock.iso() }),
  }),
  route.post('/api-keys', {
    permission: 'authenticated',
    summary: 'Create or replace an API key',
    description:
      'The key is in this answer only. With `replaces_id` the new key takes over the settings of an old one.',
    body: schema.CreateApiKey,
    returns: [201, schema.CreatedApiKey],
    audit: 'iam.api_key.create',
    errors: [
      apiErrors.notFound,
      authErrors.forbidden,
      authErrors.stepUp,
      errors.exceedsRights,
      errors.unknownPermission,
      errors.quotaReached,
      errors.keyRule,
    ],
    handler: ({ services, tx, actor, body }) => createApiKey(services, tx, { actor, body }),
  }),
  route.get('/api-keys/{api_key_id}', {
    permission: 'authenticated',
    summary: 'Get an API key and its use by day',
    returns: [200, schema.ApiKeyDetail],
    errors: [apiErrors.notFound],
    handler: async ({ services, tx, actor, params }) => {
      const row = await seeApiKey(tx, { actor, id: params.api_key_id })
      return new Versioned(await keyDetail(services, tx, row), row.version)
    },
  }),
  route.patch('/api-keys/{api_key_id}', {
    permission: 'authenticated',
    summary: 'Change an API key',
    body: schema.PatchApiKey,
    returns: [200, schema.ApiKeyDetail],
    audit: 'iam.api_key.change',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.forbidden,
      authErrors.stepUp,
      errors.exceedsRights,
      errors.unknownPermission,
      errors.keyRule,
    ],
    handler: ({ services, tx, actor, params, body, precondition }) =>
      changeApiKey(services, tx, { actor, id: params.api_key_id, body, precondition }),
  }),
  route.delete('/api-keys/{api_key_id}', {
    permission: 'authenticated',
    rateClass: 'stop',
    summary: 'Revoke an API key',
    returns: [200, Deleted],
    audit: 'iam.api_key.revoke',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, authErrors.forbidden, errors.exceedsRights],
    handler: ({ services, tx, actor, params, precondition }) =>
      revokeApiKey(services, tx, { actor, id: params.api_key_id, precondition }),
  }),
]
