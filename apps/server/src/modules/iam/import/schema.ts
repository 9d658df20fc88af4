import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { CreateUser } from '../schemas/users.ts'

export const mostPeople = 10_000
/** Of a document, in characters; with the rest of the body it has to fit into the route's limit. */
const mostText = 15_000_000
export const importBodyLimit = 16 * 1_048_576

const formats = ['csv', 'keycloak'] as const
const RoleName = Type.String({ minLength: 1, maxLength: 64, description: 'Name of a role of the tenant' })

export const ImportUsers = strictObject({
  format: oneOf(...formats),
  document: Type.String({
    minLength: 1,
    maxLength: mostText,
    description: `The table or the realm export as text, with at most ${mostPeople} people`,
  }),
  dry_run: Type.Optional(Type.Boolean({ description: 'Says what would become of each row and changes nothing' })),
  skip_refused: Type.Optional(
    Type.Boolean({ description: 'Imports the rows that are good; otherwise one bad row refuses all' }),
  ),
  roles: Type.Optional(
    Type.Array(strictObject({ from: Type.String({ minLength: 1, maxLength: 255 }), to: RoleName }), {
      maxItems: 200,
      description: 'What roles and groups of the document are here; those not named are looked for by their own name',
    }),
  ),
  default_role: Type.Optional(RoleName),
  delivery: Type.Optional(
    Type.Unsafe<'invite' | 'none'>({
      type: 'string',
      enum: ['invite', 'none'],
      description:
        'Who comes without a password is invited (default), or made active to sign in over single sign-on or a reset link',
    }),
  ),
})
export type ImportUsers = Static<typeof ImportUsers>

/** Either one user or an import; which members go together is judged by meaning. */
export const CreateUsers = strictObject({
  ...CreateUser.properties,
  role_ids: Type.Optional(CreateUser.properties.role_ids),
  role: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Name of the one role, in the place of `role_ids`' }),
  ),
  import: Type.Optional(ImportUsers),
})
export type CreateUsers = Static<typeof CreateUsers>

const outcomes = ['created', 'exists', 'skipped', 'refused'] as const

export const ImportedUser = strictObject({
  line: Type.Integer({ description: 'Line of the table; of a realm export the place in `users`, from 1' }),
  email: nullable(Type.String({ maxLength: 300 })),
  outcome: oneOf(...outcomes),
  user_id: nullable(Uuid),
  status: Type.Optional(oneOf('invited', 'active', 'deactivated')),
  roles: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 10 }),
  password_taken_over: Type.Boolean(),
  notes: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 20 }),
  invitation_url: Type.Optional(Type.String({ maxLength: 2048, description: 'Where no mail is configured' })),
})
export type ImportedUser = Static<typeof ImportedUser>

export const UserImportReport = strictObject({
  id: Uuid,
  format: oneOf(...formats),
  dry_run: Type.Boolean(),
  counts: strictObject({
    created: Type.Integer(),
    exists: Type.Integer(),
    skipped: Type.Integer(),
    refused: Type.Integer(),
  }),
  invitation_expires_at: nullable(Timestamp),
  rows: Type.Array(ImportedUser, { maxItems: mostPeople }),
})
export type UserImportReport = Static<typeof UserImportReport>
