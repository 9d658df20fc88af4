import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { rotateKeys } from './keys.ts'
import { KeyRotation, RotateKeys } from './schema.ts'

const route = routesOf<AdminServices>()

export const keyRoutes = [
  route.post('/keys/rotate', {
    permission: 'admin:admin',
    summary: 'Rotate a key',
    description:
      'A tenant rotates its own data key; the others are for operators. `dry_run` tells which keys there are and changes nothing; everything else needs fresh authentication. With `emergency` the token signing key is dropped at once and every session of the installation ends.',
    body: RotateKeys,
    returns: [200, KeyRotation],
    audit: 'admin.keys.rotate',
    rateClass: 'expensive',
    errors: [apiErrors.notFound, authErrors.forbidden, authErrors.stepUp, errors.keyProvider],
    ownTransactions: true,
    handler: (context) => rotateKeys(context.services, scopeOf(context), { actor: context.actor, body: context.body }),
  }),
]
