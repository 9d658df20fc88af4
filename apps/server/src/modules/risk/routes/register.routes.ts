import Type from 'typebox'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import { versionsOf } from '../fair/read-analysis.ts'
import { historyOf } from '../register/history.ts'
import { changeRisk, createRisk, listRisks } from '../register/register.ts'
import type { RiskServices } from '../register/register-parts.ts'
import { CreateRisk, ListedRisk, PatchRisk, Risk, RiskFilter } from '../register/schema.ts'
import { risks } from '../register/tables.ts'
import { riskView } from '../register/view.ts'
import { simulationsOfRisk } from '../simulations/read-simulation.ts'

const route = routesOf<RiskServices>()

export const registerRoutes = [
  route.get('/register', {
    permission: 'risk:read',
    summary: 'List the risks of the register',
    query: RiskFilter,
    returns: [200, ListedRisk],
    list: { table: risks, default: '-created_at' },
    handler: ({ tx, page, query, kernel }) => listRisks(tx, { page, filter: query, now: kernel.clock.iso() }),
  }),
  route.post('/register', {
    permission: 'risk:write',
    summary: 'Add a risk to the register',
    description: 'The risk begins as a draft with the next reference of the tenant. Risks are never deleted.',
    body: CreateRisk,
    returns: [201, Risk],
    audit: 'risk.register.create',
    errors: [apiErrors.validation, errors.appetiteOrder, errors.unknownReference],
    handler: ({ tx, services, actor, body }) => createRisk(services, tx, { actor, input: body }),
  }),
  route.get('/register/{risk_id}', {
    permission: 'risk:read',
    summary: 'See a risk',
    query: strictObject({ include: Type.Optional(includeOf('analyses', 'simulations', 'history')) }),
    returns: [200, Risk],
    errors: [apiErrors.notFound],
    handler: async ({ tx, kernel, params: { risk_id: id }, query }) => {
      const row = await risks.need(tx, id)
      const included = includedIn(query.include)
      const view = {
        ...riskView(kernel, tx.tenantId, row),
        ...(included.has('analyses') ? { analyses: await versionsOf(tx, id) } : {}),
        ...(included.has('simulations') ? { simulations: await simulationsOfRisk(tx, id) } : {}),
        ...(included.has('history') ? { history: await historyOf(tx, id) } : {}),
      }
      return new Versioned(view, row.version)
    },
  }),
  route.patch('/register/{risk_id}', {
    permission: 'risk:write',
    summary: 'Change, treat, accept or move a risk',
    description:
      'A merge patch, where lists are replaced. `status` moves the risk: `draft`, `identified`, `analyzed`, `evaluated`, `treating`, `monitoring`, `closed` in this order; `evaluated` to `accepted` and back; `monitoring` back to `evaluated`; `closed` to `identified` with a reason. Accepting a risk above its tolerance needs `risk:admin` and a second person, who repeats the call with the `confirm_token` of the refusal.',
    body: PatchRisk,
    returns: [200, Risk],
    audit: 'risk.register.update',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      apiErrors.validation,
      authErrors.forbidden,
      errors.appetiteOrder,
      errors.unknownReference,
      errors.illegalMove,
      errors.secondPerson,
      errors.acceptanceIncomplete,
    ],
    handler: ({ tx, services, actor, params, body, precondition, repeatable: call }) =>
      changeRisk(services, tx, { actor, id: params.risk_id, input: body, precondition, call }),
  }),
]
