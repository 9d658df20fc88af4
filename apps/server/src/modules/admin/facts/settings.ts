import Type from 'typebox'
import { defineFact, type FactContext } from '../../../kernel/facts/define.ts'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { effectiveEntries } from '../config/view.ts'
import type { AdminServices } from '../services/admin-services.ts'

const Setting = strictObject({
  key: Type.String({ maxLength: 200 }),
  value: Type.Unsafe<unknown>({ description: 'As the setting’s schema says; null for a secret' }),
  source: oneOf('env', 'tenant', 'platform', 'file', 'default'),
  secret: Type.Boolean(),
})

export const settingsFact = defineFact({
  name: 'admin.settings',
  description: 'Settings in force in the tenant, where each comes from, and no secrets. From memory.',
  permission: 'admin:read',
  schema: strictObject({ settings: Type.Array(Setting) }),
  read: async ({ services: { kernel, settings: store }, tx }: FactContext<AdminServices>) => ({
    settings: effectiveEntries({ kernel, store }, tx.tenantId, {}).map(({ key, value, source, secret }) => ({
      ...{ key, value, source, secret },
    })),
  }),
})
