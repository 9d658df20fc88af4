import Type from 'typebox'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { ListedScenario, NewScenario, PatchScenario, Scenario, ScenarioFilter } from '../declared/scenario-schema.ts'
import { scenarios } from '../declared/scenario-tables.ts'
import { errors } from '../errors/errors.ts'
import { changeScenario, createScenario, listScenarios, scenarioView } from '../scenarios/scenarios.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'

const route = routesOf<ResilienceServices>()

export const scenarioRoutes = [
  route.get('/scenarios', {
    permission: 'resilience:read',
    summary: 'List the scenarios',
    query: ScenarioFilter,
    returns: [200, ListedScenario],
    list: { table: scenarios, default: '-created_at' },
    handler: ({ tx, page, query }) => listScenarios(tx, { page, filter: query }),
  }),
  route.post('/scenarios', {
    permission: 'resilience:write',
    summary: 'Create a scenario, or import one',
    description:
      'Faults that an experiment injects, services that fail in a simulation, and the probes of the steady state. An experiment of the Chaos Toolkit is kept as it is; its HTTP probes run, its programs and Python functions never do and are listed in `not_executable`.',
    body: NewScenario,
    returns: [201, Scenario],
    audit: 'resilience.scenario.create',
    errors: [errors.scenarioInvalid, errors.notChaostoolkit, errors.protectedTarget],
    handler: ({ tx, kernel, actor, body }) => createScenario(kernel, tx, { actor, input: body }),
  }),
  route.get('/scenarios/{scenario_id}', {
    permission: 'resilience:read',
    summary: 'See a scenario',
    query: strictObject({ include: Type.Optional(includeOf('chaostoolkit')) }),
    returns: [200, Scenario],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params, query }) =>
      scenarioView(await scenarios.need(tx, params.scenario_id), includedIn(query.include).has('chaostoolkit')),
  }),
  route.patch('/scenarios/{scenario_id}', {
    permission: 'resilience:write',
    summary: 'Edit, approve or archive a scenario',
    description:
      'Every edit makes it a draft again. Approval takes `resilience:admin` and another person than the one who changed it last.',
    body: PatchScenario,
    returns: [200, Scenario],
    audit: 'resilience.scenario.update',
    errors: [
      ...[apiErrors.notFound, apiErrors.preconditionFailed, authErrors.forbidden],
      ...[errors.scenarioInvalid, errors.illegalMove, errors.protectedTarget, errors.secondPerson],
    ],
    handler: ({ tx, kernel, actor, params, body, precondition }) =>
      changeScenario(kernel, tx, { id: params.scenario_id, actor, input: body, precondition }),
  }),
]
