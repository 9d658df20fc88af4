/** Scenarios and running experiments for tests of the module. */
import { expect } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { FaultBody, Probe } from '../declared/scenario-schema.ts'

/** Long enough for a busy machine; a test that passes does not wait for it. */
export const patience = { timeout: 25_000, interval: 50 }

export interface Lab {
  readonly tenant: TestTenant
  readonly second: TestClient
  /** An approved scenario with these faults. */
  scenario(faults: readonly FaultBody[], probes?: readonly Probe[]): Promise<string>
  /** Starts an experiment on all calls, approved by the second person; resolves when its rules are in force. */
  inject(faults: readonly FaultBody[], over?: object, probes?: readonly Probe[]): Promise<string>
  see(id: string): Promise<Seen>
  act(id: string, action: string, over?: object): Promise<Seen>
  until(id: string, status: string): Promise<Seen>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
type Seen = any

let made = 0

export async function openLab(world: World, slug: string): Promise<Lab> {
  const tenant = await world.tenant(slug)
  const second = await tenant.as('tenant_admin')
  await ownCredentials(world, tenant.id)
  const { admin } = tenant
  const path = '/resilience/chaos/experiments'
  const see: Lab['see'] = async (id) => expectStatus(await admin.get(`${path}/${id}`), 200).body.data
  const act: Lab['act'] = async (id, action, over = {}) =>
    expectStatus(await admin.post(`${path}/${id}/actions`, { action, ...over }), 200).body.data
  const scenario: Lab['scenario'] = async (faults, probes = []) => {
    made += 1
    const body = { name: `Scenario ${made}`, faults, hypothesis: { title: 'Calls are answered', probes } }
    const { id } = expectStatus(await admin.post('/resilience/scenarios', body), 201).body.data
    expectStatus(await second.patch(`/resilience/scenarios/${id}`, { status: 'approved' }), 200)
    return id
  }
  return {
    ...{ tenant, second, scenario, see, act },
    inject: async (faults, over = {}, probes = []) => {
      const body = {
        ...{ scenario_id: await scenario(faults, probes), mode: 'automated', ttl_seconds: 600 },
        blast_radius: { percentage: 100, max_affected_calls: 100 },
        ...over,
      }
      const { id } = expectStatus(await admin.post(path, body), 201).body.data
      expectStatus(await second.post(`${path}/${id}/actions`, { action: 'approve' }), 200)
      await expect.poll(async () => kindsOf(await see(id)), patience).toContain('armed')
      return id
    },
    until: async (id, status) => {
      await expect.poll(async () => (await see(id)).status, patience).toBe(status)
      return see(id)
    },
  }
}

export const kindsOf = ({ journal }: Seen): readonly string[] => journal.map(({ kind }: { kind: string }) => kind)
