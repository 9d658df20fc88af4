import { resource } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { users } from '../tables/users.ts'

export const userResource = resource({
  table: users,
  kind: 'user',
  unique: { iam_user_email: () => errors.emailInUse() },
})
