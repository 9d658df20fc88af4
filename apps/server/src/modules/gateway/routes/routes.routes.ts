import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
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
    handler: ({ tx, body, services }) => createRoute(services, tx, body),
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
    handler: ({ tx, params, body, services, precondition }) =>
      patchRoute(services, tx, { id: params.route_id, input: body, precondition }),
  }),
]
