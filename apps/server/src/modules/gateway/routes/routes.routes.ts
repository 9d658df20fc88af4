import { apiErrors } from '../../../kernel/http/errors.ts'
import { Answer, routesOf } from '../../../kernel/route.ts'
import { errors } from '../declared/errors.ts'
import { CreateRoute, ListedRoute, PatchRoute, Route, RouteFilter } from '../route-model/schemas.ts'
import { routes } from '../route-model/tables.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { createRoute, listRoutes, patchRoute } from './routes.ts'

const route = routesOf<GatewayServices>()

export const routeRoutes = [
  route.get('/routes', {
    permission: 'gateway:read',
    summary: 'List routes',
    description: 'A route is a name that calls use as their model; it stands for its targets.',
    query: RouteFilter,
    returns: [200, ListedRoute],
    list: { table: routes, default: '-created_at' },
    handler: ({ tx, page, query }) => listRoutes(tx, page, query),
  }),
  route.post('/routes', {
    permission: 'gateway:admin',
    summary: 'Create a route',
    body: CreateRoute,
    returns: [201, Route],
    audit: 'gateway.route.create',
    errors: [errors.unknownTarget, errors.nameTaken],
    handler: async ({ tx, body, services }) => new Answer(await createRoute(services, tx, body), { version: 1 }),
  }),
  route.patch('/routes/{route_id}', {
    permission: 'gateway:admin',
    summary: 'Change, pause or archive a route',
    description: 'Targets are replaced together. An archived route stays as it is, and its name is free again.',
    body: PatchRoute,
    returns: [200, Route],
    audit: 'gateway.route.update',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      apiErrors.conflict,
      errors.unknownTarget,
      errors.nameTaken,
    ],
    handler: async ({ tx, params, body, services, expectVersion }) => {
      const changed = await patchRoute(services, tx, {
        id: params.route_id,
        input: body,
        expectVersion: (version) => expectVersion(version),
      })
      return new Answer(changed.route, { version: changed.version })
    },
  }),
]
