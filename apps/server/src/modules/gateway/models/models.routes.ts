import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../declared/errors.ts'
import { ListedModel, Model, ModelFilter, PatchModel } from '../schemas/model.ts'
import { models } from '../schemas/tables.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { patchModel } from './models.ts'
import { listModels } from './models-view.ts'

const route = routesOf<GatewayServices>()

export const modelRoutes = [
  route.get('/models', {
    permission: 'gateway:read',
    summary: 'List models, what they can take and what they cost',
    query: ModelFilter,
    returns: [200, ListedModel],
    list: { table: models, default: 'name' },
    handler: ({ tx, kernel, page, query }) => listModels(kernel, tx, page, query),
  }),
  route.patch('/models/{model_id}', {
    permission: 'gateway:admin',
    summary: 'Set the price, the other names and the limits of a model, or go back to what is shipped',
    description:
      'A price is in force from `valid_from` on, by default at once; what was charged before stays as it was. ' +
      'An alias stands before models of its name, and a route before an alias.',
    body: PatchModel,
    returns: [200, Model],
    audit: 'gateway.model.update',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.nameTaken],
    handler: ({ tx, kernel, actor, params, body, precondition }) =>
      patchModel(kernel, tx, { id: params.model_id, input: body, actor, precondition }),
  }),
]
