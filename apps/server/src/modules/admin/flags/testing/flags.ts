import type { TestTenant, World } from '../../../../../test/support/world.ts'

/** A switch that is off for everybody until a rule or an override turns it on. */
export const basicFlag = {
  value_type: 'boolean',
  variants: [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ],
  default_variant: 'off',
  off_variant: 'off',
  status: 'enabled',
  client_exposed: true,
}

/** The OFREP evaluation of one flag for an administrator of the tenant, with its HTTP status. */
export async function evaluateFlag(world: World, tenant: TestTenant, ask: { readonly key: string; context?: object }) {
  const answer = await world.program.app.inject({
    method: 'POST',
    url: `/ofrep/v1/evaluate/flags/${ask.key}`,
    headers: { authorization: `Bearer ${tenant.admin.token}` },
    payload: { context: ask.context ?? {} },
  })
  return { status: answer.statusCode, ...answer.json() }
}
