import Type from 'typebox'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../../kernel/module/route.ts'
import { Deleted, oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { errors } from '../../errors/errors.ts'
import {
  changeGuardrail,
  createGuardrail,
  listGuardrails,
  readGuardrail,
  removeGuardrail,
} from '../authoring/guardrails.ts'
import { readMetrics } from '../authoring/metrics.ts'
import { rollOut } from '../authoring/rollout.ts'
import { GuardrailMetrics, MetricsQuery } from '../declared/metrics-schema.ts'
import {
  CreateGuardrail,
  Guardrail,
  GuardrailFilter,
  ListedGuardrail,
  PatchGuardrail,
  Rollout,
} from '../declared/schema.ts'
import { guardrails } from '../declared/tables.ts'
import { dryRun } from '../evaluation/dry-run.ts'
import { Evaluate, EvaluationReport } from '../evaluation/schema.ts'

const route = routesOf<object>()

const authoringErrors = [apiErrors.validation, errors.invalidExpression, errors.invalidSchema, errors.tooCostly]

export const guardrailRoutes = [
  route.get('/guardrails', {
    permission: 'aegis:read',
    summary: 'List the guardrails',
    description: '`agent_id` and `server` find those whose target names it.',
    query: GuardrailFilter,
    returns: [200, ListedGuardrail],
    list: { table: guardrails, default: '-created_at' },
    handler: ({ tx, page, query }) => listGuardrails(tx, page, query),
  }),
  route.post('/guardrails', {
    permission: 'aegis:write',
    summary: 'Create a draft of a guardrail',
    description:
      'It is checked completely: expressions are CEL over `agent`, `user`, `server`, `tool`, `args`, `input`, `result`, `session` and `request`, schemas are JSON Schema 2020-12, patterns run in linear time. All checks have to hold for it to match. It acts when it is rolled out.',
    body: CreateGuardrail,
    returns: [201, Guardrail],
    audit: 'aegis.guardrail.create',
    errors: [...authoringErrors, errors.exists],
    handler: ({ tx, kernel, actor, body }) => createGuardrail({ kernel, actor }, tx, body),
  }),
  route.get('/guardrails/{guardrail_id}', {
    permission: 'aegis:read',
    summary: 'See a guardrail',
    description:
      'With `version` the definition of that version. `include` takes `versions` and `diff`, the difference between the newest version and the live one, separated by commas.',
    query: strictObject({
      include: Type.Optional(oneOf('versions', 'diff', 'versions,diff', 'diff,versions')),
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    }),
    returns: [200, Guardrail],
    errors: [apiErrors.notFound],
    handler: ({ tx, params, query }) =>
      readGuardrail(tx, { id: params.guardrail_id, include: query.include?.split(',') ?? [], number: query.version }),
  }),
  route.patch('/guardrails/{guardrail_id}', {
    permission: 'aegis:write',
    summary: 'Change a guardrail',
    description:
      'A merge patch, where lists and objects are replaced and null takes a member back to its default. A change of target, checks, action, errors, message or tags makes a version, which runs when it is rolled out.',
    body: PatchGuardrail,
    returns: [200, Guardrail],
    audit: 'aegis.guardrail.update',
    errors: [...authoringErrors, apiErrors.notFound, apiErrors.preconditionFailed, errors.illegalMove],
    handler: ({ tx, kernel, actor, params, body, precondition }) =>
      changeGuardrail({ kernel, actor }, tx, { id: params.guardrail_id, input: body, precondition }),
  }),
  route.delete('/guardrails/{guardrail_id}', {
    permission: 'aegis:admin',
    summary: 'Delete a draft, or archive a guardrail',
    description: 'One that ever ran is archived with its versions; `deleted` is false then.',
    returns: [200, Deleted],
    audit: 'aegis.guardrail.delete',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.illegalMove, errors.inUse],
    handler: ({ tx, kernel, params, precondition }) =>
      removeGuardrail({ kernel }, tx, { id: params.guardrail_id, precondition }),
  }),
  route.post('/guardrails/{guardrail_id}/rollout', {
    permission: 'aegis:admin',
    summary: 'Watch with a guardrail, enforce it in a share of sessions, disable it, or roll it back',
    description:
      'A draft is watched first. With `enforce` and a percentage, a session is enforced whole or not at all, and the version before stays enforced in the others. `rollback` enforces an older version. `auto_rollback` takes the version back by itself when it blocks a larger share of calls, or takes longer, than allowed.',
    body: Rollout,
    returns: [200, Guardrail],
    audit: 'aegis.guardrail.rollout',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.validation, errors.illegalMove],
    handler: ({ tx, kernel, params, body, precondition }) =>
      rollOut(kernel, tx, { id: params.guardrail_id, input: body, precondition }),
  }),
  route.post('/guardrails/evaluate', {
    permission: 'aegis:write',
    summary: 'Try guardrails on samples or on recorded calls',
    description:
      'Either a draft or ids of stored guardrails in their newest version; either `samples` or a `window` of recorded calls of agents. Nothing is enforced, counted or told. Recorded calls have no arguments and no texts: guardrails that read them are `undecided` there. `confusion` compares with `expected` of samples and with resolved alerts of recorded calls, `diff` with the version that runs. A partial answer goes on with `cursor`.',
    body: Evaluate,
    bodyLimit: 8 * 1_048_576,
    returns: [200, EvaluationReport],
    audit: 'aegis.guardrail.evaluate',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [...authoringErrors, apiErrors.notFound, apiErrors.badCursor],
    handler: async (context) =>
      new Answer(
        await dryRun({
          ...{ kernel: context.kernel, scope: scopeOf(context), actor: context.actor, input: context.body },
        }),
      ),
  }),
  route.get('/guardrails/{guardrail_id}/metrics', {
    permission: 'aegis:read',
    summary: 'See how often a guardrail matched and how long it took',
    description:
      'By version, in minutes, hours or days. Counts are written every ten seconds. Default: the last day, by hour.',
    query: MetricsQuery,
    returns: [200, GuardrailMetrics],
    errors: [apiErrors.notFound, apiErrors.validation],
    handler: ({ tx, kernel, params, query }) =>
      readMetrics(tx, { id: params.guardrail_id, query, now: kernel.clock.now() }),
  }),
]
