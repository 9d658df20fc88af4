import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { errors } from '../declared/errors.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { createPolicy, patchPolicy } from './policies.ts'
import { publishPolicy } from './policy-publication.ts'
import { effectiveFor, listPolicies, policyOf } from './policy-resource.ts'
import { CreatePolicy, PatchPolicy, Policy, PolicyFilter, PolicyQuery, PolicySummary, PublishPolicy } from './schema.ts'
import { policies } from './tables.ts'

const route = routesOf<GatewayServices>()

export const policyRoutes = [
  route.get('/policies', {
    permission: 'gateway:read',
    summary: 'List policies without their documents',
    query: PolicyFilter,
    returns: [200, PolicySummary],
    list: { table: policies, default: '-created_at' },
    handler: ({ tx, page, query }) => listPolicies(tx, page, query),
  }),
  route.post('/policies', {
    permission: 'gateway:admin',
    summary: 'Create a policy as a draft',
    body: CreatePolicy,
    returns: [201, Policy],
    audit: 'gateway.policy.create',
    errors: [errors.policyInvalid, errors.nameTaken],
    handler: async ({ tx, actor, body, services }) => {
      const row = await createPolicy(services, tx, actor, body)
      return new Versioned(await policyOf(tx, row), row.version)
    },
  }),
  route.get('/policies/{policy_id}', {
    permission: 'gateway:read',
    summary: 'Read a policy',
    description:
      'Another version with `version`, all versions with `include=versions`, what changed since one with `diff`, the merged result for a user or key with `effective_for`, for every kind of call.',
    query: PolicyQuery,
    returns: [200, Policy],
    errors: [apiErrors.notFound],
    handler: async ({ tx, actor, params, query, services }) => {
      const { effective_for: id } = query
      // Before the first statement: loading takes a connection of its own, which a transaction must not wait for.
      const snapshot = id === undefined ? null : await services.snapshots.get(actor.tenantId)
      const row = await policies.need(tx, params.policy_id)
      const policy = await policyOf(tx, row, query)
      if (id === undefined || snapshot === null) return new Versioned(policy, row.version)
      const effective = effectiveFor(snapshot, row, await services.iam.findPrincipal(tx, id))
      return new Versioned({ ...policy, effective }, row.version)
    },
  }),
  route.patch('/policies/{policy_id}', {
    permission: 'gateway:admin',
    summary: 'Save a new draft version, rename, bind or archive',
    description:
      'The `document` is merged into the draft, or into the live version where there is none. To replace all of it, name a template to begin from: `"from_template": "baseline"`. Where the tenant setting `policy_four_eyes` holds, two people take bindings away from a published policy or archive it: the first is refused with a `confirm_token`, with which the other repeats the call.',
    body: PatchPolicy,
    returns: [200, Policy],
    audit: 'gateway.policy.update',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      errors.policyTransition,
      errors.secondPerson,
      errors.policyInvalid,
      errors.nameTaken,
    ],
    handler: async (context) => {
      const { tx, actor, params, body, services, precondition, repeatable } = context
      const row = await patchPolicy(services, tx, actor, {
        id: params.policy_id,
        input: body,
        precondition,
        repeatable,
      })
      const changesDocument = body.document !== undefined || body.from_template !== undefined
      const shown = changesDocument ? { version: row.latest_version } : {}
      return new Versioned(await policyOf(tx, row, shown), row.version)
    },
  }),
  route.post('/policies/{policy_id}/publish', {
    permission: 'gateway:admin',
    summary: 'Make a version live; an older one rolls back',
    description:
      'A tenant may demand that somebody other than the author publishes and says so with `approve`, and that the version was simulated in the last 24 hours. Where it demands the former, a version that was live before goes live again when two people ask: the first is refused with a `confirm_token`, with which the other repeats the call. Service accounts publish nothing then.',
    body: PublishPolicy,
    returns: [200, Policy],
    audit: 'gateway.policy.publish',
    errors: [apiErrors.notFound, errors.policyTransition, errors.secondPerson],
    handler: async ({ tx, kernel, actor, params, body, services, repeatable }) => {
      const rules = await services.iam.policyRules(tx)
      const demanded = { rules, platformKeys: kernel.platformKeys, repeatable }
      const { row, previous } = await publishPolicy(kernel, tx, actor, { ...body, id: params.policy_id, demanded })
      return new Versioned({ ...(await policyOf(tx, row)), previous_version: previous }, row.version)
    },
  }),
]
