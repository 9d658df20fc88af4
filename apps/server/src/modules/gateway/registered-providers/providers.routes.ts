import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { Deleted } from '../../../kernel/schema/types.ts'
import { errors } from '../declared/errors.ts'
import {
  CreateProvider,
  ListedProvider,
  PatchProvider,
  Provider,
  ProviderFilter,
  ProviderQuery,
  ProviderWithHealth,
  TestProvider,
  TestReport,
} from '../schemas/provider.ts'
import { RotatedSecret, RotateSecret } from '../schemas/provider-secret.ts'
import { providers } from '../schemas/tables.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { windowHealth } from './provider-history.ts'
import { rotateSecret } from './provider-rotation.ts'
import { testProvider } from './provider-test.ts'
import { listProviders, liveHealth, providerOf } from './provider-views.ts'
import { createProvider, deleteProvider, patchProvider } from './providers.ts'

const route = routesOf<GatewayServices>()

export const providerRoutes = [
  route.get('/providers', {
    permission: 'gateway:read',
    summary: 'List providers with their health',
    query: ProviderFilter,
    returns: [200, ListedProvider],
    list: { table: providers, default: '-created_at' },
    handler: ({ tx, page, query }) => listProviders(tx, page, query),
  }),
  route.post('/providers', {
    permission: 'gateway:admin',
    summary: 'Register a provider',
    body: CreateProvider,
    returns: [201, Provider],
    audit: 'gateway.provider.create',
    ownTransactions: true,
    errors: [errors.addressRefused, errors.nameTaken, errors.credentialRejected, errors.upstreamFailed],
    handler: (context) => createProvider(context.kernel, scopeOf(context), context.body),
  }),
  route.get('/providers/{provider_id}', {
    permission: 'gateway:read',
    summary: 'Read a provider',
    query: ProviderQuery,
    returns: [200, ProviderWithHealth],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params, query, kernel, services }) => {
      const row = await providers.need(tx, params.provider_id)
      const provider = await providerOf(tx, row)
      const window = await windowHealth(kernel, tx, { provider: row.name, window: query.window })
      const health = { ...provider.health, live: liveHealth(services.parts, row.id), ...(window && { window }) }
      return new Versioned({ ...provider, health }, row.version)
    },
  }),
  route.patch('/providers/{provider_id}', {
    permission: 'gateway:admin',
    summary: 'Change a provider',
    description:
      'Keys (`secrets`) are said as a whole: one that is named without `value` and `ref` stays, with another weight or end where these are given; one that is not there yet is added; one that is not named is removed at once. Another value for one that stays is put by `rotate-secret`, which tries it first. An address of another origin needs all keys given anew.',
    body: PatchProvider,
    returns: [200, Provider],
    audit: 'gateway.provider.update',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.addressRefused, errors.nameTaken],
    ownTransactions: true,
    handler: (context) =>
      patchProvider(context.kernel, scopeOf(context), {
        id: context.params.provider_id,
        input: context.body,
        precondition: context.precondition,
      }),
  }),
  route.delete('/providers/{provider_id}', {
    permission: 'gateway:admin',
    summary: 'Remove a provider and its keys',
    returns: [200, Deleted],
    audit: 'gateway.provider.delete',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.providerInUse],
    handler: (context) => deleteProvider(context.tx, context.params.provider_id, context.precondition),
  }),
  route.post('/providers/{provider_id}/test', {
    permission: 'gateway:admin',
    summary: 'Ask a provider with each of its keys',
    description:
      'Resolves its name, dials its address, and with each key lists its models and makes a tiny call: of the model given, else of one that is known. Where none is known the call is skipped, and says so.',
    body: TestProvider,
    returns: [200, TestReport],
    audit: 'gateway.provider.test',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [apiErrors.notFound, errors.addressRefused],
    handler: (context) => testProvider(context.services, scopeOf(context), context.params.provider_id, context.body),
  }),
  route.post('/providers/{provider_id}/rotate-secret', {
    permission: 'gateway:admin',
    summary: 'Put a new version of a key in place',
    description:
      'It is tried first. The version before stands in while the new one is refused, for as long as both hold.',
    body: RotateSecret,
    returns: [200, RotatedSecret],
    audit: 'gateway.provider.rotate_secret',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      apiErrors.notFound,
      apiErrors.conflict,
      errors.credentialRejected,
      errors.upstreamFailed,
      errors.addressRefused,
    ],
    handler: (context) =>
      rotateSecret(context.kernel, scopeOf(context), {
        id: context.params.provider_id,
        by: context.actor.userId,
        input: context.body,
      }),
  }),
]
