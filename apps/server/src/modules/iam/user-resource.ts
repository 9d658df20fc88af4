import { resource } from '../../kernel/resource/resource.ts'
import { errors } from './errors.ts'
import { users } from './tables.ts'

export const userResource = resource({
  table: users,
  kind: 'user',
  unique: { iam_user_email: () => errors.emailInUse() },
})
