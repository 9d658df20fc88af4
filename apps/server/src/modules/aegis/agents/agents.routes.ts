import Type from 'typebox'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { Deleted, oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { iamErrors } from '../../iam/api.ts'
import { errors } from '../errors/errors.ts'
import { changeAgent } from './change.ts'
import { issueCredential, revokeCredential } from './credentials.ts'
import type { AgentParts } from './parts.ts'
import { createAgent, listAgents } from './register.ts'
import {
  Agent,
  AgentFilter,
  AgentSummary,
  AgentTransition,
  CreateAgent,
  CreateCredential,
  NewCredential,
  PatchAgent,
} from './schema.ts'
import { agents } from './tables.ts'
import { moveAgent } from './transition.ts'
import { credentialsOf, usesOf, versionedAgent } from './view.ts'

const route = routesOf<{ readonly agents: AgentParts }>()

export const agentRoutes = [
  route.get('/agents', {
    permission: 'aegis:read',
    summary: 'List the registered agents',
    description:
      '`q` finds agents by their slug or a word of their name. `drift` finds those whose traffic shows what they do not declare.',
    query: AgentFilter,
    returns: [200, AgentSummary],
    list: { table: agents, default: '-created_at' },
    handler: ({ tx, page, query, kernel }) => listAgents(tx, { page, filter: query, now: kernel.clock.iso() }),
  }),
  route.post('/agents', {
    permission: 'aegis:write',
    summary: 'Register an agent',
    description:
      'The agent begins as a draft. Its id is that of the service account that is made with it, which reaches model calls and the routes of agents alone. The risk tier is computed from the declaration.',
    body: CreateAgent,
    returns: [201, Agent],
    audit: 'aegis.agent.create',
    errors: [apiErrors.validation, errors.exists, iamErrors.quotaReached],
    handler: ({ tx, services, actor, body }) => createAgent(services.agents, tx, { actor, input: body }),
  }),
  route.get('/agents/{agent_id}', {
    permission: 'aegis:read',
    summary: 'See an agent',
    description:
      'With the tools, models, destinations and data classes seen in its traffic; `declared` false marks drift.',
    query: strictObject({ include: Type.Optional(oneOf('credentials')) }),
    returns: [200, Agent],
    errors: [apiErrors.notFound],
    handler: async ({ tx, services, params: { agent_id: id }, query }) => {
      const row = await agents.need(tx, id)
      const credentials =
        query.include === undefined ? {} : { credentials: await credentialsOf(services.agents, tx, id) }
      const observed = await usesOf(tx, row)
      return versionedAgent(row, { observed, ...credentials })
    },
  }),
  route.patch('/agents/{agent_id}', {
    permission: 'aegis:write',
    summary: 'Change an agent',
    description:
      'A merge patch, where lists are replaced. A change of models, tools, destinations, data classes, autonomy, untrusted input or expected calls sends an approved agent back to review; an active or quarantined agent keeps its approved declaration until the new one, in `review`, is approved. `accept_drift` adds uses seen in the traffic to the declaration, which is reviewed with them. `risk_tier` raises the computed tier.',
    body: PatchAgent,
    returns: [200, Agent],
    audit: 'aegis.agent.update',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.validation, errors.illegalMove],
    handler: ({ tx, services, actor, params, body, precondition }) =>
      changeAgent(services.agents, tx, { actor, id: params.agent_id, input: body, precondition }),
  }),
  route.post('/agents/{agent_id}/transition', {
    permission: 'aegis:write',
    summary: 'Move an agent through its life',
    description:
      '`submit` a draft, `approve` or `reject` it, `activate`, `quarantine`, `release`, `retire`. Approving and releasing takes a person who is not the owner and has not submitted the agent; from tier 3 on with `aegis:admin`, and for tier 4 two of them. Quarantine suspends the service account and revokes its keys; retiring ends the account and every credential. `submit` on an active agent opens its periodic review.',
    body: AgentTransition,
    returns: [200, Agent],
    audit: 'aegis.agent.change',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.illegalMove, errors.secondPerson],
    handler: ({ tx, services, actor, params, body, precondition }) =>
      moveAgent(services.agents, tx, { actor, id: params.agent_id, input: body, precondition }),
  }),
  route.post('/agents/{agent_id}/credentials', {
    permission: 'aegis:admin',
    summary: 'Issue a credential to an agent',
    description:
      '`api_key` makes an API key of the agent’s service account; `secret` is in this answer alone. Without `expires_at` it lives 90 days, with it at most 365, of an agent of tier 4 at most 90. `jwt` binds tokens of an outside issuer by `match`: they are good where agents report activity or call tools, for as long as each of them lives.',
    body: CreateCredential,
    returns: [201, NewCredential],
    audit: 'aegis.agent_credential.create',
    errors: [
      apiErrors.notFound,
      apiErrors.validation,
      authErrors.stepUp,
      errors.illegalMove,
      iamErrors.exceedsRights,
      iamErrors.quotaReached,
      iamErrors.keyRule,
      iamErrors.outsideTokenTaken,
    ],
    handler: async ({ tx, services, actor, params, body }) =>
      new Answer(await issueCredential(services.agents, tx, { actor, agentId: params.agent_id, input: body }), {
        headers: { 'cache-control': 'no-store' },
      }),
  }),
  route.delete('/agents/{agent_id}/credentials/{credential_id}', {
    permission: 'aegis:admin',
    summary: 'Revoke a credential of an agent',
    description: 'It counts at once, on all instances. Ending the binding of an outside token takes a fresh sign-in.',
    returns: [200, Deleted],
    audit: 'aegis.agent_credential.delete',
    rateClass: 'stop',
    errors: [apiErrors.notFound, authErrors.stepUp, iamErrors.exceedsRights],
    handler: ({ tx, services, actor, params }) =>
      revokeCredential(services.agents, tx, { actor, agentId: params.agent_id, id: params.credential_id }),
  }),
]
