import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { gatewayCallErrors } from '../../gateway/api.ts'
import { Binding, Bindings, PatchBinding } from '../declared/binding-schema.ts'
import { errors } from '../errors/errors.ts'
import { changeBinding, listBindings } from '../providers/bindings.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

const route = routesOf<SvcAiServices>()

export const providerRoutes = [
  route.get('/providers', {
    permission: 'svc-ai:read',
    summary: 'List the roles of models with what is bound to them',
    description:
      'The role `chat` answers, the role `embedding` makes the vectors of hybrid retrieval. `candidates` are the gateway’s providers, for whoever may read them there.',
    returns: [200, Bindings],
    ownTransactions: true,
    handler: (context) => {
      const { services, actor, request } = context
      return listBindings(services, { scope: scopeOf(context), asker: { actor, request } })
    },
  }),
  route.patch('/providers/{binding_id}', {
    permission: 'svc-ai:admin',
    summary: 'Bind a model of the gateway to a role, or unbind it',
    description:
      'A merge patch: `model: null` and `provider: null` unbind. `probe=true` makes one real call through the gateway first. Another model for the role `embedding` has the vectors of every source made again; until then they are searched by their words. Credentials stay in the gateway.',
    query: strictObject({ probe: Type.Optional(Type.Boolean()) }),
    body: PatchBinding,
    returns: [200, Binding],
    audit: 'svc_ai.binding.update',
    ownTransactions: true,
    errors: [
      ...[apiErrors.notFound, apiErrors.preconditionFailed, errors.targetUnknown, errors.cannotServe],
      ...gatewayCallErrors,
    ],
    handler: (context) => {
      const { services, actor, request, params, body, query, precondition } = context
      return changeBinding(services, {
        ...{ scope: scopeOf(context), asker: { actor, request }, id: params.binding_id, precondition },
        ...{ input: body, probe: query.probe === true },
      })
    },
  }),
]
