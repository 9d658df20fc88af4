import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'
import { argsDigest } from '../approvals/binding.ts'
import { requestApproval } from '../approvals/request.ts'
import { addAgent } from './agents-world.ts'

let calls = 0
const args = { sum: 5 }

/** The approval of a held call: calls of agents hold it, no route makes it. */
async function newApproval(tenant: TestTenant) {
  calls += 1
  const { id: agentId } = await addAgent(tenant)
  await tenant.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    requestApproval(tenant, tx, {
      ...{ agentId, userId: null, sessionId: null, server: 'sample', tool: `sample-${calls}`, args },
      ...{ guardrails: [], pinSha256: null, labels: [], riskTier: 1, destructive: false },
      ...{ approverRoles: [], minApprovers: 1, timeoutSeconds: 86_400, waitForm: 'retry' },
    }),
  )
  const listed = expectStatus(await tenant.admin.get('/aegis/approvals', { query: { limit: '1' } }), 200)
  return { ...listed, body: { ...listed.body, data: listed.body.data[0] } }
}

/** Samples of approvals. */
export const cases: ModuleCases = {
  bodies: {
    'POST /api/v1/aegis/approvals/{approval_id}/decision': () => ({
      decision: 'approve',
      args_sha256: argsDigest(args),
    }),
  },
  found: { approval_id: newApproval },
  idPlaces: {
    'GET /api/v1/aegis/approvals query/agent_id': {
      kind: 'agent_id',
      with: (id) => ({ agent_id: id }),
      shows: false,
    },
  },
}
