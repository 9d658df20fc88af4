/** Risks and analyses for tests of the module. */

import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'

export const pert = (low: number, mode: number, high: number) => ({ type: 'pert', low, mode, high }) as const

/** Case A of the oracles: VaR95 502,302.6. */
export const caseA = {
  nodes: { loss_event_frequency: pert(0.5, 2, 5), loss_magnitude: pert(10_000, 50_000, 300_000) },
}

/** Case B: Poisson 2, lognormal with a 90 % interval of 20,000 to 500,000. */
export const caseB = {
  nodes: {
    loss_event_frequency: { type: 'constant', value: 2 },
    loss_magnitude: { type: 'lognormal_interval', p05: 20_000, p95: 500_000 },
  },
}

export async function ownId(client: TestClient): Promise<string> {
  return expectStatus(await client.get('/auth/me'), 200).body.data.user.id
}

export async function addRisk(
  { admin }: Pick<TestTenant, 'admin'>,
  over: object = {},
): Promise<{ id: string; [name: string]: unknown }> {
  const body = {
    title: 'Prompt injection of the support assistant',
    category: 'ai_governance',
    owner_id: await ownId(admin),
    inherent: { likelihood: 4, impact: 4 },
    ...over,
  }
  return expectStatus(await admin.post('/risk/register', body), 201).body.data
}

export async function addAnalysis({ admin }: Pick<TestTenant, 'admin'>, riskId: string, over: object = {}) {
  const body = { risk_id: riskId, purpose: 'residual', model: caseA, currency: 'USD', ...over }
  return expectStatus(await admin.post('/risk/fair/analyses', body), 201).body.data
}

export const appetite = { appetite: '100000', tolerance: '500000', capacity: '2000000', currency: 'USD' }

/** Moves a risk along its states. */
export async function moveTo(
  { admin }: Pick<TestTenant, 'admin'>,
  id: string,
  ...states: readonly string[]
): Promise<void> {
  for (const status of states) expectStatus(await admin.patch(`/risk/register/${id}`, { status }), 200)
}
