import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus } from '../../../../test/support/world.ts'

/** One dollar a token read and one a token written: `test-model` answers with 11 and 7. */
export const dollarATokenPrice = { currency: 'USD', prices: { input: '1000000', output: '1000000' } }

/** The catalogue's entry of a model. */
export async function modelNamed(admin: TestClient, name: string): Promise<{ id: string }> {
  const { data } = expectStatus(await admin.get('/gateway/models', { query: { limit: '200' } }), 200).body
  const found = data.find((model: { name: string }) => model.name === name)
  if (found === undefined) throw new Error(`the catalogue has no model ${name}`)
  return found
}

export async function priceModel(admin: TestClient, name: string, price: unknown) {
  const { id } = await modelNamed(admin, name)
  return expectStatus(await admin.patch(`/gateway/models/${id}`, { price }), 200).body.data
}

let made = 0

export async function makeBudget(admin: TestClient, over: object = {}) {
  made += 1
  const body = { name: `budget-${made}`, scope: [{ kind: 'tenant' }], amount: '100', window: 'month', ...over }
  return expectStatus(await admin.post('/gateway/budgets', body), 201).body.data
}

export async function budgetNow(admin: TestClient, id: string) {
  const { data } = expectStatus(await admin.get('/gateway/budgets', { query: { limit: '200' } }), 200).body
  return data.find((budget: { id: string }) => budget.id === id)
}

/** Polls a read until it is as wanted: effects of events follow within seconds. */
export async function eventually<T>(read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const value = await read()
    if (wanted(value)) return value
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
