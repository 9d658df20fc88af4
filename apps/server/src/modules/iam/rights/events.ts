import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'

const actor = { actor_id: nullable(Uuid) }

export const userRoleChanged = defineEvent({
  channel: 'iam.user.role_changed',
  type: 'UserRoleChanged',
  summary: "A user's roles changed.",
  schema: strictObject({
    user_id: Uuid,
    ...actor,
    before: Type.Array(Uuid, { maxItems: 10 }),
    after: Type.Array(Uuid, { maxItems: 10 }),
  }),
})
export const roleChanged = defineEvent({
  channel: 'iam.role.changed',
  type: 'RoleChanged',
  summary: 'A custom role was created, changed or deleted.',
  schema: strictObject({ role_id: Uuid, change: Type.String({ enum: ['created', 'changed', 'deleted'] }), ...actor }),
})

export const rightsEvents = [userRoleChanged, roleChanged] as const
