import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** A directory's document about a person, unchanged; the data we work with is in the account. */
export const scimUsers = table({
  name: 'iam_scim_user',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    user_name_key: Type.String(),
    /** A document of userSchema without what the account or the server decides. */
    profile: Type.Object({}),
    /** The directory took the person out; the account stays, deactivated. */
    removed_at: nullable(Timestamp),
  }),
  data: {
    category: 'identity',
    subject: ['id'],
    aliases: [{ column: 'user_name_key', kind: 'user_name' }],
    basis: 'contract',
    retention: 'tenant',
    erasure: 'delete',
  },
})

export const groups = table({
  name: 'iam_group',
  noun: 'group',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    display_name: Type.String(),
    display_name_key: Type.String(),
    external_id: nullable(Type.String()),
    /** The role its members get. */
    role_id: nullable(Uuid),
    version: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  data: { category: 'authorization', subject: [], retention: 'tenant', erasure: 'none' },
})

export const groupMembers = table({
  name: 'iam_group_member',
  key: ['group_id', 'user_id'],
  row: Type.Object({ tenant_id: Uuid, group_id: Uuid, user_id: Uuid, added_at: Timestamp }),
  data: { category: 'authorization', subject: ['user_id'], retention: 'tenant', erasure: 'delete' },
})

export const scimTables = [scimUsers, groups, groupMembers] as const
